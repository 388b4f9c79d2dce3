// What could not be read for a reason that passes is asked for again.

export const AGAIN_MS = 2000;
export const PASSING = new Set(["too_busy", "store_loading", "store_unavailable"]);
