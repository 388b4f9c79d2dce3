// Manitou: buffalo on three grounds, two herds, prisoners and hide thieves.

import { card, drawn } from "../cards.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { cardName, faceOf } from "../names.js";
import { chosen, grounds, heaps, ownCards } from "./hunting.js";
import { fact, row, seats } from "./parts.js";

export const suits = (table) => (seat) => table.view?.seats[seat - 1].tribe ?? seat;

export const nameOf = (table, field, value) => (field === "ground" ? t("ground", { number: value }) : cardName(value));

/** The whole table. */
export function draw(table, tools) {
  const { view } = table;
  const suitOf = suits(table);
  const turn = view.turn ? fact(t("turn"), `${view.turn}/7`) : null;
  return [
    el("p", { class: "stage" }, fact(t("hunt"), `${view.hunt}/3`), view.phase && fact(t("phase"), t(`phase.${view.phase}`)), turn),
    el("p", { class: "stage" }, fact(t("herd.small"), view.small_pile.count), fact(t("herd.large"), view.large_pile.count), fact(t("card.hide-thief"), view.hide_thieves.length)),
    seats(table, suitOf, (number) => seatOf(view, tools, number)),
    grounds(table, tools, suitOf, (ground, pointer) => stakes(ground, tools, pointer)),
    table.seat ? ownCards(table, tools, suitOf(table.seat)) : null,
  ];
}

function stakes(ground, tools, pointer) {
  return ground.buffalo.map((id, number) => tools.at(`${pointer}/buffalo/${number}`, el("span", { class: "piece" }, drawn(id))));
}

function seatOf(view, tools, number) {
  const seat = view.seats[number - 1];
  const pointer = `/view/seats/${number - 1}`;
  const prisoners = seat.prisoners.map((held) => card(faceOf(held.card), view.seats[held.seat - 1].tribe));
  const won = [...seat.buffalo, ...seat.hide_thieves].map((id) => drawn(id));
  return [
    el("div", { class: "badges" }, chosen(view, seat), view.dealer === number && el("span", { class: "badge" }, t("dealer"))),
    heaps(seat),
    tools.at(pointer, row([...won, ...prisoners], "small-cards")),
  ];
}
