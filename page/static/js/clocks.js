// The time by the service's clock, which deadlines go by, and what a seat's clock shows at that time. The clock of this
// machine may differ.

const SECOND_MS = 1000; // a `Date` tells no less
const DAY_S = 86_400;
export const LOW_MS = 20_000; // from here on a clock is marked
let ahead = 0;

/** Learns from an answer how far the service's clock is ahead of this one. */
export function keepTime(answer) {
  const off = Date.parse(answer.headers.get("Date")) + SECOND_MS / 2 - Date.now();
  if (Math.abs(off - ahead) > SECOND_MS) ahead = off;
}

/** The time by the service's clock, to a second. */
export const serverNow = () => Date.now() + ahead;

/** The milliseconds that are left at a moment; null where nothing runs and there is no bank. */
export function leftMs({ deadline, bank_ms: bank }, atMs) {
  return deadline ? Math.max(0, Date.parse(deadline) - atMs) : bank;
}

/** The milliseconds that were used up to a moment. */
export const usedMs = ({ used_ms: used, running_since: since }, atMs) =>
  since ? used + Math.max(0, atMs - Date.parse(since)) : used;

/** A length of time as a clock shows it: 4:05, 1:02:03, or from a day on 2 d 04:05. A second counts until it is over. */
export function timeText(ms, days = "d") {
  const all = Math.ceil(ms / SECOND_MS);
  const long = new Date(all * SECOND_MS).toISOString().slice(11, 19);
  if (all >= DAY_S) return `${Math.floor(all / DAY_S)}\u00a0${days} ${long.slice(0, 5)}`;
  return long.replace(/^(00:0?|0)/, "");
}
