// What an analysis tells, as the review draws it. Nothing here asks anybody or draws.

import { rowsOf, winnersOf } from "../state/scores.js";

export const FIGURES = ["victory", "margin"];
export const SIGNS = { good: "", inaccuracy: "?!", mistake: "?", blunder: "??" }; // as chess players write them

const best = (values) => Math.max(...values);

/** What each seat had in the end, by the same figures; none where the game keeps no totals. */
export function endingOf(table) {
  const [rows, winners] = [rowsOf(table).filter(({ total }) => Number.isFinite(total)), winnersOf(table)];
  if (rows.length < 2) return [];
  return rows.map(({ seat, total }) => ({
    seat,
    margin: total - best(rows.filter((row) => row.seat !== seat).map((row) => row.total)),
    victory: winners.includes(seat) ? 1 / winners.length : 0,
  }));
}

/** One line per seat: its expected result after each decision, with its own decisions marked, and the actual result last. */
export function linesOf({ players, evaluations }, figure, { ending, version: last }) {
  return Array.from({ length: players }, (_, index) => {
    const path = evaluations.map(({ version, seat, verdict, evaluation: { after } }) => ({
      version,
      verdict: seat === index + 1 ? verdict : null,
      ...after[index][figure],
    }));
    const came = ending.find(({ seat }) => seat === index + 1);
    return {
      seat: index + 1,
      path,
      points: path.filter(({ verdict }) => verdict),
      end: came ? { version: last, mean: came[figure] } : null,
    };
  });
}

/** From the least to the greatest value of lines, with room for what is 0. */
export function rangeOf(lines) {
  const values = lines.flatMap(({ path, end }) => [...path, end].flatMap((point) => point?.mean ?? []));
  return [Math.min(0, ...values), Math.max(0, ...values)];
}

const TURNING_POINTS = 5; // that are named

/** The decisions after which some seat's share of the victory changed most, each with that seat, the greatest first. */
export function turningPoints({ evaluations }) {
  const greatest = (one, other) => Math.abs(other.swing) - Math.abs(one.swing) || other.swing - one.swing;
  const found = evaluations.map(
    ({ version, swings }) => swings.map((swing, index) => ({ version, seat: index + 1, swing })).sort(greatest)[0],
  );
  return found
    .filter(({ swing }) => swing !== 0)
    .sort(greatest)
    .slice(0, TURNING_POINTS);
}

/** The decisions of a seat at which another move was surely better, the worst first. */
export const mistakesOf = ({ evaluations }, seat) =>
  evaluations
    .filter((each) => each.seat === seat && each.verdict !== "good")
    .sort((one, other) => other.evaluation.loss.mean - one.evaluation.loss.mean || one.version - other.version);

/** The decision that led to a version. */
export const decisionAt = ({ evaluations }, version) => evaluations.find((each) => each.version === version);

/** The decisions before and behind one. */
export function besides({ evaluations }, version) {
  const place = evaluations.findIndex((each) => each.version === version);
  return [evaluations[place - 1] ?? null, evaluations[place + 1] ?? null];
}

/** The moves of a decision, the one made first; `best` is the one that was surely better. */
export function movesOf({ verdict, evaluation: { made, others } }) {
  const better = verdict === "good" ? null : others[0];
  return [
    { ...made, made: true, best: false },
    ...others.map((each) => ({ ...each, made: false, best: each === better })),
  ];
}

const NAMED = 5; // events at which chance changed most

/** The events at which chance changed most what a seat could expect, the greatest change first. */
export function mostOf({ strokes }, seat) {
  const changes = strokes.map(({ version, chance }) => ({ version, change: chance[seat - 1] }));
  const moved = changes.filter(({ change }) => change !== 0);
  return moved.sort((one, other) => Math.abs(other.change) - Math.abs(one.change)).slice(0, NAMED);
}
