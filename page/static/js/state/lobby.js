// The lists of the lobby: which there are, what is asked for, and how their rows are put in order.

export const FIRST = 8; // rows of a list at first
export const MORE = 24; // and so many more each time
export const LISTS = ["open", "running", "finished"];
const GOING = ["running", "open"];
export const PERIODS = ["today", "week", "month", "older"];

const DAYS = { today: 0, week: 7, month: 30, older: 30 };

const midnight = (now, days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();

/** When tables were opened, as the API asks for it. */
function spanOf(period, now = new Date()) {
  if (!(period in DAYS)) return {};
  return { [period === "older" ? "until" : "since"]: midnight(now, DAYS[period]) };
}

/** The filters that an address names; what it does not know is left out. */
export function filtersOf(query) {
  const asked = new URLSearchParams(query);
  const one = (name, known) => (known.includes(asked.get(name)) ? { [name]: asked.get(name) } : {});
  const text = (name) => (asked.get(name)?.trim() ? { [name]: asked.get(name).trim() } : {});
  return {
    ...text("game"),
    ...one("status", LISTS),
    ...text("player"),
    ...one("when", PERIODS),
    ...one("open_to", ["me"]),
  };
}

/** What the API is asked for by these filters. */
const wanted = ({ game, player, when }, now) => ({ game, player, ...spanOf(when, now) });

/** What each list asks for, by its name; `known` is whether somebody is signed in. */
export function queries(filters, known, now) {
  const shared = wanted(filters, now);
  const wish = filters.open_to && known ? "open" : filters.status; // only a table that is open is open to anybody
  const shown = LISTS.filter((status) => !wish || status === wish);
  const open_to = known ? filters.open_to : undefined;
  const everybodys = shown.map((status) => [status, { status, ...shared, open_to }]);
  const { status } = filters;
  const own = status === "finished" ? [] : [["turn", { mine: "turn", status, ...shared }]];
  for (const going of GOING)
    if (!status || status === going) own.push([`mine-${going}`, { mine: "true", status: going, ...shared }]);
  return Object.fromEntries(known ? [...own, ...everybodys] : everybodys);
}

/** Whether a table is among somebody's own. */
export const concerns = (row, player) =>
  player !== undefined &&
  (row.opened_by === player ||
    row.arbiter === player ||
    row.seats.some((seat) => seat.player === player || seat.kept_for === player));

/** My tables that are not over: those where it is my turn, then those that run, then those that wait for players. */
export function ownList(lists) {
  const turn = lists.turn?.rows ?? [];
  const waiting = new Set(turn.map((row) => row.id));
  const going = GOING.flatMap((status) => lists[`mine-${status}`] ?? []);
  const others = going.flatMap(({ rows }) => rows).filter((row) => !waiting.has(row.id));
  return { rows: [...turn, ...others], next: going.some(({ next }) => next) };
}

/** How many tables a list has, in words: what the API does not count leaves what was read, and whether there is more. */
export function countOf({ rows, total, next }, { game, player, open_to }) {
  const counted = total !== undefined && !game && !player && !open_to;
  return counted ? String(total) : `${rows.length}${next ? "+" : ""}`;
}
