// What the decisions of a finished table were worth: asked for, followed while it is made, and looked through. The
// address names what is chosen, so that a link to a decision leads there again.

import { api } from "../api.js";
import { announce, el, redraw } from "../dom.js";
import { capital, t } from "../i18n.js";
import { addressOf, replace, reviewAddress } from "../router.js";
import { styled } from "../lazy-views.js";
import { gameModule } from "../views/games/index.js";
import { advice, asking } from "./request-analysis.js";
import { choiceOf, followAnalysis, KINDS, OF_DECISIONS, readAnalysis } from "./analysis.js";
import { decisionNode } from "./decision.js";
import { decisionAt } from "./figures.js";
import { luckOf } from "./luck.js";
import { coverage, overview } from "./overview.js";

export { readVerdicts } from "./analysis.js";

/** Shows the analyses of a table until `leave` is called on what this returns. */
export function showReview({ main, onAccount }, where) {
  const page = new ReviewPage(main, where, onAccount);
  page.enter();
  return page;
}

class ReviewPage {
  #stop = null; // ends what follows an analysis
  #left = false;

  constructor(main, { table, query }, onAccount) {
    Object.assign(this, { main, onAccount, id: table, choice: choiceOf(query), figure: "victory", revealed: null });
    Object.assign(this, { table: null, game: null, found: {}, shown: null, lit: null });
    Object.assign(this, { problem: null, quiet: false });
  }

  shows({ name, table }) {
    return name === "review" && table === this.id && this.table !== null;
  }

  leave() {
    this.#left = true;
    this.#stop?.();
  }

  /** Another decision of the same table, or another kind of analysis, by the address. */
  async move({ query }) {
    const before = this.choice;
    this.choice = choiceOf(query);
    this.problem = null;
    this.#follow();
    await this.#look(before);
    if (this.choice.at && this.choice.at !== before.at) this.#focus();
  }

  /** The address of this table's review with something chosen otherwise. */
  address(change) {
    return reviewAddress(this.id, { ...this.choice, kind: this.kind, ...change });
  }

  path(kind = this.kind) {
    return `/v1/tables/${this.id}/analysis?kind=${kind}`;
  }

  /** The kind that is looked at: the one of the address, or else the more thorough one that is there. */
  get kind() {
    const done = [...OF_DECISIONS].reverse().find((kind) => this.found[kind]?.analysis);
    return this.choice.kind ?? done ?? OF_DECISIONS[0];
  }

  /** The analysis that is looked at, if it is done. */
  get analysis() {
    return this.found[this.kind]?.analysis ?? null;
  }

  /** The luck of the game, if it is looked at and done. */
  get luck() {
    return this.found[this.kind]?.luck ?? null;
  }

  /** The decision that is looked at. */
  get decision() {
    return this.analysis && this.choice.at ? (decisionAt(this.analysis, this.choice.at) ?? null) : null;
  }

  async enter() {
    try {
      const [table] = await Promise.all([api.get(`/v1/tables/${this.id}`), styled("review")]);
      this.game = await gameModule(table.game);
      await Promise.all(KINDS.map((kind) => this.#read(kind)));
      this.table = table;
    } catch (problem) {
      return this.#left || redraw(this.main, this.#frame(el("p", { role: "alert" }, ...advice(problem))));
    }
    if (this.#left) return null;
    this.#follow();
    return this.#look({});
  }

  async #read(kind) {
    this.found[kind] = await readAnalysis(this.path(kind));
  }

  /** Does something to an analysis; what hinders it is told. */
  async tell(deed) {
    this.problem = null;
    try {
      await deed();
    } catch (problem) {
      this.problem = problem;
    }
    if (this.#left) return null;
    this.#follow();
    return this.#look(this.choice);
  }

  /** Follows the analysis that is looked at as long as it is made. */
  #follow() {
    this.#stop?.();
    this.#stop = null;
    this.quiet = false;
    const { kind } = this;
    if (!["waiting", "running"].includes(this.found[kind]?.status)) return;
    this.#stop = followAnalysis(this.path(kind), this.found[kind], {
      progress: (found) => {
        this.found[kind] = { ...this.found[kind], ...found };
        this.quiet = false;
        this.draw();
      },
      quiet: () => {
        this.quiet = true;
        this.draw();
      },
      over: () => this.tell(() => this.#ended(kind)),
    });
  }

  async #ended(kind) {
    await this.#read(kind);
    if (this.analysis || this.luck) announce(t("review.done"));
  }

  /** Reads the board of the decision that is chosen, if another one was. */
  async #look(before) {
    this.draw();
    const { decision } = this;
    if (!decision || this.#left) return;
    const moment = `${decision.version}-${decision.seat}`;
    if (before.at === this.choice.at && this.shown?.moment === moment) return;
    this.shown = null;
    try {
      const document = await api.get(`/v1/tables/${this.id}?at=${decision.version - 1}&seat=${decision.seat}`);
      if (this.decision !== decision) return; // somebody went on meanwhile
      this.shown = { moment, document };
    } catch (problem) {
      this.problem = problem;
    }
    if (!this.#left) this.draw();
  }

  #focus() {
    this.main.querySelector(".review-decision > h2")?.focus();
  }

  /** Chooses something within the address, without a new entry in the history. */
  choose(change) {
    const before = this.choice;
    replace(this.address(change));
    this.choice = { ...this.choice, ...change };
    return this.#look(before);
  }

  draw() {
    if (this.#left || !this.table) return;
    const problem = this.problem && el("p", { class: "refusal", role: "alert" }, ...advice(this.problem));
    redraw(this.main, this.#frame(this.#kinds(), problem, ...this.#content()));
  }

  #content() {
    if (this.luck) return luckOf(this);
    return this.analysis ? [coverage(this), decisionNode(this), overview(this)] : [asking(this)];
  }

  #kinds() {
    const links = KINDS.map((kind) =>
      el(
        "a",
        {
          href: this.address({ kind, at: null, learn: null }),
          "aria-current": kind === this.kind ? "page" : null,
          data: { key: `kind-${kind}` },
        },
        t(`review.kind.${kind}`),
      ),
    );
    return el("nav", { class: "review-kinds", "aria-label": t("review.kinds") }, ...links);
  }

  #frame(...children) {
    document.title = `${t("review.title")} · Wintercount`;
    const back = el("a", { href: addressOf(this.id) }, t("record.back"));
    const game = this.table && capital(t(`title.${this.table.game}`));
    const head = el("header", {}, el("h1", {}, t("review.title")), el("p", {}, game && `${game} · `, back));
    return el("article", { class: "review" }, head, ...children);
  }
}
