// A refusal, told to people: what is wrong, and the rule that says so.

import { api } from "./api.js";
import { dialog, el } from "./dom.js";
import { t } from "./i18n.js";
import { markdown, spans } from "./markdown.js";

/** Shows a refusal; for a move the rule that forbids it stands below with its text. */
export async function showProblem(problem, game) {
  const title = problem.rule ? t("refused") : (problem.title ?? t("problem"));
  const rule = problem.rule && game ? await ruleText(game, problem.rule) : null;
  dialog(
    title,
    t("close"),
    el("p", { class: "refusal" }, problem.code === "offline" ? t("offline") : problem.message),
    rule,
  );
}

/** A rule with its number, title and text; the rules are written in English. */
export async function ruleText(game, id) {
  try {
    return ruleArticle(await api.get(`/v1/games/${game}/rules/${id}`));
  } catch {
    return el("p", {}, id);
  }
}

export const ruleArticle = (rule) =>
  el(
    "article",
    { class: "rule", lang: "en" },
    el("h3", {}, el("span", { class: "rule-id" }, rule.id), " ", ...spans(rule.title)),
    ...markdown(rule.text),
  );
