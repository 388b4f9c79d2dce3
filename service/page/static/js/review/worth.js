// What the other reading of a disputed ruling would have been worth: asked for, followed while it is made, and told.

import { api } from "../api.js";
import { announce, button, dialog, el, redraw } from "../dom.js";
import { loadMoreWords, t } from "../i18n.js";
import { seatName } from "../names.js";
import { account, knownPlayer } from "../session.js";
import { styled } from "../styles.js";
import { reading } from "../words.js";
import { advice } from "./asking.js";
import { gainWords, isClear, meanWords } from "./numbers.js";
import { tableOf } from "./pieces.js";
import { followAnalysis, readAnalysis } from "./progress.js";

const FIGURES = ["points", "victory"];

/** The dialog about one dispute of a finished table. */
export async function showWorth(table, dispute) {
  await Promise.all([loadMoreWords(), styled("review")]);
  return new Worth(table, dispute).enter();
}

class Worth {
  #stop = null; // ends what follows it

  constructor(table, dispute) {
    Object.assign(this, { table, dispute, found: null, problem: null });
    this.path = `/v1/tables/${table.table}/disputes/${dispute.dispute}/worth`;
    this.content = el("div", { class: "review worth" }, el("p", {}, t("plot.loading")));
  }

  async enter() {
    const box = dialog(t("worth.title"), t("close"), this.content);
    box.addEventListener("close", () => this.#stop?.());
    await this.#tell(() => this.#read());
  }

  async #read() {
    this.found = await readAnalysis(this.path);
  }

  async #order() {
    await knownPlayer();
    this.found = await api.post(this.path);
  }

  async #callOff() {
    await api.delete(this.path);
    this.found = null;
  }

  async #ended() {
    await this.#read();
    if (this.found?.worth) announce(t("worth.done"));
  }

  /** Does something; what hinders it is told. */
  async #tell(deed) {
    this.problem = null;
    try {
      await deed();
    } catch (problem) {
      this.problem = problem;
    }
    this.#follow();
    this.#draw();
  }

  #follow() {
    this.#stop?.();
    this.#stop = null;
    if (!this.#isMade || !this.content.isConnected) return;
    this.#stop = followAnalysis(this.path, this.found, {
      progress: (found) => {
        this.found = { ...this.found, ...found };
        this.#draw();
      },
      quiet: () => {},
      over: () => this.#tell(() => this.#ended()),
    });
  }

  get #isMade() {
    return ["waiting", "running"].includes(this.found?.status);
  }

  #draw() {
    const { found, problem } = this;
    const parts = found?.worth ? this.#told(found.worth) : this.#isMade ? this.#making(found) : this.#offer(found);
    const refusal = problem && el("p", { class: "refusal", role: "alert" }, ...advice(problem));
    redraw(this.content, this.#compared(found?.worth), refusal, ...parts);
  }

  /** Which readings are compared. */
  #compared(worth) {
    const { rule, version, options, outcome } = this.dispute;
    const other = outcome === "overturned" && !worth ? t("worth.of_the_verdict") : reading(worth?.options ?? options);
    return el("p", {}, t("worth.compared", { rule, version, reading: other }));
  }

  #offer(found) {
    const ask = () => this.#tell(() => this.#order());
    return [
      el("p", {}, t("worth.what")),
      found?.status === "failed" && el("p", { class: "refusal", role: "alert" }, t("review.failed")),
      el("div", { class: "actions" }, button(t("worth.ask"), ask, { class: "primary", data: { key: "worth-ask" } })),
      account ? null : el("p", { class: "hint" }, t("review.guest")),
    ];
  }

  #making({ done, of, status }) {
    const cancel = button(t("review.cancel"), () => this.#tell(() => this.#callOff()), {
      data: { key: "worth-cancel" },
    });
    return [
      el("p", { role: "status" }, of === null ? t(`worth.status.${status}`) : t("worth.progress", { done, of })),
      el("progress", { max: of ?? 1, value: of === null ? null : done, "aria-label": t("review.making") }),
      el("p", {}, t("worth.leave")),
      account && el("div", { class: "actions" }, cancel),
    ];
  }

  #told(worth) {
    const { refused, worlds, seats } = worth;
    return [
      el("p", { class: "worth-verdict", role: "status" }, this.#verdict(seats)),
      refused && el("p", {}, t("worth.refused", { rule: refused })),
      ...FIGURES.map((figure) => this.#sheet(figure, seats)),
      el("p", { class: "hint" }, t("worth.how", { worlds })),
    ];
  }

  /** In a sentence: whom the other reading would have brought or cost most, if that is more than chance. */
  #verdict(seats) {
    const clear = seats.filter(({ gained }) => isClear(gained.points));
    if (!clear.length) return t("worth.unclear");
    const size = ({ gained }) => Math.abs(gained.points.mean);
    const most = clear.reduce((best, each) => (size(each) > size(best) ? each : best));
    const { mean } = most.gained.points;
    return t(mean > 0 ? "worth.brings" : "worth.costs", {
      name: this.#name(most.seat),
      points: meanWords("points", { ...most.gained.points, mean: Math.abs(mean) }),
    });
  }

  #sheet(figure, seats) {
    const heads = ["seat", "ruled", "other", "gained"].map((name) => t(`worth.${name}`));
    const rows = seats.map(({ seat, ruled, other, gained }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, this.#name(seat)),
        el("td", {}, meanWords(figure, ruled[figure])),
        el("td", {}, meanWords(figure, other[figure])),
        el("td", {}, gainWords(figure, gained[figure])),
      ),
    );
    return tableOf(t(`worth.figure.${figure}`), heads, rows, t(`worth.figure.${figure}`));
  }

  #name(seat) {
    return seatName(this.table.seats[seat - 1]);
  }
}
