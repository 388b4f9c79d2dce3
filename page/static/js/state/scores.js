// The scores of a table. Each game has its own form of them; what is told everywhere are the winners, and where a game
// has rows, a row a seat with its rank and total.

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
