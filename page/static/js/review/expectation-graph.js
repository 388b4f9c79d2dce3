// What each seat could expect at the true table, over the events: a line a seat, its own decisions as points, those with
// a loss marked. The decisions stand in a list below.

import { el, item, pressing, svg, titled } from "../dom.js";
import { t } from "../i18n.js";
import { markAt } from "../glyphs.js";
import { nameAt } from "../piece-names.js";
import { axes, HEIGHT, scales, WIDTH } from "../views/score-graph.js";
import { endingOf, FIGURES, linesOf, rangeOf, SIGNS } from "./figures.js";
import { marked, meanWords, valueWords } from "./parts.js";

const STEP_OF = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The graph with the choice of its figure, its legend and its table. */
export function graph(page) {
  const lines = linesOf(page.analysis, page.figure, { ending: endingOf(page.table), version: page.table.version });
  return titled(
    "review-graph",
    t("review.expected"),
    figures(page),
    chart(page, lines),
    legend(page, lines),
    el("p", { class: "hint" }, t("review.graph_means")),
  );
}

function figures(page) {
  const press = (figure) => {
    page.figure = figure;
    page.draw();
  };
  const how = { key: "figure", wordsOf: (name) => t(`review.figure.${name}`), chosen: page.figure, press };
  return pressing(t("plot.figure"), "review-figures", FIGURES, how);
}

function chart(page, lines) {
  const [low, most] = rangeOf(lines);
  const high = Math.max(most, low + (page.figure === "victory" ? 1 : 4));
  const range = { low, high, last: page.table.version };
  const { x, y } = scales(range);
  const all = lines.flatMap(({ seat, points }) => points.map((point) => ({ ...point, seat })));
  const points = all.sort((one, other) => one.version - other.version).map((point) => pointLink(page, point, { x, y }));
  const tabbed = points.find(({ props }) => props["aria-current"]) ?? points[0];
  if (tabbed) tabbed.props.tabindex = "0";
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "plot",
      role: "group",
      "aria-label": t("review.graph_label", { figure: t(`review.figure.${page.figure}`) }),
      on: { keydown: (event) => among(points, event) },
    },
    axes(range, (value) => valueWords(page.figure, value)),
    ...lines.map((line) => lineOf(page, line, { x, y })),
    ...points,
  );
}

/** Arrow keys go from one point to the next: the graph is one stop for the Tab key. */
function among(points, event) {
  const step = STEP_OF[event.key];
  const at = points.findIndex(({ node }) => node === event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  points[Math.max(0, Math.min(points.length - 1, at + step))].node.focus();
}

function lineOf({ game, table }, { seat, path, end }, { x, y }) {
  const all = [...path, ...(end ? [end] : [])].map(
    ({ version, mean }) => `${x(version).toFixed(1)},${y(mean).toFixed(1)}`,
  );
  const suit = game.suits(table)(seat);
  return svg(
    "g",
    { class: `suit-${suit}`, "aria-hidden": "true" },
    svg("polyline", { class: `plot-line dash-${seat}`, points: all.join(" ") }),
    end && markAt(suit, x(end.version) - 7, y(end.mean) - 7, 14),
  );
}

function pointLink(page, { version, seat, verdict, ...value }, { x, y }) {
  const [px, py] = [x(version), y(value.mean)];
  const name = nameAt(page.table, seat);
  const told = [t("review.decision", { name, version }), meanWords(page.figure, value), t(`review.verdict.${verdict}`)];
  const current = page.choice.at === version;
  return svg(
    "a",
    {
      href: page.address({ at: version, learn: null }),
      class: `review-point suit-${page.game.suits(page.table)(seat)} verdict-${verdict}`,
      tabindex: "-1",
      "aria-label": told.join(", "),
      "aria-current": current ? "true" : null,
      data: { key: `point-${version}` },
    },
    svg("title", {}, told.join(", ")),
    svg("circle", { class: "review-hit", cx: px, cy: py, r: 12 }),
    svg("circle", { class: "review-dot", cx: px, cy: py, r: current ? 7 : 4 }),
    SIGNS[verdict] && svg("text", { class: "review-sign", x: px, y: py - 9, "text-anchor": "middle" }, SIGNS[verdict]),
  );
}

function legend(page, lines) {
  return el("ul", { class: "legend" }, ...lines.map(({ seat }) => item(...marked(page, seat))));
}
