// The rules of a game as players read them, with pictures, and behind them the index of the official rules.

import { api } from "../api.js";
import { button, dialog, el, folded, item, redraw } from "../dom.js";
import { loadHelp, plainRefusal, plainRule } from "../help-words.js";
import { language, pair, t, typeset } from "../i18n.js";
import { OUT, ways } from "../lazy-views.js";
import { ruleArticle } from "../problems.js";
import { replace, ruleAddress, rulesAddress, rulingsAddress } from "../router.js";
import { blocks, heading, sections } from "./article.js";

/** Shows the rules of `where.game`; `where.part` names a rule whose text is shown before them. */
export function showRules(page, where) {
  Object.assign(page, { game: where.game, box: null });
  fill(page).then(() => page.left || openRule(page, where.part));
  return {
    shows: (to) => to.name === "rules" && to.game === page.game,
    move: (to) => openRule(page, to.part),
    leave: () => page.box?.close(),
  };
}

async function fill(page) {
  const [text, official] = await Promise.all([read(page.game), index(page.game), loadHelp(page.game)]);
  if (page.left) return;
  if (!text) return void redraw(page.main, el("p", { class: "notice", role: "alert" }, t("rules.none")));
  const [title, ...parts] = sections(typeset(text, language));
  document.title = pair(t("rules"), title.title);
  const out = ways([rulingsAddress(page.game), "register.link"], OUT);
  const head = el("header", { class: "reading-head" }, heading(title), ...blocks(title, page.game), out);
  const body = parts.map((part) =>
    el("section", { "aria-labelledby": part.id }, heading(part), ...blocks(part, page.game)),
  );
  redraw(
    page.main,
    el("div", { class: "reading" }, contents(parts), el("article", { class: "reading-text" }, head, ...body, official)),
  );
}

async function read(game) {
  const answer = await fetch(`/page/rules/${encodeURIComponent(game)}.${language}.md`);
  return answer.ok ? answer.text() : null;
}

/** The sections to jump to: buttons, as the address names the page alone. */
function contents(parts) {
  const jump = (id) => () => {
    const target = document.getElementById(id);
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  };
  const items = parts.map((part) => item(button(part.title, jump(part.id), { class: "quiet" })));
  return el("nav", { class: "reading-contents", "aria-label": t("rules.contents") }, el("ul", {}, ...items));
}

/** The ids of all rules by section, each with its plain title; what they say is asked for when wanted. */
async function index(game) {
  const [found] = await Promise.all([
    api.get(`/v1/games/${encodeURIComponent(game)}/rules`).catch(() => ({ rules: [] })),
    loadHelp(game),
  ]);
  const bySection = Object.groupBy(found.rules, (rule) => rule.section);
  const groups = Object.values(bySection).map((rules) =>
    folded(sectionTitle(rules[0]), el("ul", { class: "rule-index" }, ...rules.map((rule) => entry(game, rule)))),
  );
  return el(
    "section",
    { "aria-labelledby": "official" },
    el("h2", { id: "official", tabindex: "-1" }, t("rules.official")),
    el("p", { class: "hint" }, t("rules.official_hint")),
    ...groups,
  );
}

const sectionTitle = (rule) => t(`rules.section.${/^\d+/.exec(rule.section)?.[0] ?? "0"}`);

function entry(game, rule) {
  const plain = plainRule(game, rule.id)?.title ?? plainRefusal(game, rule.id);
  return item(el("a", { class: "rule-link", href: ruleAddress(game, rule.id) }, rule.id), plain && ` ${plain}`);
}

/** The text of a rule in a dialog, plain words first; closing it leads back to the page. */
async function openRule(page, id) {
  page.box?.close();
  if (!id) return;
  const rule = await api
    .get(`/v1/games/${encodeURIComponent(page.game)}/rules/${encodeURIComponent(id)}`)
    .catch(() => null);
  if (page.left) return;
  const box = dialog(
    t("rules.rule", { id }),
    ...plainWords(page.game, id),
    rule ? official(rule) : el("p", {}, t("rules.no_such_rule")),
  );
  page.box = box;
  box.addEventListener("close", () => {
    page.box = null;
    if (!page.left && location.hash.endsWith(id)) replace(rulesAddress(page.game));
  });
}

function plainWords(game, id) {
  const plain = plainRule(game, id);
  const refusal = plainRefusal(game, id);
  return [
    plain && el("p", {}, el("strong", {}, plain.title)),
    plain && el("p", {}, plain.text),
    !plain && refusal && el("p", {}, refusal),
  ].filter(Boolean);
}

/** The text of the rules document, which is in English; French readers open it if they want it. */
function official(rule) {
  return el("details", { open: language === "en" }, el("summary", {}, t("rules.official_text")), ruleArticle(rule));
}
