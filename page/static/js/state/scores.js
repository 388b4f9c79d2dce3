// The scores of a table, what each total is made of, and what each ruling was worth. Each game has its own form of scores;
// every game has winners, and a game that has rows has one for each seat, with its rank and total.

import { isRuling } from "./log.js";

/** The rows, the seats' order; none where a game tells its scores otherwise. */
export const rowsOf = ({ scores }) => (Array.isArray(scores?.scores) ? scores.scores : []);

/** The seats that have won, or would. */
export const winnersOf = ({ scores }) => scores?.winners ?? [];

/** The rows, the best first; where there are none, the winners alone. */
export function ranked(table) {
  const rows = rowsOf(table);
  if (!rows.length) return winnersOf(table).map((seat) => ({ seat, rank: 1 }));
  return [...rows].sort((one, other) => one.rank - other.rank);
}

const BREAKS_TIES = /^tiebreak_/;
const REPEATS = { own_total: "total", off_herd: "markers" }; // where they are the same, the other tells it

/** The figures worth a line of a sheet: those that are something and that no other tells; what breaks ties if there are any. */
export function worthTelling(figures, rows) {
  const tied = new Set(rows.map(({ total }) => total)).size < rows.length;
  const something = (name) => rows.some((row) => row[name]);
  const ofItsOwn = (name) => rows.some((row) => row[name] !== row[REPEATS[name]]);
  return figures.filter((name) => something(name) && ofItsOwn(name) && (tied || !BREAKS_TIES.test(name)));
}

// How a total came about, by game: the figures of a row of the scores that are added up, and those that they are made
// of. Games that are not listed add up nothing that could be told.

const bigManitou = (row) => [
  { name: "pairs", value: row.pairs, least: ["tipi_points", "bison_points"] },
  { name: "totem_cylinder", value: row.totem_cylinder },
  { name: "horse_cylinder", value: row.horse_cylinder },
  { name: "tomahawk_majority", value: row.tomahawk_majority },
];

const manitou = (row) => ["buffalo", "prisoners", "penalties"].map((name) => ({ name, value: row[name] }));

const tomahawk = (row) => ["territories", "scalps", "bonus"].map((name) => ({ name, value: row[name] }));

const plentyCoups = (row) => [
  { name: "markers", value: row.markers },
  { name: "extra", value: row.extra },
  { name: "horseless_penalty", value: -row.horseless_penalty },
  { name: "herd_points", value: row.herd_points },
  { name: "ally_total", value: row.combined ? row.total - row.own_total : 0 },
];

const PARTS = { "big-manitou": bigManitou, manitou, tomahawk, "plenty-coups": plentyCoups };

/** The parts that a total is the sum of: `{name, value, least}`; `least` names the figures of which the smaller counts. */
export const partsOf = (game, row) => PARTS[game]?.(row) ?? [];

// What each ruling was worth to each seat. A seat's lead is its total less the best total of the others; its swing by a
// ruling is how much its lead changed from just before the ruling to just before the next one, or to the end of all that
// followed from the same move.

/** `{event, swings}` for every ruling that stands; `totalsAt(version)` gives seats with their totals. */
function swingsOf(events, totalsAt) {
  return events.filter(isRuling).map((event) => {
    const end = lastOf(event, events);
    const [before, after] = [leads(totalsAt(event.version - 1)), leads(totalsAt(end))];
    return { event, swings: new Map([...after].map(([seat, lead]) => [seat, lead - (before.get(seat) ?? 0)])) };
  });
}

const MOST = 3;

/** The rulings that changed a lead most, each with the seat that gained by it: the greatest first. */
export function largestSwings(events, totalsAt) {
  const gains = swingsOf(events, totalsAt).map(({ event, swings }) => {
    const [seat, swing] = [...swings].sort(([, one], [, other]) => other - one)[0] ?? [null, 0];
    return { event, seat, swing };
  });
  const telling = gains.filter(({ swing }) => swing > 0);
  return telling
    .sort((one, other) => other.swing - one.swing || one.event.version - other.event.version)
    .slice(0, MOST);
}

/** The last event that counts for a ruling. */
function lastOf(ruling, events) {
  const next = events.find((event) => event.version > ruling.version && isRuling(event));
  return next && next.version <= ruling.batch[1] ? next.version - 1 : ruling.batch[1];
}

function leads(totals) {
  return new Map(
    totals.map(({ seat, total }) => [
      seat,
      total - Math.max(...totals.filter((row) => row.seat !== seat).map((row) => row.total)),
    ]),
  );
}
