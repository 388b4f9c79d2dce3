// The seats, a line each: mark, name, total, cards in hand, and who is to act; what a seat has won opens on request.

import { el } from "../dom.js";
import { icon } from "../glyphs.js";
import { t } from "../i18n.js";
import { seatName } from "../names.js";
import { portrait } from "../portraits.js";
import { account } from "../session.js";
import { rowsOf } from "../state/scores.js";
import { seatClock } from "./clocks.js";

/** All seats of a table. `game.seat(table, tools, number)` gives `{hand, chosen, badges, details}`. */
export function seatStrip(table, game, tools) {
  const suitOf = game.suits(table);
  return el(
    "ul",
    { class: `seats of-${table.seats.length}`, "aria-label": t("seats"), data: { scroll: "seats" } },
    ...table.seats.map((seat) => seatOf(table, game, tools, seat, suitOf(seat.seat))),
  );
}

function seatOf(table, game, tools, seat, suit) {
  const told = game.seat(table, tools, seat.seat);
  const acting = table.decisions.some((decision) => decision.seat === seat.seat);
  const own = account && seat.player === account.player;
  const total = rowsOf(table).find((row) => row.seat === seat.seat)?.total;
  const line = el(
    "summary",
    {},
    portrait(seat, suit),
    el("strong", { class: "seat-name" }, seatName(seat)),
    own && el("span", { class: "badge you" }, t("seat.you")),
    ...(told.signs ?? []),
    told.hand != null &&
      el("span", { class: "in-hand", title: t("seat.hand", { n: told.hand }) }, icon("hand"), String(told.hand)),
    seatClock(table, seat),
    total !== undefined && el("span", { class: "seat-total", title: t("score.total") }, String(total)),
    acting && el("span", { class: "badge acting" }, t(table.decisions.length > 1 ? "seat.choosing" : "seat.deciding")),
    told.chosen && el("span", { class: "badge done" }, t("seat.chosen")),
  );
  const node = el(
    "details",
    { name: "seats", class: "seat-more", data: { key: `seat-${seat.seat}` } },
    line,
    el("div", { class: "seat-details" }, ...told.details),
  );
  return el("li", { class: `seat suit-${suit}${acting ? " acts" : ""}`, data: { seat: seat.seat } }, node);
}
