// What the tables of all games have: seats, rows of cards, piles.

import { back } from "../cards.js";
import { el } from "../dom.js";
import { pair, t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";
import { account } from "../session.js";

/** A heading with what belongs to it. */
export const section = (name, title, ...content) =>
  el("section", { class: name, "aria-label": title }, el("h2", {}, title), ...content);

/** Cards side by side. */
export const row = (cards, name = "cards") => el("div", { class: name }, ...cards);

/** Face-down cards as one back with their number. */
export function pile(suit, count, label) {
  if (!count) return null;
  const text = pair(label, count);
  return el("span", { class: "pile", role: "img", "aria-label": text, title: text }, back(suit), el("span", { class: "count" }, String(count)));
}

/** A small fact: a word and its figure. */
export const fact = (label, value, name = "") =>
  el("span", { class: `fact ${name}` }, el("span", { class: "fact-label" }, label), " ", el("strong", {}, String(value)));

/** All seats, each with what the game says of it; who is to act is marked. */
export function seats(table, suitOf, describe) {
  const together = table.decisions.length > 1;
  const acting = new Set(table.decisions.map((decision) => decision.seat));
  const items = table.seats.map((seat) => {
    const suit = suitOf(seat.seat);
    const told = acting.has(seat.seat) ? el("span", { class: "badge acting" }, t(together ? "seat.choosing" : "seat.deciding")) : null;
    const own = account && seat.player === account.player ? el("span", { class: "badge" }, t("seat.you")) : null;
    const head = el("div", { class: "seat-head" }, mark(suit), el("span", { class: "seat-number", title: t("score.seat") }, String(seat.seat)), el("strong", {}, seatName(seat)), own, told);
    return el("li", { class: `seat suit-${suit}`, data: { seat: seat.seat } }, head, ...describe(seat.seat));
  });
  return el("ul", { class: "seats", "aria-label": t("seats") }, ...items);
}
