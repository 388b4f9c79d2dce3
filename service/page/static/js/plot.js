// A figure of every seat over the events, as a line each. What changed comes in pages.

import { api } from "./api.js";
import { el, svg } from "./dom.js";
import { capital, t, pair } from "./i18n.js";
import { markAt } from "./marks.js";
import { seatName } from "./names.js";
import { applyPatch } from "./patch.js";
import { figuresOf } from "./scores.js";
import { swingTable } from "./swings.js";

const WIDTH = 640;
const HEIGHT = 300;
const EDGE = { left: 34, right: 18, top: 12, bottom: 26 };

export class Plot {
  constructor(page) {
    Object.assign(this, { page, figure: "total", history: null, read: 0 });
  }

  draw() {
    if (this.read < this.page.live.version) this.#load();
    if (!this.history) return el("p", { class: "empty" }, t("plot.loading"));
    const rows = this.history.at(-1)?.rows ?? [];
    if (!rows.length) return el("p", { class: "empty" }, t("plot.empty"));
    return [this.#choice(["total", ...figuresOf(rows)]), this.#chart(), this.#legend(rows), this.page.over && swingTable(this.page, this.history)];
  }

  /** Score rows by version, worked out from the changes; what is known is kept. */
  async #load() {
    const { page } = this;
    const last = page.live.version;
    const first = Math.max(1, this.read);
    this.read = last;
    this.document ??= await api.get(`/v1/tables/${page.id}?at=1`);
    const found = this.history ?? [];
    for await (const { version, patch } of changesBetween(page.id, first, last)) {
      applyPatch(this.document, patch);
      found.push({ version, rows: structuredClone(this.document.scores?.scores ?? []) });
    }
    this.history = found;
    if (!page.left) page.draw();
  }

  #choice(figures) {
    const options = figures.map((name) => el("option", { value: name, selected: name === this.figure }, capital(t(`score.${name}`))));
    const choose = (event) => {
      this.figure = event.target.value;
      this.page.draw();
    };
    return el("label", { class: "figure-choice" }, el("span", {}, t("plot.figure")), el("select", { on: { change: choose }, data: { key: "figure" } }, ...options));
  }

  #chart() {
    const { page, history, figure } = this;
    const suits = page.game.suits(page.live);
    const values = history.flatMap(({ rows }) => rows.map((row) => row[figure] ?? 0));
    const low = Math.min(0, ...values);
    const high = Math.max(low + 4, ...values);
    const x = (version) => EDGE.left + ((version - 1) / Math.max(1, page.live.version - 1)) * (WIDTH - EDGE.left - EDGE.right);
    const y = (value) => HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
    const lines = page.live.seats.map((seat) => this.#line(seat.seat, suits(seat.seat), x, y));
    const now = svg("line", { class: "plot-now", x1: x(page.version), x2: x(page.version), y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    const label = t("plot.label", { figure: t(`score.${figure}`) });
    return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": label }, ...axes(low, high, page.live.version, x, y), now, ...lines);
  }

  #line(seat, suit, x, y) {
    const points = this.history.flatMap(({ version, rows }) => {
      const row = rows.find((each) => each.seat === seat);
      return row ? [[x(version), y(row[this.figure] ?? 0)]] : [];
    });
    if (!points.length) return null;
    const path = points.map(([px, py], index) => (index ? `H${px.toFixed(1)}V${py.toFixed(1)}` : `M${px.toFixed(1)} ${py.toFixed(1)}`)).join("");
    const [endX, endY] = points.at(-1);
    return svg("g", { class: `suit-${suit}` }, svg("path", { class: `plot-line dash-${seat}`, d: path }), markAt(suit, endX - 7, endY - 7, 14));
  }

  #legend(rows) {
    const { page } = this;
    const suits = page.game.suits(page.live);
    const items = rows.map((row) => el("li", {}, svg("svg", { viewBox: "-1 -1 26 26", class: "mark", "aria-hidden": "true" }, markAt(suits(row.seat), 0, 0, 24)), pair(seatName(page.live.seats[row.seat - 1]), row[this.figure] ?? "–")));
    return el("ul", { class: "legend" }, ...items);
  }
}

/** Each event's change, page after page. */
async function* changesBetween(table, first, last) {
  let from = first < last ? first : null;
  while (from !== null) {
    const page = await api.get(`/v1/tables/${table}/diff?from=${from}&to=${last}`);
    yield* page.changes;
    from = page.next;
  }
}

function axes(low, high, last, x, y) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (high - low) / each <= 6) ?? 200;
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    ticks.push(svg("line", { class: "plot-grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }), svg("text", { class: "plot-text", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  const ends = [1, Math.round(last / 2), last].map((version) => svg("text", { class: "plot-text", x: x(version), y: HEIGHT - 8, "text-anchor": "middle" }, String(version)));
  return [...ticks, ...ends];
}
