// Plenty Coups: camps with herds, raids, alliances, and the display.

import { back, card, drawn } from "../../cards.js";
import { el } from "../../dom.js";
import { icon } from "../../glyphs.js";
import { pair, t } from "../../i18n.js";
import { mark } from "../../marks.js";
import { cardName, faceOf, seatName } from "../../names.js";
import { PARTS } from "../../state/parts.js";
import { fact, phase, pile, row, section } from "./parts.js";

const { hand: HAND, camp: CAMP, display: DISPLAY, proposal: PROPOSAL, tribe: TRIBE } = PARTS["plenty-coups"];
const TRIBES = ["black", "yellow", "green", "red", "blue", "white"];

export const suits = (table) => (seat) => table.view?.camps.find((camp) => camp.seat === seat)?.tribe ?? seat;

export function nameOf(table, field, value) {
  if (field === "coup") return t(value ? "coup.yes" : "coup.no");
  return CAMP.includes(field) ? t(`tribe.${value}`) : cardName(value);
}

export const facts = ({ view }) =>
  view.camps.length
    ? [
        fact(t("round"), `${view.round}/12`),
        phase(view),
        view.over ? null : fact(t("actions"), view.actions),
        fact(t("plain"), view.plain, "minor"),
      ]
    : [];

export function board(table, tools) {
  const { view } = table;
  if (!view.camps.length) return [choosing(table, tools)];
  const order = [...view.camps.keys()].sort(
    (one, other) => (view.camps[one].seat === table.seat) - (view.camps[other].seat === table.seat),
  );
  const camps = order.map((index) => campOf(table, tools, view.camps[index], `/view/camps/${index}`)); // one's own last
  return [middle(view, tools), el("div", { class: `camps count-${view.camps.length}` }, ...camps)];
}

function choosing(table, tools) {
  const tribes = TRIBES.map((tribe) => {
    const taken = table.view.chosen.includes(tribe);
    const name = el("span", {}, t(`tribe.${tribe}`));
    const picture = el(
      "span",
      { class: "tribe-choice" },
      card({ glyph: "tipi" }, tribe),
      name,
      taken && el("span", { class: "badge" }, t("seat.taken")),
    );
    return taken ? el("span", { class: "piece" }, picture) : tools.piece(TRIBE, tribe, picture);
  });
  return section("tribes", t("tribes.title"), row(tribes, "tribe-row"));
}

/** What a seat has, in its line and opened. */
export function seat({ view }, tools, number) {
  const camp = view.camps.find((each) => each.seat === number);
  if (!camp) return { details: [] };
  return {
    hand: camp.hand_count,
    signs: [camp.disdained && el("span", { class: "badge" }, t("camp.disdained"))],
    details: [markers(camp)],
  };
}

function campOf(table, tools, camp, pointer) {
  const seat = table.seats[camp.seat - 1];
  const title = seat ? pair(t(`tribe.${camp.tribe}`), seatName(seat)) : t(`tribe.${camp.tribe}`);
  const badges = [
    table.view.turn === camp.tribe && el("span", { class: "badge acting" }, t("camp.turn")),
    camp.disdained && el("span", { class: "badge" }, t("camp.disdained")),
    camp.ally && el("span", { class: "badge" }, pair(t("camp.ally"), t(`tribe.${camp.ally}`))),
  ];
  const own = seat && camp.seat === table.seat;
  const head = el(
    "div",
    { class: "seat-head" },
    mark(camp.tribe),
    el("h2", {}, t(`tribe.${camp.tribe}`), seat && el("span", { class: "camp-name" }, ` · ${seatName(seat)}`)),
    ...badges,
  );
  const node = el("section", { class: `camp suit-${camp.tribe}${own ? " own" : ""}`, "aria-label": title }, head);
  node.append(
    tools.at(`${pointer}/horses`, herd(camp)),
    tools.at(pointer, markers(camp)),
    besiegers(table, tools, camp),
  );
  const choose = tools.target(node, CAMP, camp.tribe, t("move.this_camp", { camp: t(`tribe.${camp.tribe}`) }));
  if (choose) node.append(choose);
  tools.landing(node, CAMP, camp.tribe);
  return node;
}

