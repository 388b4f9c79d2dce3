// What each ruling was worth to each seat. A seat's lead is its total less the best total of the others; its swing by a
// ruling is how much its lead changed from just before the ruling to just before the next one, or to the end of all that
// followed from the same move.

import { isRuling } from "./chronicle.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { mark } from "./marks.js";
import { seatName } from "./names.js";
import { addressOf } from "./router.js";
import { words } from "./words.js";

/** `{event, swings}` for every ruling that stands; `totalsAt(version)` gives seats with their totals. */
export function swingsOf(events, totalsAt) {
  return events.filter(isRuling).map((event) => {
    const end = lastOf(event, events);
    const [before, after] = [leads(totalsAt(event.version - 1)), leads(totalsAt(end))];
    return { event, swings: new Map([...after].map(([seat, lead]) => [seat, lead - (before.get(seat) ?? 0)])) };
  });
}

/** The last event that counts for a ruling. */
function lastOf(ruling, events) {
  const next = events.find((event) => event.version > ruling.version && isRuling(event));
  return next && next.version <= ruling.batch[1] ? next.version - 1 : ruling.batch[1];
}

function leads(totals) {
  return new Map(totals.map(({ seat, total }) => [seat, total - Math.max(...totals.filter((row) => row.seat !== seat).map((row) => row.total))]));
}

/** The rulings that changed somebody's lead, as a table. */
export function swingTable(page, history) {
  if (page.chronicle.first) {
    page.chronicle.whole().then(() => page.left || page.draw());
    return el("p", { class: "empty" }, t("plot.loading"));
  }
  const totals = new Map(history.map(({ version, rows }) => [version, rows]));
  const standing = page.chronicle.rows.filter((event) => !page.chronicle.undoing(event.version));
  const all = swingsOf(standing, (version) => totals.get(version) ?? []);
  const telling = all.filter(({ swings }) => [...swings.values()].some(Boolean));
  const suitOf = page.game.suits(page.live);
  const seats = page.live.seats.map((seat) => el("th", { scope: "col", title: seatName(seat) }, mark(suitOf(seat.seat)), ` ${seat.seat}`, el("span", { class: "unseen" }, ` ${seatName(seat)}`)));
  const rows = telling.map(({ event, swings }) => el("tr", {}, el("th", { scope: "row" }, el("a", { href: addressOf(page.id, event.version, page.seat) }, String(event.version)), " ", words(event.type)), ...page.live.seats.map((seat) => el("td", {}, signed(swings.get(seat.seat) ?? 0)))));
  const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("swings.ruling")), ...seats)), el("tbody", {}, ...rows));
  return el("section", { class: "swings", "aria-label": t("swings.title") }, el("h3", {}, t("swings.title")), el("p", { class: "hint" }, t("swings.meaning")), el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("swings.title") }, table), el("p", { class: "hint" }, t("swings.nothing", { n: all.length - telling.length })));
}

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));
