// Plenty Coups: camps round a plain, what runs between them, and the display.

import { card, drawn } from "../../cards.js";
import { el } from "../../dom.js";
import { pair, t } from "../../i18n.js";
import { cardName } from "../../names.js";
import { PARTS } from "../../state/composer.js";
import { fact, row, section } from "./parts.js";
import { campOf } from "./plenty-coups/camp.js";
import { lanes, placesOf } from "./plenty-coups/lanes.js";
import { isWinter, land, middle } from "./plenty-coups/plain.js";

const { hand: HAND, camp: CAMP, tribe: TRIBE } = PARTS["plenty-coups"];
const ROUNDS = 12; // PC-3.1
const TRIBES = ["black", "yellow", "green", "red", "blue", "white"];

export const suits = (table) => (seat) => table.view?.camps.find((camp) => camp.seat === seat)?.tribe ?? seat;

export function nameOf(table, field, value) {
  if (field === "coup") return t(value ? "coup.yes" : "coup.no");
  return CAMP.includes(field) ? t(`tribe.${value}`) : cardName(value);
}

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
