// A whole move picked at once, as if by hand: what a lesson proposes.

import { choose, clear, formInUse, pick } from "./composer.js";

const items = (value) => (Array.isArray(value) ? value : [value]);

/** The parts of a move in the order of its fields: `[field, value]`; of a placement each card, and then its pile. */
export function partsOf({ type: _, ...parts }) {
  return Object.entries(parts).flatMap(([field, value]) => items(value).flatMap((item) => partOf(field, item)));
}

const partOf = (field, item) =>
  field === "cards" && item.pile
    ? [
        ["card", item.card],
        ["pile", item.pile],
      ]
    : [[field, item]];

/** The composition with this move picked, whatever was picked before. */
export function filled(composition, move) {
  const chosen = choose(clear(composition), move.type);
  if (!formInUse(chosen)) return composition;
  return partsOf(move).reduce((now, [field, value]) => pick(now, [field], value), chosen);
}
