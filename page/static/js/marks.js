// Every seat and tribe has a mark of its own shape beside its colour: no colour has to be told from another.

import { svg } from "./dom.js";

const SHAPES = {
  disc: "M12 3a9 9 0 1 1-.1 18A9 9 0 0 1 12 3z",
  triangle: "M12 2l10 19H2z",
  square: "M4 4h16v16H4z",
  diamond: "M12 1l11 11-11 11L1 12z",
  star: "M12 1l3 8 8 .5-6.500 5 2.500 8.500-7-5-7 5L7.500 14.500 1 9.500 9 9z",
  bars: "M3 3h5v18H3zM10 3h4v18h-4zM16 3h5v18h-5z",
};

const SHAPE_OF = {
  1: "disc",
  2: "triangle",
  3: "square",
  4: "diamond",
  5: "star",
  6: "bars",
  red: "triangle",
  blue: "disc",
  green: "square",
  yellow: "star",
  black: "diamond",
  white: "bars",
  tepee: "triangle",
  totem: "disc",
};

/** The path of a suit's mark, in a square of `size` whose corner is at x, y. */
export function markAt(suit, x, y, size) {
  const path = svg("path", { d: SHAPES[SHAPE_OF[suit]], class: "mark-shape" });
  return svg("g", { transform: `translate(${x} ${y}) scale(${size / 24})`, class: `suit-${suit}` }, path);
}

/** The mark beside a name. */
export const mark = (suit) =>
  svg("svg", { viewBox: "-1 -1 26 26", class: "mark", "aria-hidden": "true" }, markAt(suit, 0, 0, 24));
