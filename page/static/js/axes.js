// Where things lie in a graph over the events of a table, and its lines and numbers.

import { svg } from "./dom.js";

export const WIDTH = 640;
export const HEIGHT = 300;
export const EDGE = { left: 64, right: 40, top: 30, bottom: 40 };
const STEPS = [0.25, 1, 2, 5, 10, 20, 50, 100];
const MOST_LINES = 6;

/** Places of versions up to `last`, and of values from `low` to `high`, the highest `top` below the edge. */
export const scales = ({ low, high, last }, top = EDGE.top) => ({
  x: (version) => EDGE.left + ((version - 1) / Math.max(1, last - 1)) * (WIDTH - EDGE.left - EDGE.right),
  y: (value) => HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - top - EDGE.bottom),
});

/** A line for each round value, which `words` says, and the numbers of three events. */
export function axes({ low, high, last }, words, { x, y } = scales({ low, high, last })) {
  const step = STEPS.find((each) => (high - low) / each <= MOST_LINES) ?? 200;
  const lines = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    lines.push(
      svg("line", { class: "plot-grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }),
      svg("text", { class: "plot-text", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, words(value)),
    );
  }
  const ends = [1, Math.round(last / 2), last].map((version) =>
    svg("text", { class: "plot-text", x: x(version), y: HEIGHT - 8, "text-anchor": "middle" }, String(version)),
  );
  return svg("g", { "aria-hidden": "true" }, ...lines, ...ends);
}
