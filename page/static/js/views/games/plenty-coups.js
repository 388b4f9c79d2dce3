// Plenty Coups: camps round a plain, what runs between them, and the display.

import { card, drawn } from "../../cards.js";
import { el } from "../../dom.js";
import { pair, t } from "../../i18n.js";
import { cardName } from "../../names.js";
import { PARTS } from "../../state/parts.js";
import { fact, phase, row, section } from "./parts.js";
import { campOf } from "./plenty-coups/camp.js";
import { lanesOf } from "./plenty-coups/lanes.js";
import { standing } from "./plenty-coups/links.js";
import { grazing, isWinter, land } from "./plenty-coups/plain.js";
import { supply } from "./plenty-coups/supply.js";

const { hand: HAND, camp: CAMP, tribe: TRIBE } = PARTS["plenty-coups"];
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
        isWinter(view) && el("span", { class: "fact minor winter" }, t("winter")),
        phase(view),
        view.over ? null : fact(t("actions"), view.actions),
        view.free_exchange_made && el("span", { class: "fact minor" }, t("exchange.made")),
      ]
    : [];

export function board(table, tools) {
  const { view } = table;
  if (!view.camps.length) return [choosing(table, tools)];
  const { far, near } = standing(view.camps, table.seat);
  const camps = (name, indices) =>
    el("div", { class: `camps ${name} n-${indices.length}` }, ...indices.map((index) => campOf(table, tools, index)));
  return [
    el(
      "div",
      { class: "raiding" },
      el(
        "div",
        { class: `plains count-${view.camps.length}${isWinter(view) ? " winter" : ""}` },
        land(),
        camps("far", far),
        grazing(view, tools),
        camps("near", near),
        lanesOf(view),
      ),
      supply(view, tools),
    ),
  ];
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
  return {
    hand: camp.hand_count,
    details: [
      el(
        "div",
        { class: "facts" },
        fact(t("camp.raid_markers"), camp.raid_markers),
        fact(t("camp.prestige_markers"), camp.prestige_markers),
        fact(t("camp.extra"), camp.extra),
      ),
    ],
  };
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
