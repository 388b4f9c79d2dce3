// A refusal, told to people: what is wrong, and the rule that says so.

import { api } from "./api.js";
import { dialog, el } from "./dom.js";
import { loadHelp, plainRefusal } from "./help-words.js";
import { language, t } from "./i18n.js";
import { markdown, spans } from "./markdown.js";

/** Shows a refusal in plain words; for a move, the rule that forbids it stands below with its text. */
export async function showProblem(problem, game) {
  if (problem.rule && game) await loadHelp(game);
  const title = problem.rule ? t("refused") : titleOf(problem);
  const rule = problem.rule && game ? await ruleText(game, problem.rule, problem.message) : null;
  dialog(title, el("p", { class: "refusal" }, problemWords(problem, game)), rule);
}

/** What is wrong, in the reader's language: the rule's plain words, else the service's own, which are English. */
export function problemWords(problem, game) {
  const plain = problem.rule && plainRefusal(game, problem.rule);
  if (plain || problem.code === "offline") return plain || t("offline");
  return language === "en" ? problem.message : titleOf(problem);
}

const titleOf = (problem) => t(`problem.${problem.code ?? "other"}`);

/** A rule with its number, title and text. The rules are written in English: others open them if they want to. */
async function ruleText(game, id, detail = null) {
  const rule = await api.get(`/v1/games/${game}/rules/${id}`).catch(() => null);
  if (!rule) return el("p", {}, id);
  return el(
    "details",
    { open: language === "en" },
    el("summary", {}, t("rules.official_text")),
    detail && el("p", { lang: "en" }, detail),
    ruleArticle(rule),
  );
}

/** A rule as its document has it. */
export const ruleArticle = (rule) =>
  el(
    "article",
    { class: "rule", lang: "en" },
    el("h3", {}, el("span", { class: "rule-id" }, rule.id), " ", ...spans(rule.title)),
    ...markdown(rule.text),
  );
