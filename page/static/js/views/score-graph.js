// The total of every seat over the game, as a line each; and the axes of every graph over the events of a table.

import { el, item, svg } from "../dom.js";
import { mark, markAt } from "../glyphs.js";
import { pair, t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { versionOf } from "../state/table.js";

export const WIDTH = 640;
export const HEIGHT = 300;
export const EDGE = { left: 64, right: 40, top: 30, bottom: 40 };
const STEPS = [0.25, 1, 2, 5, 10, 20, 50, 100];
const MOST_LINES = 6;
const TOP = 12; // nothing is written above the lines of the totals

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

export function plot(page) {
  const { plot: known, live } = page.state;
  if (known.read < live.version && !known.failed) queueMicrotask(page.act.readFigures);
  if (known.failed) return el("p", { class: "empty" }, t("offline"));
  if (!known.history) return el("p", { class: "empty" }, t("plot.loading"));
  const rows = known.history.at(-1)?.rows ?? [];
  if (!rows.length) return el("p", { class: "empty" }, t("plot.empty"));
  return [chart(page), legend(page, rows)];
}

function chart({ state, game }) {
  const { history } = state.plot;
  const suits = game.suits(state.live);
  const values = history.flatMap(({ rows }) => rows.map((row) => row.total ?? 0));
  const low = Math.min(0, ...values);
  const range = { low, high: Math.max(low + 4, ...values), last: state.live.version };
  const { x, y } = scales(range, TOP);
  const lines = state.live.seats.map((seat) => line(state.plot, seat.seat, suits(seat.seat), x, y));
  const version = versionOf(state);
  const now = svg("line", {
    class: "plot-now",
    x1: x(version),
    x2: x(version),
    y1: TOP,
    y2: HEIGHT - EDGE.bottom,
  });
  const label = t("plot.label");
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": label },
    axes(range, String, { x, y }),
    now,
    ...lines,
  );
}

function line({ history }, seat, suit, x, y) {
  const points = history.flatMap(({ version, rows }) => {
    const row = rows.find((each) => each.seat === seat);
    return row ? [[x(version), y(row.total ?? 0)]] : [];
  });
  if (!points.length) return null;
  const path = points
    .map(([px, py], index) => (index ? `H${px.toFixed(1)}V${py.toFixed(1)}` : `M${px.toFixed(1)} ${py.toFixed(1)}`))
    .join("");
  const [endX, endY] = points.at(-1);
  return svg(
    "g",
    { class: `suit-${suit}` },
    svg("path", { class: `plot-line dash-${seat}`, d: path }),
    markAt(suit, endX - 7, endY - 7, 14),
  );
}

function legend({ state, game }, rows) {
  const suits = game.suits(state.live);
  const items = rows.map((row) => item(mark(suits(row.seat)), pair(nameAt(state.live, row.seat), row.total ?? "–")));
  return el("ul", { class: "legend" }, ...items);
}
