// The rulings of a table: what was compared, what came of it, by which rules, and what other house rules would have said.

import { drawn } from "../cards.js";
import { button, el, item, row, sheet } from "../dom.js";
import { language, t } from "../i18n.js";
import { spans } from "../markdown.js";
import { faceOf, nameAt } from "../piece-names.js";
import { problemWords, ruleArticle } from "../problems.js";
import { addressOf } from "../router.js";
import { arbitrates } from "../session.js";
import { eventAt, isRuling } from "../state/log.js";
import { isOver, versionOf } from "../state/table.js";
import { optionWords, plainRefusal, plainRule, valueWords, words } from "../help-words.js";
import { disputesAbout, later, mayDispute } from "./disputes.js";
import { logLine } from "./log-line.js";

const DEEPEST = 4;

export function rulings(page) {
  const event = eventAt(page.state.log, versionOf(page.state));
  return [steps(page), isRuling(event) ? detail(page, event) : el("p", { class: "empty" }, t("rulings.choose"))];
}

function steps({ state, act }) {
  const version = versionOf(state);
  const found = state.log.rows.filter(isRuling);
  const near = {
    earlier: found.findLast((event) => event.version < version),
    later: found.find((event) => event.version > version),
  };
  const buttons = Object.entries(near).map(([name, event]) =>
    button(t(`rulings.${name}`), () => act.travel(event.version), {
      disabled: !event,
      data: { key: `ruling-${name}` },
    }),
  );
  const whole = state.log.first ? button(t("log.earlier"), act.whole, { data: { key: "earlier" } }) : null;
  return el("div", { class: "ruling-steps" }, ...buttons, whole);
}

function detail(page, event) {
  const { state, act } = page;
  const ruling = state.rulings.known[`${event.version}-${language}`];
  if (!ruling) {
    queueMicrotask(() => act.explain(event.version));
    return el("p", { class: "empty" }, t("plot.loading"));
  }
  const link = el("a", { href: addressOf(state.id, ruling.version, state.seat) }, words(ruling.type));
  return el(
    "article",
    { class: "ruling-card", data: { key: `ruling-${ruling.version}` } },
    el("h3", {}, link),
    ...ruling.words.split("\n").map((line) => el("p", {}, ...logLine(page, { ...event, words: line }).flat())),
    el("details", { data: { key: "figures" } }, el("summary", {}, t("rulings.figures")), figures(ruling.figures)),
    el("h4", {}, t("rulings.rules")),
    ...ruling.rules.map((rule) => ruleOf(page, rule, ruling)),
    ...disputesAbout(page, ruling.version),
    mayDispute(state, ruling.version) &&
      button(t("dispute.contest"), () => later((views) => views.contest(page, ruling)), { data: { key: "contest" } }),
  );
}

function ruleOf(page, rule, ruling) {
  const options = rule.options.map((option) => optionOf(page, option, ruling));
  const plain = plainRule(page.state.live.game, rule.id);
  const title = plain ? [plain.title] : language === "en" ? spans(rule.title) : [];
  const official = el("summary", {}, t("rules.official_text"));
  return el(
    "details",
    { class: "rule-details", open: rule.options.length > 0 },
    el("summary", {}, ...(title.length ? title : [rule.id])),
    plain && el("p", { class: "plain-rule" }, plain.text),
    el("details", { open: !plain && language === "en" }, official, ruleArticle(rule)),
    ...options,
  );
}

/** A house rule: the reading in force, and the others, under which the game can be decided again. */
function optionOf(page, option, ruling) {
  const { live } = page.state;
  const may = !live.transcribed && (isOver(page.state) || arbitrates(live));
  const values = option.values.map((value) => valueOf(page, option, value, may));
  const note = may ? null : el("p", { class: "hint" }, t("rulings.when_over"));
  const title = el("h4", {}, t("rulings.option"), " ", optionWords(option.option));
  return el("div", { class: "option", data: { ruling: ruling.version } }, title, el("ul", {}, ...values), note);
}

function valueOf({ state, act }, option, value, may) {
  if (value === option.in_force)
    return item(
      el("strong", {}, valueWords(option.option, value)),
      " ",
      el("span", { class: "badge done" }, t("rulings.in_force")),
    );
  const key = `${option.option}=${JSON.stringify(value)}`;
  const again =
    may && button(t("rulings.again"), () => act.decideAgain(option.option, value, key), { data: { key, again: key } });
  return item(valueWords(option.option, value), " ", again, answerOf(state, state.rulings.answers[key]));
}

/** The figures of a ruling as they were recorded; ids of cards and tiles are drawn. */
export function figures(value, depth = 0) {
  if (value === null) return "–";
  if (typeof value === "string" && faceOf(value)) return drawn(value);
  if (typeof value !== "object" || depth > DEEPEST)
    return typeof value === "number" ? String(value) : words(String(value));
  if (Array.isArray(value)) return list(value, depth);
  const entries = Object.entries(value).filter(([name]) => name !== "rules");
  const rows = entries.flatMap(([name, part]) => [el("dt", {}, words(name)), el("dd", {}, figures(part, depth + 1))]);
  return el("dl", { class: "figures" }, ...rows);
}

function list(values, depth) {
  if (!values.length) return "–";
  if (values.some((value) => typeof value === "object"))
    return el("ul", {}, ...values.map((value) => item(figures(value, depth + 1))));
  return el(
    "span",
    { class: "small-cards" },
    ...values.map((value) => el("span", { class: "figure" }, figures(value, depth + 1))),
  );
}

/**
 * A finished game decided again under another house rule: where it first comes out otherwise, and the scores then; nothing
 * if it was not asked for.
 */
function answerOf(state, answer) {
  if (!answer) return null;
  if (answer.waiting) return el("p", { class: "hint", role: "status" }, t("plot.loading"));
  if (answer.problem)
    return el("p", { class: "refusal", role: "alert" }, problemWords(answer.problem, state.live.game));
  return el("div", { class: "again", role: "status" }, ...told(state, answer.found));
}

function told(state, found) {
  if (!found.divergence) return [el("p", {}, t("again.same"))];
  const { divergence, stop } = found;
  const link = el(
    "a",
    { href: addressOf(state.id, divergence.version, state.seat) },
    t("again.event", { version: divergence.version }),
  );
  return [
    el("p", {}, t("again.differs"), " ", link, "."),
    stop &&
      el(
        "p",
        {},
        t("again.stop", { version: stop.version, seat: stop.seat, rule: stop.rule }),
        " ",
        plainRefusal(state.live.game, stop.rule),
      ),
    scores(state, found),
    el("p", { class: "hint" }, t("again.counterfactual")),
  ];
}

function scores(state, found) {
  const then = new Map((found.scores_decided?.scores ?? []).map((row) => [row.seat, row.total]));
  const rows = (found.scores_recorded?.scores ?? []).map(({ seat, total }) =>
    row(nameAt(state.live, seat), [String(total), String(then.get(seat) ?? "–")]),
  );
  const columns = ["score.seat", "again.recorded", found.over ? "again.decided" : "again.so_far"];
  return sheet(
    columns.map((key) => t(key)),
    rows,
  );
}