function herd(camp) {
  const horses = Array.from({ length: camp.horses }, () => icon("horse"));
  const count = el("span", { class: "herd-count" }, camp.horses ? String(camp.horses) : t("herd.none"));
  return el("div", { class: "herd", role: "img", "aria-label": t("horses", { n: camp.horses }) }, ...horses, count);
}

const markers = (camp) =>
  el(
    "div",
    { class: "facts" },
    fact(t("heap.hand"), camp.hand_count, "minor"),
    fact(t("camp.raid_markers"), camp.raid_markers),
    fact(t("camp.prestige_markers"), camp.prestige_markers),
    fact(t("camp.extra"), camp.extra),
  );

/** The raids that stand before a camp, and the warrior of its ally behind it. */
function besiegers(table, tools, camp) {
  const raids = table.view.raids
    .map((raid, index) => ({ raid, index }))
    .filter(({ raid }) => raid.target === camp.tribe);
  const rows = raids.map(({ raid, index }) => {
    const words = t("raid.attack", { tribe: t(`tribe.${raid.tribe}`), attack: raid.attack });
    const cards = row(
      raid.cards.map((id) => drawn(id)),
      "small-cards",
    );
    return tools.at(
      `/view/raids/${index}`,
      el("div", { class: "raid" }, mark(raid.tribe), cards, el("span", {}, words)),
    );
  });
  const ally = camp.ally_card ? row([drawn(camp.ally_card)], "small-cards") : null;
  return el("div", { class: "besiegers" }, ...rows, ally);
}

function middle(view, tools) {
  const display = view.display.map((id, number) =>
    tools.at(
      `/view/display/${number}`,
      tools.asks(DISPLAY, [id]) ? tools.piece(DISPLAY, id, drawn(id)) : el("span", { class: "piece" }, drawn(id)),
    ),
  );
  const top = view.discards.length
    ? el(
        "span",
        { class: "pile", title: t("heap.discards") },
        drawn(view.discards.at(-1)),
        el("span", { class: "count" }, String(view.discards.length)),
      )
    : null;
  return el(
    "div",
    { class: "middle" },
    section("display", t("display"), row(display)),
    section("display", t("heap.pile"), row([pile("black", view.pile_count, t("heap.pile")), top].filter(Boolean))),
    view.proposals.length
      ? section("display", t("proposals"), row(view.proposals.map((made) => proposal(made, tools))))
      : null,
    view.offer ? section("display", t("gift"), gift(view.offer)) : null,
  );
}

function proposal(made, tools) {
  const words = `${t(`tribe.${made.tribe}`)} → ${t(`tribe.${made.to}`)}`;
  const picture = card(faceOf(made.card));
  const piece = tools.asks(PROPOSAL, [made.tribe])
    ? tools.piece(PROPOSAL, made.tribe, picture, { label: words })
    : picture;
  return el("span", { class: "proposal" }, piece, el("span", {}, words));
}

const gift = (offer) =>
  el(
    "span",
    { class: "proposal" },
    offer.give ? drawn(offer.give) : back(offer.tribe),
    el("span", {}, `${t(`tribe.${offer.tribe}`)} → ${t(`tribe.${offer.to}`)}`),
  );

/** The hands that may be seen: one's own, and that of the shared tribe where it is open. */
export function hand(table, tools) {
  const open = table.view.camps.map((camp, index) => ({ camp, index })).filter(({ camp }) => camp.hand?.length);
  return open.map(({ camp, index }) => {
    const playing = camp.tribe === (table.view.acting_tribe ?? camp.tribe) || camp.seat === table.seat;
    const cards = camp.hand.map((id) =>
      playing ? tools.piece(HAND, id, drawn(id), { drag: true }) : el("span", { class: "piece" }, drawn(id)),
    );
    const title = pair(t("heap.hand"), t(`tribe.${camp.tribe}`));
    return tools.at(`/view/camps/${index}/hand`, section("heap heap-hand", title, row(cards)));
  });
}
