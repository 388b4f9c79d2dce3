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
