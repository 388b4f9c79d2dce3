// The timeline without its drawing: what a key means, where marks stand, which places an event has changed.

import { isRuling } from "./log.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
const REPEATED = /\/heroes(\/|$)/; // a ground lists its heroes beside the cards, which are what is drawn
const LONGEST = 1000;

/** Where a key leads from a version: a version, "film", or undefined if it means nothing here. */
export function keyTarget(key, version, last, { onButton = false } = {}) {
  if (key in STEPS) return within(version + STEPS[key], last);
  if (key === "Home") return 1;
  if (key === "End") return last;
  return key === " " && !onButton ? "film" : undefined;
}

/** The version, or the nearest that there is. */
export const within = (version, last) => Math.min(Math.max(version, 1), last);

/** Where playing begins: here, or at the beginning if this is the end. */
export const filmStart = (version, last) => (version >= last ? 1 : version + 1);

/** A stroke for every ruling and lossy decision, a span for what was taken back, in thousandths of the timeline. */
export function marks(rows, last, verdicts = []) {
  const at = (version) => ((version - 1) / Math.max(1, last - 1)) * LONGEST;
  const undone = rows.filter(({ type }) => type === "PlayTakenBack");
  return {
    undone: undone.map(({ payload }) => ({ x: at(payload.first), width: at(payload.last) - at(payload.first) + 2.5 })),
    rulings: rows.filter(isRuling).map(({ type, version }) => ({ x: at(version) - 1, type })),
    verdicts: verdicts.map(({ version, verdict, height }) => ({ x: at(version) - 2, verdict, height })),
  };
}

/** The pointers of what a diff has changed, without what is drawn elsewhere. */
export const changedPaths = (changes) =>
  changes.flatMap((change) => change.patch.map(({ path }) => path)).filter((path) => !REPEATED.test(path));

/** The smallest of the drawn places that a change lies in, or else the first that lies in the change. */
export function nearestPlace(places, path) {
  const around = places.filter((place) => path === place || path.startsWith(`${place}/`));
  const smallest = [...around].sort((one, other) => other.length - one.length)[0];
  return smallest ?? places.find((place) => place.startsWith(`${path}/`));
}
