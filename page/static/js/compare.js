// Two branches of one game side by side, in step from the moment that they have in common.

import { api } from "./api.js";
import { Branch } from "./branch.js";
import { board } from "./board.js";
import { announce, button, el, redraw, svg, unlabelled } from "./dom.js";
import { gameModule } from "./views/games/index.js";
import { pair, t } from "./i18n.js";
import { mark } from "./marks.js";
import { rowsOf } from "./state/scores.js";
import { seatName } from "./names.js";
import { problemWords } from "./problems.js";
import { addressOf, comparisonOf, replace } from "./router.js";
import { lightUp, logLine, logLineText } from "./views/log-line.js";
import { reading } from "./words.js";

/** Shows the comparison in `main` until `leave` is called on what this returns. */
export function showComparison(main, where) {
  const page = new ComparisonPage(main, where);
  page.enter();
  return page;
}

class ComparisonPage {
  constructor(main, where) {
    Object.assign(this, {
      tables: where.tables,
      number: where.number,
      inStep: true,
      numbers: [0, 0],
      shown: [null, null],
    });
    this.documents = new Map();
    this.main = main;
  }

  async enter() {
    try {
      const [one, other] = this.tables;
      this.found = await api.get(`/v1/tables/${one}/comparison?with=${other}`);
      this.branches = await Promise.all(this.tables.map((table) => Branch.read(table, this.found.common)));
      const { game } = await api.get(`/v1/tables/${one}`);
      this.game = await gameModule(game);
    } catch (problem) {
      const back = el("a", { href: addressOf(this.tables[0]) }, t("compare.back"));
      const told = [el("h1", {}, t("compare.cannot")), el("p", { role: "alert" }, problemWords(problem)), back];
      return redraw(this.main, el("div", { class: "comparison" }, told));
    }
    return this.go(0, this.number ?? this.found.first_difference?.number ?? 0);
  }

  shows(where) {
    return where.name === "comparison" && String(where.tables) === String(this.tables) && this.found !== undefined;
  }

  move(where) {
    return this.go(0, where.number ?? 0);
  }

  leave() {
    this.left = true;
  }

