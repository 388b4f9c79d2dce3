// The rulings that changed somebody's lead, as a table.

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";
import { addressOf } from "../router.js";
import { undoing } from "../state/log.js";
import { swingsOf } from "../state/swings.js";
import { words } from "../words.js";

/** The events that were not taken back. */
export const effectiveEvents = ({ log }) => log.rows.filter((event) => !undoing(log, event.version));

/** The totals at a version, out of what was read of every version. */
export function totalsOf(history) {
  const totals = new Map(history.map(({ version, rows }) => [version, rows]));
  return (version) => totals.get(version) ?? [];
}

/** The rulings that changed somebody's lead, as a table. */
export function swingTable({ state, act, game }, history) {
  const { log, live } = state;
  if (log.first) {
    queueMicrotask(act.whole);
    return el("p", { class: "empty" }, t("plot.loading"));
  }
  const all = swingsOf(effectiveEvents(state), totalsOf(history));
  const telling = all.filter(({ swings }) => [...swings.values()].some(Boolean));
  const suitOf = game.suits(live);
  const seats = live.seats.map((seat) =>
    el(
      "th",
      { scope: "col", title: seatName(seat) },
      mark(suitOf(seat.seat)),
      ` ${seat.seat}`,
      el("span", { class: "unseen" }, ` ${seatName(seat)}`),
    ),
  );
  const rows = telling.map(({ event, swings }) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        el("a", { href: addressOf(state.id, event.version, state.seat) }, String(event.version)),
        " ",
        words(event.type),
      ),
      ...live.seats.map((seat) => el("td", {}, signed(swings.get(seat.seat) ?? 0))),
    ),
  );
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("swings.ruling")), ...seats)),
    el("tbody", {}, ...rows),
  );
  return el(
    "section",
    { class: "swings", "aria-label": t("swings.title") },
    el("h3", {}, t("swings.title")),
    el("p", { class: "hint" }, t("swings.meaning")),
    el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("swings.title") }, table),
    el("p", { class: "hint" }, t("swings.nothing", { n: all.length - telling.length })),
  );
}

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));
