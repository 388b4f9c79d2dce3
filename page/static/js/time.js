// The service's clock: deadlines are told by it, and the clock of this machine may differ.

const STEP_MS = 1000; // a `Date` tells no less
let ahead = 0;

/** Learns from an answer how far the service's clock is ahead of this one. */
export function keepTime(answer) {
  const off = Date.parse(answer.headers.get("Date")) + STEP_MS / 2 - Date.now();
  if (Math.abs(off - ahead) > STEP_MS) ahead = off;
}

/** The time by the service's clock, to a second. */
export const serverNow = () => Date.now() + ahead;