  /** Moves a branch to so many events behind the common moment, and the other with it if they go in step. */
  async go(index, number) {
    const asked = this.branches.map((_, each) => (each === index || this.inStep ? number : this.numbers[each]));
    this.numbers = asked;
    if (this.frame) this.frame.node.ariaBusy = "true";
    replace(comparisonOf(...this.tables, number));
    const shown = await Promise.all(this.branches.map((branch, each) => this.#document(branch, asked[each])));
    if (this.numbers !== asked || this.left) return; // somebody went on meanwhile
    this.shown = shown;
    this.#draw();
    announce(this.#told(index, logLineText) ?? "");
    this.frame.node.ariaBusy = "false";
  }

  #document(branch, number) {
    const { table, version } = branch.at(number);
    const key = `${table}/${version}`;
    if (!this.documents.has(key)) this.documents.set(key, branch.document(number));
    return this.documents.get(key);
  }

  #draw() {
    document.title = `${t("compare.title")} · Wintercount`;
    const twice = (rows, draw) => el("div", { class: "branch-pair" }, rows.map(draw));
    const light = (on) => (event) => lightUp(event.currentTarget, event.target, on);
    this.frame = el(
      "div",
      { class: "comparison", on: { pointerover: light(true), pointerout: light(false) } },
      el("div", { class: "box-head" }, this.#head()),
      el(
        "div",
        { class: "box-time" },
        twice(this.branches, (branch, index) => this.#timeline(branch, index)),
      ),
      this.#scores(),
      twice(this.shown, (shown, index) => this.#board(shown, index)),
    );
    redraw(this.main, this.frame);
  }

  #head() {
    const { common, first_difference: difference } = this.found;
    const link = el("a", { href: addressOf(common.table, common.version) }, t("fork.moment", common));
    const told = difference
      ? t("compare.difference", { n: difference.number, number: difference.number })
      : t("compare.same");
    const choose = (event) => {
      this.inStep = event.target.checked;
      if (this.inStep) this.go(0, this.numbers[0]);
    };
    const step = el(
      "label",
      { class: "in-step" },
      el("input", { type: "checkbox", checked: this.inStep, on: { change: choose }, data: { key: "in-step" } }),
      t("compare.in_step"),
    );
    const jump =
      difference &&
      button(t("compare.to_difference"), () => this.go(0, difference.number), {
        class: "small",
        data: { key: "difference" },
      });
    return [
      el("h1", {}, t("compare.title")),
      el("p", {}, t("compare.part"), " ", link, ". ", told),
      el("div", { class: "compare-tools" }, step, jump),
    ];
  }

  /** A branch's name, what is otherwise in it, and its slider; the first difference is marked. */
  #timeline(branch, index) {
    const number = Math.min(this.numbers[index], branch.last);
    const { table, version } = branch.at(number);
    const words = this.#told(index, logLineText);
    const name = t(`compare.branch.${index}`);
    const label = t("compare.position", { number, last: branch.last });
    const slide = (event) => this.go(index, Number(event.target.value));
    const slider = el("input", {
      type: "range",
      min: 0,
      max: branch.last,
      value: number,
      "aria-label": t("compare.slider", { name }),
      "aria-valuetext": `${label} ${words ?? ""}`,
      on: { input: slide },
      data: { key: `slider-${index}` },
    });
    return el(
      "section",
      { class: "branch", "aria-label": name },
      el("h2", {}, name, " ", el("a", { href: addressOf(branch.table) }, branch.table)),
      el("p", { class: "hint" }, this.#rules(index)),
      el("div", { class: "track" }, this.#mark(branch), slider),
      el(
        "p",
        { class: "position" },
        el("span", { class: "version" }, label),
        el("a", { href: addressOf(table, version) }, t("compare.moment")),
      ),
      el(
        "p",
        { class: `moment${number === this.found.first_difference?.number ? " differs" : ""}` },
        this.#told(index, logLine) ?? t("compare.common"),
      ),
    );
  }

  /** The event that led to the moment shown of a branch, told by `tell` as the log does; null at the common moment. */
  #told(index, tell) {
    const [branch, shown] = [this.branches[index], this.shown[index]];
    const { event } = branch.at(this.numbers[index]);
    return event && tell({ state: { live: shown, shown, log: branch }, game: this.game }, event);
  }

  /** The house rules that the other branch has otherwise. */
  #rules(index) {
    const [own, other] = [this.found.branches[index].options, this.found.branches[1 - index].options];
    const differing = Object.fromEntries(
      Object.entries(own).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
    );
    return reading(differing) || t("compare.same_rules");
  }

  #mark(branch) {
    const number = this.found.first_difference?.number;
    const at = (Math.min(number ?? 0, branch.last) / Math.max(1, branch.last)) * 1000;
    const stroke =
      number && number <= branch.last
        ? svg("rect", { x: at - 2, y: 0, width: 4, height: 10, class: "difference-mark" })
        : null;
    return svg(
      "svg",
      { viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "marks", "aria-hidden": "true" },
      stroke,
    );
  }

  /** Everybody's total in both branches, at the moments shown and as they stand now. */
  #scores() {
    const now = this.found.branches.map((branch) => branch.scores);
    const then = this.shown.map((shown) => shown.scores);
    const columns = [...then, ...now].map((scores) => new Map(rowsOf({ scores }).map((row) => [row.seat, row.total])));
    const suitOf = this.game.suits(this.shown[0]);
    const names = ["compare.shown.0", "compare.shown.1", "compare.now.0", "compare.now.1"];
    const header = el("tr", {}, ...["score.seat", ...names].map((key) => el("th", { scope: "col" }, t(key))));
    const rows = this.shown[0].seats.map(({ seat }) => {
      const who = [...new Set(this.shown.map((shown) => seatName(shown.seats[seat - 1])))].join(" / ");
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, mark(suitOf(seat)), `${seat} ${who}`),
        ...columns.map((column) => el("td", {}, String(column.get(seat) ?? "–"))),
      );
    });
    return el(
      "section",
      { class: "scores", "aria-label": t("scores") },
      el(
        "div",
        { class: "scroller", tabindex: "0", role: "group", "aria-label": t("scores") },
        el("table", {}, el("thead", {}, header), el("tbody", {}, ...rows)),
      ),
    );
  }

  #board(shown, index) {
    const ref = (node) => node && unlabelled(node);
    const label = pair(t("board"), t(`compare.branch.${index}`));
    return el("section", { class: "branch", "aria-label": label }, el("div", { ref }, board(this.game, shown)));
  }
}
