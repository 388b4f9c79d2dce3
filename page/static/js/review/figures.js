// What an analysis tells, as the review draws it. Nothing here asks anybody or draws.

import { rowsOf, winnersOf } from "../state/scores.js";

export const FIGURES = ["victory", "margin", "points"];
export const SIGNS = { good: "", inaccuracy: "?!", mistake: "?", blunder: "??" }; // as chess players write them

const best = (values) => Math.max(...values);

/** What each seat had in the end, by the same figures; none where the game keeps no totals. */
export function endingOf(table) {
  const [rows, winners] = [rowsOf(table).filter(({ total }) => Number.isFinite(total)), winnersOf(table)];
  if (rows.length < 2) return [];
  return rows.map(({ seat, total }) => ({
    seat,
    points: total,
    margin: total - best(rows.filter((row) => row.seat !== seat).map((row) => row.total)),
    victory: winners.includes(seat) ? 1 / winners.length : 0,
  }));
}

/** A line a seat: what it could expect of the move that it made, at each of its decisions; in the end what came of it. */
export function linesOf({ players, evaluations }, figure, { ending, version: last }) {
  return Array.from({ length: players }, (_, index) => {
    const own = evaluations.filter(({ seat }) => seat === index + 1);
    const points = own.map(({ version, verdict, evaluation: { made } }) => ({ version, verdict, ...made[figure] }));
    const came = ending.find(({ seat }) => seat === index + 1);
    return { seat: index + 1, points, end: came ? { version: last, mean: came[figure] } : null };
  });
}

/** From the least to the greatest value of lines, with room for what is 0. */
export function rangeOf(lines) {
  const values = lines.flatMap(({ points, end }) => [...points, end].flatMap((point) => point?.mean ?? []));
  return [Math.min(0, ...values), Math.max(0, ...values)];
}

/** Of the decisions of a seat that were looked at, those at which no other move was surely better; null of none. */
export function accuracyOf({ evaluated, inaccuracies, mistakes, blunders }) {
  const good = evaluated - inaccuracies - mistakes - blunders;
  return evaluated ? { good, of: evaluated, share: good / evaluated } : null;
}

/** The decisions of a seat at which another move was surely better, the worst first. */
export const mistakesOf = ({ evaluations }, seat) =>
  evaluations
    .filter((each) => each.seat === seat && each.verdict !== "good")
    .sort((one, other) => other.evaluation.loss - one.evaluation.loss || one.version - other.version);

/** The decision that led to a version. */
export const decisionAt = ({ evaluations }, version) => evaluations.find((each) => each.version === version);

/** The decisions before and behind one. */
export function besides({ evaluations }, version) {
  const place = evaluations.findIndex((each) => each.version === version);
  return [evaluations[place - 1] ?? null, evaluations[place + 1] ?? null];
}

/** The moves of a decision, the one made first; `best` is the one that the loss is measured by, if there is a loss. */
export function movesOf({ evaluation: { made, others, loss } }) {
  const better = others.find(({ behind }) => loss > 0 && behind.mean === loss);
  return [
    { ...made, made: true, best: false },
    ...others.map((each) => ({ ...each, made: false, best: each === better })),
  ];
}
