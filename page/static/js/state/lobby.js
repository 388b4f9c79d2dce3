// The lists of the lobby: which there are, what is asked for, and how their rows are put in order.

export const FIRST = 8; // rows of a list at first
export const MORE = 24; // and so many more each time
export const LISTS = ["open", "running", "finished"];
export const PERIODS = ["today", "week", "month", "older"];

const DAYS = { today: 0, week: 7, month: 30, older: 30 };

const midnight = (now, days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();

/** When tables were opened, as the API asks for it. */
export function spanOf(period, now = new Date()) {
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
  const own = [
    ["turn", { mine: "turn", status, ...shared }],
    ["mine", { mine: "true", status, ...shared }],
  ];
  return Object.fromEntries(known ? [...own, ...everybodys] : everybodys);
}

/** Whether a table is among somebody's own. */
export const concerns = (row, player) =>
  player !== undefined &&
  (row.opened_by === player ||
    row.arbiter === player ||
    row.seats.some((seat) => seat.player === player || seat.kept_for === player));

const OVER = { open: 0, running: 0, finished: 1 };

/** My tables: those where it is my turn, then those that go on, then the others, as they were asked for. */
export function ownRows(turn, mine) {
  const waiting = new Set(turn.map((row) => row.id));
  const others = mine.filter((row) => !waiting.has(row.id));
  return [...turn, ...others.sort((one, other) => OVER[one.status] - OVER[other.status])];
}

/** How many tables a list has, in words: filters that the API does not count leave what was read, and whether there is more. */
export function countOf({ rows, total, next }, { game, player, status, open_to }, name) {
  const counted = !game && !player && !open_to && !(name === "mine" && status);
  return counted ? String(total) : `${rows.length}${next ? "+" : ""}`;
}
