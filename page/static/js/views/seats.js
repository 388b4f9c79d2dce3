// The seats, a bar each: mark, name, what it has, total, and who acts now and next; the rest opens on request.

import { el } from "../dom.js";
import { mark } from "../glyphs.js";
import { capital, pair, t } from "../i18n.js";
import { nameAt, numberAt, seatName } from "../piece-names.js";
import { portrait } from "../portraits.js";
import { account } from "../session.js";
import { rowsOf } from "../state/scores.js";
import { seatClock } from "./clocks.js";
import { sign, told } from "./games/parts.js";

/** All seats of a table. `game.seat(table, tools, number)` gives `{hand, chosen, signs, details}`. */
export function seatStrip(table, game, tools) {
  const suitOf = game.suits(table);
  const next = table.decisions.length === 1 ? game.next?.(table) : null;
  return el(
    "ul",
    { class: `seats of-${table.seats.length}`, "aria-label": t("seats") },
    ...table.seats.map((seat) => seatOf(table, game, tools, seat, suitOf(seat.seat), next === seat.seat)),
  );
}

function seatOf(table, game, tools, seat, suit, isNext) {
  const has = game.seat(table, tools, seat.seat);
  const acting = table.decisions.some((decision) => decision.seat === seat.seat);
  const own = account && seat.player === account.player;
  const total = rowsOf(table).find((row) => row.seat === seat.seat)?.total;
  const called = [own ? capital(t("seat.you")) : seatName(seat), numberAt(table, seat.seat)]; // the name may be cut short
  const props = { class: "seat-name", title: nameAt(table, seat.seat) };
  const name = el("strong", props, ...called.map((part) => el("span", {}, part)));
  const badge = (name, key) => el("span", { class: `badge ${name}` }, el("span", {}, t(key)));
  const line = el(
    "summary",
    {},
    portrait(seat),
    el(
      "span",
      { class: "seat-line" },
      mark(suit),
      name,
      acting && badge("acting", table.decisions.length > 1 ? "seat.choosing" : "seat.deciding"),
      has.chosen && badge("done", "seat.chosen"),
      isNext && !acting && badge("next", "seat.next"),
    ),
    el(
      "span",
      { class: "signs" },
      has.hand != null && sign("hand", t("seat.hand", { n: has.hand }), has.hand),
      has.signs,
      seatClock(table, seat),
    ),
    total !== undefined && told("seat-total", pair(t("score.total"), total), String(total)),
  );
  const node = el(
    "details",
    { name: "seats", class: "seat-more", data: { key: `seat-${seat.seat}` } },
    line,
    el("div", { class: "seat-details" }, ...has.details),
  );
  return el("li", { class: `seat suit-${suit}${acting ? " acts" : ""}`, data: { seat: seat.seat } }, node);
}

/**
 * Who sits at a seat, as lists of tables tell it: a chosen name in an element of its own, which keeps its writing direction
 * to itself; else what sits there, in words. An AI's level stands in the seat itself.
 */
export function sitter(seat) {
  return seat.name ? el("bdi", {}, seat.name) : seatName(seat);
}

/** Between which ratings somebody may be who takes an open seat, in words: `1400–1600`, `1400+`. */
export function rangeWords({ least, most, provisional }) {
  const bounds = most === null ? `${least ?? 0}+` : `${least ?? 0}–${most}`;
  return t("ranges.words", { range: bounds }) + (provisional ? "" : t("ranges.settled"));
}
