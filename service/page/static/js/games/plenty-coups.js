// Plenty Coups: camps with herds, raids, alliances, and the display.

import { back, card, drawn } from "../cards.js";
import { el } from "../dom.js";
import { icon } from "../glyphs.js";
import { pair, t } from "../i18n.js";
import { mark } from "../marks.js";
import { cardName, faceOf, seatName } from "../names.js";
import { account } from "../session.js";
import { fact, pile, row, section } from "./parts.js";

const FROM_HAND = ["card", "cards", "discard", "give"];
const TO_CAMP = ["target", "to", "tribe", "from"];

export const suits = (table) => (seat) => table.view?.camps.find((camp) => camp.seat === seat)?.tribe ?? seat;

export function nameOf(table, field, value) {
  if (field === "coup") return t(value ? "coup.yes" : "coup.no");
  return TO_CAMP.includes(field) ? t(`tribe.${value}`) : cardName(value);
}

/** The whole table. */
export function draw(table, tools) {
  const { view } = table;
  if (!view.camps.length) return [choosing(table, tools)];
  return [
    el("p", { class: "stage" }, fact(t("round"), `${view.round}/12`), view.phase && fact(t("phase"), t(`phase.${view.phase}`)), fact(t("actions"), view.actions), fact(t("plain"), view.plain)),
    el("div", { class: `camps count-${view.camps.length}` }, ...view.camps.map((camp, index) => campOf(table, tools, camp, `/view/camps/${index}`))),
    middle(view, tools),
    hands(table, tools),
  ];
}

function choosing(table, tools) {
  const tribes = ["black", "yellow", "green", "red", "blue", "white"].map((tribe) => {
    const taken = table.view.chosen.includes(tribe);
    const picture = el("span", { class: "tribe-choice" }, card({ glyph: "tipi" }, tribe), el("span", {}, t(`tribe.${tribe}`)), taken && el("span", { class: "badge" }, t("seat.taken")));
    return tools.piece(["tribe"], tribe, picture);
  });
  return section("tribes", t("tribes.title"), row(tribes, "tribe-row"));
}

function campOf(table, tools, camp, pointer) {
  const seat = table.seats[camp.seat - 1];
  const title = seat ? pair(t(`tribe.${camp.tribe}`), seatName(seat)) : t(`tribe.${camp.tribe}`);
  const deciding = table.decisions.some((decision) => decision.seat === camp.seat);
  const badges = [
    table.view.turn === camp.tribe && el("span", { class: "badge acting" }, t("camp.turn")),
    deciding && el("span", { class: "badge" }, t("seat.deciding")),
    account && seat?.player === account.player && el("span", { class: "badge" }, t("seat.you")),
    camp.disdained && el("span", { class: "badge" }, t("camp.disdained")),
    camp.ally && el("span", { class: "badge" }, pair(t("camp.ally"), t(`tribe.${camp.ally}`))),
  ];
  const head = el("div", { class: "seat-head" }, mark(camp.tribe), el("h2", {}, title));
  const node = el("section", { class: `camp suit-${camp.tribe}`, "aria-label": title }, head, el("div", { class: "badges" }, ...badges));
  node.append(tools.at(`${pointer}/horses`, herd(camp)), tools.at(pointer, markers(camp)), besiegers(table, tools, camp));
  const choose = tools.target(node, TO_CAMP, camp.tribe, t("move.this_camp", { camp: t(`tribe.${camp.tribe}`) }));
  if (choose) node.append(choose);
  tools.landing(node, TO_CAMP, camp.tribe);
  return node;
}

function herd(camp) {
  const horses = Array.from({ length: camp.horses }, () => icon("horse"));
  return el("div", { class: "herd", role: "img", "aria-label": t("horses", { n: camp.horses }) }, ...horses, !camp.horses && el("span", { class: "empty" }, t("herd.none")));
}

const markers = (camp) =>
  el("div", { class: "facts" }, fact(t("heap.hand"), camp.hand_count), fact(t("camp.raid_markers"), camp.raid_markers), fact(t("camp.prestige_markers"), camp.prestige_markers), fact(t("camp.extra"), camp.extra));

/** The raids that stand before a camp, and the warrior of its ally behind it. */
function besiegers(table, tools, camp) {
  const raids = table.view.raids.map((raid, index) => ({ raid, index })).filter(({ raid }) => raid.target === camp.tribe);
  const rows = raids.map(({ raid, index }) => {
    const words = t("raid.attack", { tribe: t(`tribe.${raid.tribe}`), attack: raid.attack });
    return tools.at(`/view/raids/${index}`, el("div", { class: "raid" }, mark(raid.tribe), row(raid.cards.map((id) => drawn(id)), "small-cards"), el("span", {}, words)));
  });
  const ally = camp.ally_card ? row([drawn(camp.ally_card)], "small-cards") : null;
  return el("div", { class: "besiegers" }, ...rows, ally);
}

function middle(view, tools) {
  const display = view.display.map((id, number) => tools.at(`/view/display/${number}`, tools.piece(["cards"], id, drawn(id))));
  const top = view.discards.length ? el("span", { class: "pile", title: t("heap.discards") }, drawn(view.discards.at(-1)), el("span", { class: "count" }, String(view.discards.length))) : null;
  return el(
    "div",
    { class: "middle" },
    section("display", t("display"), row(display)),
    section("display", t("heap.pile"), row([pile("black", view.pile_count, t("heap.pile")), top].filter(Boolean))),
    view.proposals.length ? section("display", t("proposals"), row(view.proposals.map((made) => proposal(made, tools)))) : null,
    view.offer ? section("display", t("gift"), gift(view.offer)) : null,
  );
}

function proposal(made, tools) {
  const words = `${t(`tribe.${made.tribe}`)} → ${t(`tribe.${made.to}`)}`;
  return el("span", { class: "proposal" }, tools.piece(["from"], made.tribe, card(faceOf(made.card)), { label: words }), el("span", {}, words));
}

const gift = (offer) =>
  el("span", { class: "proposal" }, offer.give ? drawn(offer.give) : back(offer.tribe), el("span", {}, `${t(`tribe.${offer.tribe}`)} → ${t(`tribe.${offer.to}`)}`));

/** The hands that may be seen: one's own, and that of the shared tribe where it is open. */
function hands(table, tools) {
  const open = table.view.camps.map((camp, index) => ({ camp, index })).filter(({ camp }) => camp.hand?.length);
  const drawnHands = open.map(({ camp, index }) => {
    const playing = camp.tribe === (table.view.acting_tribe ?? camp.tribe) || camp.seat === table.seat;
    const cards = camp.hand.map((id) => (playing ? tools.piece(FROM_HAND, id, drawn(id), { drag: true }) : el("span", { class: "piece" }, drawn(id))));
    const title = pair(t("heap.hand"), t(`tribe.${camp.tribe}`));
    return tools.at(`/view/camps/${index}/hand`, section("heap heap-hand", title, row(cards)));
  });
  return el("div", { class: "own-cards" }, ...drawnHands);
}
