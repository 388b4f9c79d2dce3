// All that has happened at a table, as far as it was read: the newest events first of all, the others when asked for.

/** Nothing read yet: `first` and `last` are the versions behind which, and up to which, the rows are known. */
export const EMPTY = { rows: [], first: null, last: 0 };

/** The log with more rows behind its last one; what is known already counts once. */
export function grown(log, rows, first = log.first) {
  const news = rows.filter((row) => row.version > log.last);
  if (!news.length) return { ...log, first };
  return { first, last: news.at(-1).version, rows: [...log.rows, ...news] };
}

/** The log with its beginning. */
export function begun(log, rows) {
  const known = log.first ?? 0;
  return { ...log, first: 0, rows: [...rows.filter((row) => row.version <= known), ...log.rows] };
}

export const eventAt = (log, version) => log.rows.find((event) => event.version === version);

/** The event that took this one back, if one did. */
export function undoing(log, version) {
  const holds = ({ payload }) => payload.first <= version && version <= payload.last;
  return log.rows.find((event) => event.type === "PlayTakenBack" && holds(event));
}

/** Whether play stands where somebody has taken it back to. */
export const wentBack = ({ rows }) =>
  rows.findLast(({ by, type }) => by.seat || type === "PlayTakenBack")?.type === "PlayTakenBack";

/** Whether an event decides something by rules that it names. */
export const isRuling = (event) => Array.isArray(event?.payload?.rules);

/** Whether the seat has done something that it could take back. */
export const hasMoved = (log, seat) => log.rows.some((event) => event.by.seat === seat);

/** The first ruling that a resolved dispute changed; undefined if its move is no longer there. */
export function changed(log, { version, resolved }) {
  const { at } = eventAt(log, resolved) ?? {};
  const { first, last } = undoing(log, version)?.payload ?? {};
  const before = new Set(log.rows.filter((row) => first <= row.version && row.version <= last).map((row) => row.words));
  const after = log.rows.filter((row) => row.version > resolved && row.at === at && isRuling(row));
  return after.find(({ words }) => !before.has(words)) ?? after[0];
}

/** The log in turns: what one seat did, with all that followed from it; `seat` is null for what nobody's move caused. */
export function groupsOf(rows) {
  const groups = [];
  for (const row of rows) {
    const seat = row.by?.seat ?? null;
    const last = groups.at(-1);
    if (last && last.seat === seat) last.rows.push(row);
    else groups.push({ key: row.version, seat, rows: [row] });
  }
  return groups;
}

const QUIET = /(Drawn|Shuffled|Reshuffled|Refilled|Assigned|Dealt|Revealed|Closed)$/;
const TOLD = new Set(["CardsRevealed", "TerritoryRevealed", "MostWantedRevealed"]);
const OF_SEATS = /^Seat(Taken|Left|HandedOver|Resigned)$/;

/** Draws, shuffles and the like: nothing that anybody chose, and little to see. */
export const isQuiet = ({ type }) => QUIET.test(type) && !TOLD.has(type);

/** Whether the event is about a place at the table rather than about who sits there. */
export const isAboutSeats = ({ type }) => OF_SEATS.test(type);
