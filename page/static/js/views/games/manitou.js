// Manitou: buffalo on three grounds, two herds, prisoners and hide thieves.

import { card, drawn } from "../../cards.js";
import { el } from "../../dom.js";
import { capital, t } from "../../i18n.js";
import { cardName, faceOf } from "../../piece-names.js";
import { rowsOf } from "../../state/scores.js";
import { grounds, hasChosen, heaps, ownCards } from "./manitou-family.js";
import { fact, figure, row } from "./parts.js";

export { next } from "./manitou-family.js";

export const suits = (table) => (seat) => table.view?.seats[seat - 1].tribe ?? seat;

export const nameOf = (table, field, value) => (field === "ground" ? t("ground", { number: value }) : cardName(value));

export function facts({ view }) {
  const turn = view.turn ? fact(t("turn"), `${view.turn}/7`) : null;
  const herds = [
    ["herd.small", view.small_pile.count],
    ["herd.large", view.large_pile.count],
    ["card.hide-thief", view.hide_thieves.length],
  ].map(([key, count]) => fact(capital(t(key)), count, "minor"));
  return [fact(t("hunt"), `${view.hunt}/3`), turn, ...herds];
}

export const board = (table, tools) => [
  grounds(table, tools, suits(table), "cards", (ground, pointer) => stakes(ground, tools, pointer)),
];

export const hand = (table, tools) => (table.seat ? ownCards(table, tools, suits(table)(table.seat)) : []);

function stakes(ground, tools, pointer) {
  return ground.buffalo.map((id, number) =>
    tools.at(`${pointer}/buffalo/${number}`, el("span", { class: "piece" }, drawn(id))),
  );
}

/** What a seat has, in its line and opened. */
export function seat(table, tools, number) {
  const { view } = table;
  const own = view.seats[number - 1];
  const prisoners = own.prisoners.map((held) => card(faceOf(held.card), view.seats[held.seat - 1].tribe));
  const won = [...own.buffalo, ...own.hide_thieves].map((id) => drawn(id));
  const points = rowsOf(table)[number - 1];
  return {
    hand: own.hand_count,
    chosen: hasChosen(view, own),
    signs: points && [
      figure("buffalo", "buffalo", points.buffalo),
      points.prisoners > 0 && figure("warrior", "prisoners", points.prisoners),
      points.penalties !== 0 && figure("hide-thief", "penalties", points.penalties),
    ],
    details: [heaps(table, own), tools.at(`/view/seats/${number - 1}`, row([...won, ...prisoners], "small-cards"))],
  };
}
