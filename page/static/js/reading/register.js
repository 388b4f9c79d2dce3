// The register of rulings of a game: what was decided where the rules are silent, with its cases, played step by step.

import { api } from "../api.js";
import { board } from "../views/board.js";
import { announce, button, el, folded, item, pressing, redraw } from "../dom.js";
import { gameModule } from "../views/games/index.js";
import { language, pair, t } from "../i18n.js";
import { OUT, ways } from "../lazy-views.js";
import { markdown, spans } from "../markdown.js";
import { replace, rulesAddress, rulingsAddress } from "../router.js";
import { optionWords, plainRefusal, plainRule, reading, valueWords } from "../help-words.js";
import { ruleLink, tableOf } from "./article.js";

/** Shows the register of `where.game`, and opens the ruling `where.part`. */
export function showRegister(page, where) {
  Object.assign(page, { game: where.game, module: null, rulings: [] });
  fill(page).then(() => open(page, where.part));
  return {
    shows: (to) => to.name === "register" && to.game === page.game,
    move: (to) => open(page, to.part),
  };
}

async function fill(page) {
  const path = `/v1/games/${encodeURIComponent(page.game)}`;
  const asked = [api.get(`${path}/rulings`), api.get(path), gameModule(page.game)];
  const found = await Promise.all(asked).catch(() => null);
  if (page.left) return;
  if (!found) return redraw(page.main, el("p", { class: "notice", role: "alert" }, t("rules.none")));
  [{ rulings: page.rulings }, { options: page.options }, page.module] = found;
  document.title = pair(t("register.title"), t(`title.${page.game}`));
  const lead = el("p", {}, t("register.lead", { game: t(`title.${page.game}`) }));
  const out = ways([rulesAddress(page.game), "rules.link"], OUT);
  const head = el("header", { class: "reading-head" }, el("h1", {}, t("register.title")), lead, out);
  const rows = page.rulings.map((ruling) => rulingNode(page, ruling));
  redraw(page.main, el("article", { class: "register reading-text" }, head, ...rows));
}

function open(page, id) {
  const node = id && document.getElementById(`ruling-${id}`);
  if (!node) return;
  node.open = true;
  node.scrollIntoView();
  node.querySelector("summary").focus({ preventScroll: true });
}

/** A ruling: its question and answer in plain words, what a table may choose, the document's words, its cases. */
function rulingNode(page, ruling) {
  const plain = plainRule(page.game, ruling.id);
  const title = plain?.title ?? (language === "en" ? spans(ruling.question) : "");
  const body = el("div", { class: "ruling-body" });
  const toggle = ({ target }) => {
    if (!target.open || body.node.childElementCount) return;
    redraw(body.node, ...bodyOf(page, ruling, plain));
    replace(rulingsAddress(page.game, ruling.id));
  };
  return el(
    "details",
    { id: `ruling-${ruling.id}`, class: "ruling", data: { ruling: ruling.id }, on: { toggle } },
    el("summary", {}, el("span", { class: "rule-id" }, ruling.id), el("span", {}, title)),
    body,
  );
}

function bodyOf(page, ruling, plain) {
  const official = el(
    "article",
    { class: "rule", lang: "en" },
    el("p", {}, ...spans(ruling.question)),
    ...markdown(ruling.default),
    ...(ruling.alternatives ? markdown(ruling.alternatives) : []),
  );
  return [
    el("p", {}, plain?.text ?? ""),
    ...choices(page, ruling),
    ...ruling.cases.map((each, number) => caseNode(page, each, number)),
    folded(t("rules.official_text"), official),
  ];
}

