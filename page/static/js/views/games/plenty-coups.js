// Plenty Coups: camps round a plain, and what runs between them. In the middle of the plain lie display, pile and discards,
// the horses that nobody has, and the tribes without a camp.

import { back, card, drawn } from "../../cards.js";
import { button, dialog, el, svg } from "../../dom.js";
import { mark } from "../../glyphs.js";
import { pair, t } from "../../i18n.js";
import { cardName } from "../../piece-names.js";
import { PARTS } from "../../state/composer.js";
import { grass } from "./land.js";
import { fact, row, section, told } from "./parts.js";
import { campOf, herd } from "./plenty-coups/camp.js";
import { lanes, placesOf } from "./plenty-coups/lanes.js";

const { hand: HAND, camp: CAMP, tribe: TRIBE, display: DISPLAY } = PARTS["plenty-coups"];
const ROUNDS = 12; // PC-3.1
const WINTER = 10; // PC-3.2
const TRIBES = ["black", "yellow", "green", "red", "blue", "white"];

export const suits = (table) => (seat) => table.view?.camps.find((camp) => camp.seat === seat)?.tribe ?? seat;

export function nameOf(table, field, value) {
  if (field === "coup") return t(value ? "coup.yes" : "coup.no");
  return CAMP.includes(field) ? t(`tribe.${value}`) : cardName(value);
}

const isWinter = ({ round }) => round >= WINTER;

export const facts = ({ view }) =>
  view.camps.length
    ? [
        fact(t("round"), `${view.round}/${ROUNDS}`),
        isWinter(view) && el("span", { class: "fact minor winter" }, t("winter")),
        view.over ? null : fact(t("actions"), view.actions),
        view.free_exchange_made && el("span", { class: "fact minor" }, t("exchange.made")),
      ]
    : [];

export function board(table, tools) {
  const { view } = table;
  if (!view.camps.length) return [choosing(table, tools)];
  const places = placesOf(view.camps, table.seat);
  const camps = view.camps.map((camp, index) => campOf(table, tools, index, places.get(camp.tribe)));
  const winter = isWinter(view) ? " winter" : "";
  return [el("div", { class: `plains${winter}` }, land(), lanes(view, places), middle(view, tools), camps)];
}

/** The seat to act after the one that acts: in an answer the one in turn, else that of the next camp. */
export function next({ view: { camps, turn, turn_seat: inTurn, acting_tribe: acting, round } }) {
  if (!turn) return null;
  if (acting !== turn) return inTurn;
  const at = camps.findIndex(({ tribe }) => tribe === turn) + 1;
  const [camp, later] = [camps[at % camps.length], round + (at === camps.length)];
  if (later > ROUNDS) return null;
  return camp.seat ?? (later % 2 ? 1 : 2); // PC-3.14
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
  return el("div", { class: "plains" }, land(), section("tribes", t("tribes.title"), row(tribes, "tribe-row")));
}

/** What a seat has, in its line and opened. */
export function seat({ view }, tools, number) {
  const camp = view.camps.find((each) => each.seat === number);
  if (!camp) return { details: [] };
  const figures = ["raid_markers", "prestige_markers", "extra"].map((name) => fact(t(`camp.${name}`), camp[name]));
  return { hand: camp.hand_count, details: [el("div", { class: "facts" }, ...figures)] };
}

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

const TUFTS = "40 190, 176 172, 288 178, 560 240, 724 184, 84 300, 356 322, 650 318, 140 110, 420 96, 650 112";

/** The land as a picture that fills its place. */
const land = () =>
  svg(
    "svg",
    { class: "field", viewBox: "0 0 800 400", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    svg("path", { class: "land-far", d: "M0 96c90-46 160-8 250-30s150-44 260-12 170 30 290-14V0H0z" }),
    svg("path", {
      class: "land-river",
      d: "M-10 282c120-40 210 24 330-14s180-76 300-40 120 30 200 6v16c-80 24-120 26-200 4s-180 2-300 40-210-22-330 6z",
    }),
    svg("path", { class: "land-grass", d: grass(TUFTS) }),
  );

/** What lies in the middle of the plain. */
function middle(view, tools) {
  const shown = view.display.map((id, number) =>
    tools.at(`/view/display/${number}`, tools.piece(DISPLAY, id, drawn(id))),
  );
  const count = el("strong", {}, String(view.plain));
  const horses = told("plain-herd", t("plain.horses", { n: view.plain }), ...herd(view.plain), count);
  return el(
    "div",
    { class: "supply" },
    tools.at("/view/pile_count", heap("pile", t("heap.pile"), view.pile_count, view.pile)),
    section("display", t("display"), row(shown)),
    tools.at("/view/discards", heap("discards", t("heap.discards"), view.discards.length, view.discards)),
    tools.at("/view/plain", horses),
    view.neutral_tribes.length > 0 && tools.at("/view/neutral_tribes", neutral(view.neutral_tribes)),
  );
}

function neutral(tribes) {
  const names = tribes.map((tribe) => t(`tribe.${tribe}`)).join(", ");
  return told("neutral", t("tribes.neutral", { names }), t("tribes.neutral_short"), ...tribes.map(mark));
}

/** Cards on one another; those that may be seen are shown on request. */
function heap(name, title, count, cards) {
  const label = pair(title, count);
  const picture = el(
    "span",
    { class: "pile" },
    back("black", label),
    el("span", { class: "count", "aria-hidden": "true" }, String(count)),
  );
  const words = el("span", { class: "heap-title", "aria-hidden": "true" }, title);
  const props = { class: `heap-of heap-of-${name}` };
  if (!cards?.length) return el("span", props, picture, words);
  return button([picture, words], () => lookThrough(label, cards), { ...props, data: { key: name } });
}

/** Each face once, with how many there are. */
function lookThrough(title, cards) {
  const faces = [...new Set(cards)].map((id) => {
    const count = cards.filter((each) => each === id).length;
    return el("li", { class: "pile" }, drawn(id), count > 1 && el("span", { class: "count" }, String(count)));
  });
  dialog(title, el("ul", { class: "cards looked-through" }, ...faces));
}
