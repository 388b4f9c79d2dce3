// Statistics of a game: how often each house rule, opening and ending occurred, and how those who had it fared. The
// address names the filters.

import { api } from "../api.js";
import { button, el, field, redraw, select } from "../dom.js";
import { capital, t } from "../i18n.js";
import { problemWords } from "../problems.js";
import { go, playedAddress } from "../router.js";
import { styled } from "../styles.js";
import { useWords } from "../words.js";
import { featureNode, rowsNode } from "./shares.js";
import { groupsOf, levelWords, YES } from "./features.js";

const FILTERS = ["statistics", "seats", "rated", "level"];
const FEW_GAMES = 30; // of fewer, the page says that luck may explain all of it

/** Shows the statistics of a game in `main`, as the address filters them. */
export function showStatistics(main, where) {
  const page = { main, left: false, filters: filtersOf(where.query), byLevel: null };
  redraw(main, el("p", { class: "empty" }, t("plot.loading")));
  read(page);
  return { shows: () => false, move: () => {}, leave: () => (page.left = true) };
}

const filtersOf = (query) => {
  const given = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, given.get(name)]).filter(([, value]) => value));
};

const path = ({ statistics: game, ...more }) => `/v1/statistics?${new URLSearchParams({ game, ...more })}`;

async function read(page) {
  const game = page.filters.statistics;
  try {
    const [{ games }, { levels }, told] = await Promise.all([
      api.get("/v1/games"),
      api.get("/v1/ai-players"),
      api.get(path(page.filters)),
      useWords(game),
      styled(),
    ]);
    const whom = ["people", "bots", ...levels.filter((level) => level.games.includes(game)).map(({ id }) => id)];
    Object.assign(page, { games, told, whom });
    if (!page.left) draw(page);
  } catch (problem) {
    if (!page.left) redraw(page.main, frame(el("p", { class: "notice", role: "alert" }, problemWords(problem))));
  }
}

function frame(...children) {
  document.title = t("stat.title");
  const head = el(
    "header",
    { class: "reading-head" },
    el("h1", {}, t("stat.title")),
    el("p", { class: "reading-tools" }, el("a", { href: playedAddress({}) }, t("played.title"))),
  );
  return el("article", { class: "played statistics reading-text" }, head, ...children);
}

function draw(page) {
  const { games, features } = page.told;
  redraw(page.main, frame(filterBar(page), ...(games ? figures(page, features) : [none()])));
}

const none = () => el("p", { class: "empty", role: "status" }, t("stat.none"));

function figures(page, features) {
  const { games } = page.told;
  const lead = [
    el("p", { role: "status" }, t("stat.games", { n: games })),
    games < FEW_GAMES && el("p", { class: "notice" }, t("stat.few")),
    el("p", {}, t("stat.read")),
  ];
  const groups = groupsOf(features).map(([name, rows]) =>
    el(
      "section",
      { data: { group: name } },
      el("h2", {}, t(`stat.group.${name}`)),
      el("p", { class: "hint" }, t(`stat.about.${name}`)),
      ...rows.map(featureNode),
      name === "ending" && !page.filters.level && levelsNode(page),
    ),
  );
  return [...lead, ...groups];
}

/** How often each kind of player ends so, once that is asked for: each kind is a question of its own. */
function levelsNode(page) {
  if (!page.byLevel)
    return el(
      "p",
      {},
      button(t("stat.by_level"), () => compare(page), { data: { key: "by-level" } }),
    );
  const names = groupsOf(page.told.features).find(([name]) => name === "ending")[1];
  return el(
    "section",
    { data: { key: "by-level", group: "levels" }, tabindex: -1 },
    el("h3", {}, t("stat.by_level")),
    ...names.map(({ name }) => rowsNode(t(`stat.feature.${name}`), rowsOf(page.byLevel, name), "share")),
  );
}

/** The rows of a feature: of each kind of player those seats that have it, out of all of which it is told. */
const rowsOf = (byLevel, name) =>
  byLevel.flatMap(({ level, features }) => {
    const feature = features.find((one) => one.name === name && one.of === "seat");
    const row = feature?.values.find(({ value }) => value === YES);
    return feature ? [{ words: levelWords(level), seats: feature.seats, share: row?.share ?? null }] : [];
  });

async function compare(page) {
  const asked = page.whom.map((level) => api.get(path({ ...page.filters, level })));
  try {
    const found = await Promise.all(asked);
    page.byLevel = found.map(({ features }, number) => ({ level: page.whom[number], features }));
    if (!page.left) draw(page);
  } catch (problem) {
    if (!page.left) redraw(page.main, frame(el("p", { class: "notice", role: "alert" }, problemWords(problem))));
  }
}

function filterBar({ games, filters, whom }) {
  const any = ["", t("lobby.any")];
  const game = games.find((one) => one.id === filters.statistics);
  const chooser = (name, key, rows) => field(t(key), select(name, rows, filters[name] ?? ""));
  const form = el(
    "form",
    { class: "filters", role: "search", "aria-label": t("played.filters") },
    chooser(
      "statistics",
      "played.game",
      games.map(({ id: slug, title }) => [slug, title]),
    ),
    chooser("seats", "played.seats", [any, ...game.players.map((count) => [String(count), String(count)])]),
    chooser("rated", "played.rated", [any, ...["true", "false"].map((each) => [each, t(`played.rated.${each}`)])]),
    chooser("level", "stat.level", [any, ...whom.map((level) => [level, capital(levelWords(level))])]),
  );
  form.addEventListener("change", ({ target }) => {
    const chosen = Object.fromEntries(new FormData(form));
    if (target.name === "statistics") Object.assign(chosen, { seats: "", level: "" }); // another game, other numbers
    go(playedAddress(chosen));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}