/** The house rules that stem from a ruling, each value once, and where it is the usual one: perhaps in an edition only. */
function choices({ options }, { choices: rows }) {
  return [...new Set(rows.map((row) => row.option))].map((option) => {
    const others = options.find(({ name }) => name === option).other_defaults;
    const values = rows
      .filter((row) => row.option === option)
      .map((row) =>
        item(
          valueWords(option, row.value),
          row.default && badge(t("register.default")),
          ...others
            .filter((other) => JSON.stringify(other.default) === JSON.stringify(row.value))
            .map((other) => badge(t("register.default_in", { edition: reading({ [other.option]: other.value }) }))),
          row.mattered?.games && el("p", { class: "hint" }, t("register.mattered", row.mattered)),
        ),
      );
    return el(
      "section",
      { class: "option" },
      el("h2", {}, t("rulings.option"), " ", optionWords(option)),
      el("ul", { class: "plain" }, ...values),
    );
  });
}

const badge = (text) => el("span", { class: "badge done" }, text);

function caseNode(page, each, number) {
  const title = language === "en" ? each.title : t("register.case", { number: number + 1 });
  const start = button([t("register.play"), " ", title], () => play(page, each.id, box.node), {
    data: { key: `case-${each.id}`, case: each.id },
  });
  const box = el("div", { class: "case" }, start);
  return box;
}

async function play(page, name, box) {
  redraw(box, el("p", { class: "empty", role: "status" }, t("plot.loading")));
  const found = await api
    .get(`/v1/games/${encodeURIComponent(page.game)}/cases/${encodeURIComponent(name)}`)
    .catch(() => null);
  if (page.left) return;
  if (!found) return void redraw(box, el("p", { class: "refusal", role: "alert" }, t("offline")));
  const state = { page, found, box, outcome: 0, step: 0 };
  draw(state);
  box.querySelector("[data-key=case-next]").focus();
}

/** The case at a step of a reading. */
function draw(state) {
  const { page, found, box } = state;
  const outcome = found.outcomes[state.outcome];
  const last = outcome.moments.length - 1;
  state.step = Math.min(state.step, last);
  const moment = outcome.moments[state.step];
  const go = (step) => () => {
    state.step = step;
    draw(state);
    announce(t("register.step", { number: step + 1, last: last + 1 }));
  };
  const steps = el(
    "div",
    { class: "case-steps" },
    button(t("register.back"), go(state.step - 1), { disabled: state.step === 0, data: { key: "case-back" } }),
    el("span", { class: "version" }, t("register.step", { number: state.step + 1, last: last + 1 })),
    button(t("register.next"), go(state.step + 1), { disabled: state.step === last, data: { key: "case-next" } }),
  );
  redraw(
    box,
    readings(state),
    steps,
    told(page, outcome, moment, state.step === last),
    el("div", { class: "case-board" }, board(page.module, tableOf(page.game, moment))),
  );
}

/** The readings of a case: one for each value of its house rule. */
function readings(state) {
  const { outcomes } = state.found;
  if (outcomes.length < 2) return null;
  const press = (number) => draw(Object.assign(state, { outcome: number }));
  const wordsOf = (number) => reading(outcomes[number].options) || t("register.as_given");
  const how = { key: "reading", wordsOf, chosen: state.outcome, press };
  return pressing(t("register.readings"), "readings", [...outcomes.keys()], how);
}

/** What was asked for and what came of it, in sentences; of the last step also how it was decided. */
function told(page, outcome, moment, atEnd) {
  const asked = moment.words
    ? el("p", { class: "asked" }, el("strong", {}, t("register.seat", { number: moment.seat })), " ", moment.words)
    : el("p", { class: "hint" }, t("register.begins"));
  const rule = atEnd && outcome.refused;
  const why = rule && [plainRefusal(page.game, rule) ?? "", " ", ruleLink(page.game, rule)];
  const events = moment.happened.map((event) =>
    item(
      ...(event.explanation ?? event.words).split("\n").map((line) => el("p", {}, line)),
      ...event.rules.map((id) => [" ", ruleLink(page.game, id)]),
    ),
  );
  const says = atEnd && language === "en" ? el("p", { class: "says" }, el("em", {}, outcome.says)) : null;
  return el(
    "div",
    { class: "told-case", role: "status" },
    asked,
    why && el("p", { class: "refusal" }, ...why),
    events.length > 0 && el("ul", { class: "plain" }, ...events),
    says,
  );
}
