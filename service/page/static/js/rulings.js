// The rulings of a table: what was compared, what came of it, by which rules, and what other house rules would have said.

import { api } from "./api.js";
import { decideAgain } from "./again.js";
import { isRuling } from "./chronicle.js";
import { drawn } from "./cards.js";
import { button, el } from "./dom.js";
import { contest } from "./disputing.js";
import { plainRule } from "./help.js";
import { language, t } from "./i18n.js";
import { spans } from "./markdown.js";
import { faceOf } from "./names.js";
import { ruleArticle } from "./problems.js";
import { addressOf } from "./router.js";
import { arbitrates } from "./session.js";
import { optionWords, valueWords, words } from "./words.js";

const DEEPEST = 4;

export class Rulings {
  constructor(page) {
    this.page = page;
    this.known = new Map();
    this.answers = new Map();
  }

  draw() {
    const { page } = this;
    const event = page.chronicle.event(page.version);
    return [this.#list(), isRuling(event) ? this.#detail(event) : el("p", { class: "empty" }, t("rulings.choose"))];
  }

  #list() {
    const { page } = this;
    const found = page.chronicle.rows.filter(isRuling);
    const nearby = (step) => (step < 0 ? found.findLast((event) => event.version < page.version) : found.find((event) => event.version > page.version));
    const steps = [["earlier", -1], ["later", 1]].map(([name, step]) => {
      const event = nearby(step);
      return button(t(`rulings.${name}`), () => page.travel(event.version), { disabled: !event, data: { key: `ruling-${name}` } });
    });
    const whole = page.chronicle.first ? button(t("log.earlier"), async () => (await page.chronicle.whole(), page.draw()), { data: { key: "earlier" } }) : null;
    return el("div", { class: "ruling-steps" }, ...steps, whole);
  }

  #detail(event) {
    const key = `${event.version}-${language}`;
    const ruling = this.known.get(key);
    if (!ruling) {
      this.#load(event, key);
      return el("p", { class: "empty" }, t("plot.loading"));
    }
    return el(
      "article",
      { class: "ruling-card" },
      el("h3", {}, el("a", { href: addressOf(this.page.id, ruling.version, this.page.seat) }, t("rulings.title", { version: ruling.version })), " ", el("span", { class: "ruling-type" }, words(ruling.type))),
      ...ruling.words.split("\n").map((line) => el("p", {}, line)),
      el("details", { data: { key: "figures" } }, el("summary", {}, t("rulings.figures")), figures(ruling.figures)),
      el("h4", {}, t("rulings.rules")),
      ...ruling.rules.map((rule) => this.#rule(rule, ruling)),
      ...this.page.court.about(ruling.version),
      this.page.court.mayDispute(ruling.version) && button(t("dispute.contest"), () => contest(this.page, ruling), { data: { key: "contest" } }),
    );
  }

  async #load(event, key) {
    this.known.set(key, null);
    const bare = { version: event.version, type: event.type, figures: event.payload, words: event.words, rules: event.payload.rules.map((id) => ({ id, title: "", text: "", options: [] })) };
    this.known.set(key, await api.get(`/v1/tables/${this.page.id}/rulings/${event.version}`).catch(() => bare));
    if (!this.page.left) this.page.draw();
  }

  #rule(rule, ruling) {
    const options = rule.options.map((option) => this.#option(option, ruling));
    const plain = plainRule(this.page.live.game, rule.id);
    const title = plain ? [plain.title] : language === "en" ? spans(rule.title) : [];
    return el(
      "details",
      { class: "rule-details", open: rule.options.length > 0 },
      el("summary", {}, el("span", { class: "rule-id" }, rule.id), " ", ...title),
      plain && el("p", { class: "plain-rule" }, plain.text),
      el("details", { open: !plain && language === "en" }, el("summary", {}, t("rules.official_text")), ruleArticle(rule)),
      ...options,
    );
  }

  /** A house rule: the reading in force, and the others, under which the game can be decided again. */
  #option(option, ruling) {
    const may = this.page.over || arbitrates(this.page.live);
    const values = option.values.map((value) => {
      const inForce = value === option.in_force;
      const key = `${option.option}=${JSON.stringify(value)}`;
      if (inForce) return el("li", {}, el("strong", {}, valueWords(option.option, value)), " ", el("span", { class: "badge done" }, t("rulings.in_force")));
      const again = may ? button(t("rulings.again"), () => this.#again(option.option, value, key), { data: { key, again: key } }) : null;
      return el("li", {}, valueWords(option.option, value), " ", again, this.answers.get(key));
    });
    const note = may ? null : el("p", { class: "hint" }, t("rulings.when_over"));
    return el("div", { class: "option", data: { ruling: ruling.version } }, el("h4", {}, t("rulings.option"), " ", optionWords(option.option)), el("ul", {}, ...values), note);
  }

  async #again(option, value, key) {
    this.answers.set(key, el("p", { class: "hint", role: "status" }, t("plot.loading")));
    this.page.draw();
    this.answers.set(key, await decideAgain(this.page, option, value));
    this.page.draw();
  }
}

/** The figures of a ruling as they were recorded; ids of cards and tiles are drawn. */
export function figures(value, depth = 0) {
  if (value === null) return "–";
  if (typeof value === "string" && faceOf(value)) return drawn(value);
  if (typeof value !== "object" || depth > DEEPEST) return typeof value === "number" ? String(value) : words(String(value));
  if (Array.isArray(value)) return list(value, depth);
  const rows = Object.entries(value).filter(([name]) => name !== "rules").flatMap(([name, item]) => [el("dt", {}, words(name)), el("dd", {}, figures(item, depth + 1))]);
  return el("dl", { class: "figures" }, ...rows);
}

function list(values, depth) {
  if (!values.length) return "–";
  if (values.every((value) => typeof value !== "object")) return el("span", { class: "small-cards" }, ...values.map((value) => el("span", { class: "figure" }, figures(value, depth + 1))));
  return el("ul", {}, ...values.map((value) => el("li", {}, figures(value, depth + 1))));
}
