// What is contested at a table: disputed rulings, and a move that a seat asks to take back.

import { api } from "./api.js";
import { askText, button, el } from "./dom.js";
import { moment, t } from "./i18n.js";
import { seatName } from "./names.js";
import { showProblem } from "./problems.js";
import { addressOf } from "./router.js";
import { arbitrates, isArbiter, takeOffice } from "./session.js";
import { reading } from "./words.js";

const CONTESTED = /^(Dispute|ArbiterLooked|Takeback|PlayTakenBack)/;

export class Court {
  constructor(page) {
    Object.assign(this, { page, disputes: [], takeback: null });
  }

  /** Reads what is contested, if one of these events tells of it. */
  async catchUp(events) {
    if (this.takeback || events.some((event) => CONTESTED.test(event.type))) this.#know(await api.get(this.#path("disputes")));
  }

  #know({ disputes, takeback }) {
    Object.assign(this, { disputes, takeback });
  }

  #path(rest) {
    return `/v1/tables/${this.page.id}/${rest}`;
  }

  get open() {
    return this.disputes.filter((dispute) => dispute.outcome === null);
  }

  /** Up to which version the arbiter may see what this seat sees; 0 without a look. */
  reach(seat) {
    const looks = this.open.flatMap((dispute) => dispute.looks).filter((look) => look.seat === seat);
    return Math.max(0, ...looks.map(({ until }) => until));
  }

  /** Borrows a seat's eyes as the arbiter, for all to read; gives the version up to which that reaches, 0 if refused. */
  async look(seat) {
    const dispute = this.open.at(-1);
    if (dispute && !dispute.looks.some((look) => look.seat === seat)) {
      if (!arbitrates(this.page.live)) await takeOffice();
      await this.do(`disputes/${dispute.dispute}/looks`, { seat });
    }
    return this.reach(seat);
  }

  /** Whether I may look through seats: as the arbiter, while a dispute is open that I decide. */
  get mayLook() {
    const { live } = this.page;
    return isArbiter(live) && live.disputes?.by === "arbiter" && this.open.length > 0;
  }

  /** Whether the seat that I hold may contest this ruling. */
  mayDispute(version) {
    const { live, over, chronicle } = this.page;
    if (!live.disputes || !live.seat || live.status !== "running" || over || chronicle.undoing(version)) return false;
    return !this.open.some((dispute) => dispute.version === version && dispute.seat === live.seat);
  }

  /** Above the table: why play is paused, and what waits for an answer. */
  banner() {
    if (this.page.at) return null;
    const notices = [...this.open.map((dispute) => this.#notice(dispute)), this.takeback && this.#asking()];
    return notices.filter(Boolean);
  }

  #notice(dispute) {
    const { page } = this;
    const said = t(page.live.paused ? "dispute.paused" : "dispute.goes_on", { name: this.#who(dispute.seat), rule: dispute.rule, version: dispute.version });
    const look = button(t("dispute.look"), () => page.panels.show("disputes", { focus: true }), { data: { key: `look-${dispute.dispute}` } });
    return el("section", { class: "notice-row", "aria-label": t("disputes") }, el("p", {}, said, " ", el("q", {}, el("bdi", {}, dispute.claim))), look);
  }

  #asking() {
    const { live } = this.page;
    const { seat, missing } = this.takeback;
    const names = missing.map((each) => this.#who(each)).join(", ");
    const said = t("takeback.asked", { name: this.#who(seat) });
    const mine = missing.includes(live.seat);
    const answers = [["takeback.agree", true], ["takeback.refuse", false]].map(([key, agrees]) => button(t(key), () => this.#answer(agrees), { class: agrees ? "primary" : null, data: { key, takeback: String(agrees) } }));
    return el("section", { class: "notice-row", "aria-label": t("takeback") }, el("p", {}, said, mine ? null : ` ${t("takeback.missing", { names })}`), mine ? el("div", { class: "actions" }, ...answers) : null);
  }

  /** The button that asks to take one's last move back, where there is a move of one's own. */
  takebackButton() {
    const { live, over, at, seat, chronicle } = this.page;
    const moved = chronicle.rows.some((event) => event.by.seat === live.seat);
    if (!live.seat || !moved || over || at || seat || live.paused || this.takeback) return null;
    return button(t("takeback.ask"), () => this.do("takebacks", { seat: live.seat }), { class: "quiet", data: { key: "takeback" } });
  }

  #answer(agrees) {
    return this.do(`takebacks/${this.takeback.takeback}/answer`, { seat: this.page.live.seat, agrees });
  }

  /** Asks for a change of what is contested, and shows what came of it; true if it was done. */
  async do(path, body) {
    try {
      await api.post(this.#path(path), body);
    } catch (problem) {
      await showProblem(problem, this.page.live.game);
      return false;
    }
    await this.page.refresh();
    return true;
  }

  /** All disputes, the newest first. */
  draw() {
    if (!this.disputes.length) return el("p", { class: "empty" }, t("dispute.none"));
    return el("ol", { class: "disputes", reversed: true }, ...this.disputes.toReversed().map((dispute) => el("li", {}, this.#card(dispute))));
  }

  /** What became of the disputes of one ruling. */
  about(version) {
    return this.disputes.filter((dispute) => dispute.version === version).map((dispute) => this.#card(dispute));
  }

  #card(dispute) {
    const { page } = this;
    const ruling = el("a", { href: addressOf(page.id, dispute.version, page.seat) }, t("again.event", { version: dispute.version }));
    const state = el("span", { class: `badge ${dispute.outcome === null ? "acting" : "done"}` }, t(`dispute.${dispute.outcome ?? "open"}`));
    return el(
      "article",
      { class: "dispute", data: { dispute: dispute.dispute } },
      el("h3", {}, el("span", { class: "rule-id" }, dispute.rule), " · ", ruling, " ", state),
      el("p", {}, el("strong", {}, this.#who(dispute.seat)), ": ", el("q", {}, el("bdi", {}, dispute.claim))),
      el("p", {}, t("dispute.wanted"), " ", reading(dispute.options) || t("dispute.same_reading")),
      el("ul", { class: "comments" }, ...dispute.comments.map((comment) => this.#comment(comment)), ...dispute.votes.map((vote) => this.#vote(vote)), ...dispute.looks.map((look) => this.#looked(look))),
      dispute.outcome === null ? this.#doable(dispute) : this.#verdict(dispute),
    );
  }

  #comment({ seat, text, at }) {
    return el("li", {}, el("strong", { title: moment(at) }, seat ? this.#who(seat) : t("dispute.arbiter")), ": ", el("bdi", {}, text));
  }

  #vote({ seat, overturn }) {
    return el("li", {}, el("strong", {}, this.#who(seat)), ": ", t(overturn ? "dispute.votes_overturn" : "dispute.votes_uphold"));
  }

  #looked({ seat, until, at }) {
    return el("li", {}, el("strong", { title: moment(at) }, t("dispute.arbiter")), ": ", t("dispute.looked", { name: this.#who(seat), version: until }));
  }

  #verdict({ by, text, resolved, outcome }) {
    const { page } = this;
    const link = el("a", { href: addressOf(page.id, resolved, page.seat) }, t("again.event", { version: resolved }));
    return el("p", {}, t(`dispute.by.${by}`), " ", t(`dispute.${outcome}`), " (", link, ")", text ? [": ", el("q", {}, el("bdi", {}, text))] : null);
  }

  #doable(dispute) {
    const { live } = this.page;
    const until = el("p", { class: "hint" }, t("dispute.deadline", { moment: moment(dispute.deadline) }));
    const say = (live.seat || isArbiter(live)) && this.#ask(dispute, "comments", "comment", (text) => ({ text }));
    const buttons = [say, ...(live.disputes.by === "vote" ? this.#votes(dispute) : this.#verdicts(dispute))].filter(Boolean);
    return [until, buttons.length ? el("div", { class: "actions" }, ...buttons) : null];
  }

  #votes(dispute) {
    const { seat } = this.page.live;
    if (!seat) return [];
    return [true, false].map((overturn) => {
      const key = overturn ? "vote_overturn" : "vote_uphold";
      return button(t(`dispute.${key}`), () => this.do(`disputes/${dispute.dispute}/votes`, { seat, overturn }), { data: { key: `${key}-${dispute.dispute}`, vote: key } });
    });
  }

  #verdicts(dispute) {
    if (!isArbiter(this.page.live)) return [];
    return [["uphold", "upheld"], ["overturn", "overturned"]].map(([key, outcome]) => this.#ask(dispute, "resolution", key, (text) => ({ outcome, text })));
  }

  /** A button that asks for some words and sends them; an arbiter takes office first. */
  #ask(dispute, path, key, body) {
    const send = async (text) => {
      if (isArbiter(this.page.live) && !arbitrates(this.page.live)) await takeOffice();
      return this.do(`disputes/${dispute.dispute}/${path}`, body(text));
    };
    const open = () => askText(t(`dispute.${key}`), { close: t("close"), label: t(`dispute.${key}_why`), confirm: t(`dispute.${key}`), send });
    return button(t(`dispute.${key}`), open, { data: { key: `${key}-${dispute.dispute}`, court: key } });
  }

  #who(seat) {
    return seatName(this.page.live.seats[seat - 1]);
  }
}
