// Clocks: of each seat in its line, and what the others may do when somebody's time is over.

import { actions, button, el } from "../dom.js";
import { t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { leftMs, LOW_MS, serverNow, timeText, usedMs } from "../clocks.js";

const EVERY_MS = 250; // the seconds of all clocks change together, and not late

/** A table's clock in plain words. */
export function clockWords(clock) {
  if (!clock) return t("clock.none");
  if (clock.kind === "days") return t("clock.days", { n: clock.days });
  const time = timeText((clock.decision_s ?? clock.initial_s) * 1000, t("clock.d"));
  return t(`clock.${clock.kind}`, { time, more: clock.increment_s });
}

/** The clock of a seat as the table stands; `tick` goes on from there. */
export function seatClock(table, seat) {
  if (!table.clock || !seat.clock) return null;
  const ref = (node) => node && show(node, seat.clock, Date.parse(table.at));
  return el("span", { class: "seat-clock", role: "timer", data: { clock: seat.seat }, ref });
}

function show(node, clock, atMs) {
  const left = leftMs(clock, atMs);
  node.textContent = left === null ? "" : timeText(left, t("clock.d"));
  node.classList.toggle("low", clock.deadline !== null && left <= LOW_MS);
  node.title = t("clock.used", { time: timeText(usedMs(clock, atMs), t("clock.d")) });
}

/** Lets the clocks in `frame` show the time of now until what this returns is called; `live` gives the table, or null. */
export function ticking(frame, live) {
  const timer = setInterval(() => tick(frame, live()), EVERY_MS);
  return () => clearInterval(timer);
}

/** Shows the time of now once. */
export function tick(frame, table) {
  if (!table) return;
  for (const node of frame.querySelectorAll(".box-seats .seat-clock")) {
    const { clock } = table.seats[node.dataset.clock - 1];
    if (clock) show(node, clock, clock.running_since ? serverNow() : Date.parse(table.at));
  }
}

/** Above the table: whose time is over. The others wait, or an AI player goes on. */
export const timeNotices = (page) =>
  page.state.live.decisions.filter(({ expired }) => expired).map(({ seat }) => timeNotice(page, seat));

function timeNotice({ state: { live }, act }, seat) {
  const own = seat === live.seat;
  const settle = (what, key, body) =>
    button(t(key), () => act.seatDo("post", `${seat}/${what}`, body), { data: { key: `${what}-${seat}` } });
  const ways = [settle("wait", "clock.wait", {}), settle("handover", "clock.handover", { level: "greedy" })];
  return el(
    "section",
    { class: "notice-row", "aria-label": t("clock") },
    el("p", {}, own ? t("clock.over_own") : t("clock.over", { name: nameAt(live, seat) })),
    live.seat && !own ? actions(...ways) : null,
  );
}
