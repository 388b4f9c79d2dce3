// The lobby drawn: the games, the filters, the lists of tables.

import { button, el, field, item, select, unseen } from "../dom.js";
import { capital, moment, t } from "../i18n.js";
import { picture } from "../pictures.js";
import { portrait } from "../portraits.js";
import { rangeWords, sitter } from "./seats.js";
import { addressOf, playedAddress, rulesAddress } from "../router.js";
import { likedPlayers } from "../ai-levels.js";
import { concerns, countOf, LISTS, ownList, PERIODS } from "../state/lobby.js";

const MOST_LETTERS = 40;

export const hero = () => el("div", { class: "hero" }, el("h1", {}, t("lobby.title")), el("p", {}, t("lobby.lead")));

/** What a winter count is, and where these games come from. */
export const about = () =>
  el("section", { class: "about" }, el("h2", {}, t("about.title")), el("p", {}, t("about.text")));

/** The games; `play`, `invite` and `learn` are asked for one of them, `load` for a text. */
export const gameList = (games, asked) =>
  el(
    "section",
    { class: "games", "aria-labelledby": "games-title" },
    el("h2", { id: "games-title" }, t("lobby.games")),
    el("ul", { class: "game-list" }, ...games.map((game) => gameCard(game, asked))),
    el(
      "p",
      { class: "load" },
      button(t("loading"), asked.load, { class: "quiet", data: { key: "load" } }),
      " ",
      el("a", { class: "quiet-link", href: playedAddress({}), data: { key: "played" } }, t("played.title")),
    ),
  );

function gameCard(game, { play, invite, learn }) {
  const players = `${Math.min(...game.players)}–${Math.max(...game.players)}`;
  const seats = game.players.length > 1 ? t("game.players", { players }) : t("game.two");
  const way = (name, go, data, props) =>
    button([t(`game.${name}`), unseen(` ${game.title}`)], () => go(game), {
      ...props,
      data: { key: `${name}-${game.id}`, ...data },
    });
  const link = (key, href) => el("a", { class: "quiet-link", href }, t(key), unseen(` ${game.title}`));
  const words = el(
    "div",
    { class: "game-words" },
    el("h3", {}, game.title),
    el("p", { class: "game-players" }, seats),
    el("p", { class: "game-about" }, t(`about.${game.id}`)),
    el(
      "p",
      { class: "game-go" },
      way("play", play, { game: game.id }, { class: "primary" }),
      way("invite", invite),
      game.lesson && way("learn", learn, { learn: game.id }),
      link("rules.link", rulesAddress(game.id)),
      link("lobby.leaders", playedAddress({ game: game.id, seats: likedPlayers(game) })),
    ),
  );
  return el("li", { class: "game" }, picture(game.id), words);
}

/** Which tables are listed; `choose(filters)` is called on a change. Folded at first, unless some were chosen. */
export function filterBar(games, filters, choose, { known, open }) {
  const any = ["", t("lobby.any")];
  const chooser = (name, values, wordsOf) => {
    const rows = values.map((value) => [value, wordsOf(value)]);
    return field(t(`lobby.filter.${name}`), select(name, [any, ...rows], filters[name] ?? ""));
  };
  const titles = titlesOf(games);
  const player = el("input", {
    type: "search",
    name: "player",
    maxlength: MOST_LETTERS,
    defaultValue: filters.player ?? "",
  });
  const change = (event) => {
    if (event.type === "submit") event.preventDefault();
    choose(Object.fromEntries(new FormData(event.currentTarget)));
  };
  const form = el(
    "form",
    { class: "filters", role: "search", "aria-label": t("lobby.filters"), on: { change, submit: change } },
    chooser("game", [...titles.keys()], (id) => titles.get(id)),
    chooser("status", LISTS, (status) => t(`lobby.${status}`)),
    field(t("lobby.filter.player"), player),
    chooser("when", PERIODS, (period) => t(`lobby.when.${period}`)),
    known && chooser("open_to", ["me"], () => t("lobby.open_to.me")),
  );
  return el("details", { class: "filtering", open }, el("summary", {}, t("lobby.filters")), form);
}

const titlesOf = (games) => new Map(games.map(({ id, title }) => [id, title]));

const drawing = ({ games, lists }, filters, more) => ({
  titles: titlesOf(games),
  waiting: new Set(lists.turn?.rows.map((row) => row.id)),
  filters,
  more,
});

/** My tables that go on; null if there are none. `more(name)` is asked for more rows of a list. */
export function continued(found, filters, more) {
  const own = ownList(found.lists);
  return own.rows.length ? tables(drawing(found, filters, more), "mine", own) : null;
}

/** The lists of everybody; of those that go on without my own. */
export function tableLists(found, filters, me, more) {
  const { lists } = found;
  const shown = (name) => (name === "finished" ? lists[name] : othersOf(lists[name], me));
  const drawn = LISTS.filter((name) => lists[name]).map((name) =>
    tables(drawing(found, filters, more), name, shown(name)),
  );
  return el("div", { class: "table-lists" }, ...drawn);
}

const othersOf = (list, me) => ({ ...list, rows: list.rows.filter((row) => !concerns(row, me)) });

function tables({ titles, filters, waiting, more }, name, list) {
  const id = `list-${name}`;
  const count = el("span", { class: "list-count" }, countOf(list, filters));
  const rows = list.rows.length
    ? el("ul", { class: "table-list" }, ...list.rows.map((row) => tableRow(row, name === "mine", titles, waiting)))
    : el("p", { class: "empty" }, t(Object.keys(filters).length ? "lobby.none" : `lobby.no_${name}`));
  const words = [t("lobby.more"), unseen(` ${t(`lobby.${name}`)}`)];
  const further = button(words, () => more(name), { data: { key: `more-${name}`, more: name } });
  const heading = el("h2", { id }, t(`lobby.${name}`), " ", count);
  return el("section", { class: `list list-${name}`, "aria-labelledby": id }, heading, rows, list.next && further);
}

function tableRow(row, isMine, titles, waiting) {
  const turn = waiting.has(row.id);
  const state = turn ? t("lobby.your_turn") : t(`lobby.${isMine ? "own" : "go"}.${row.status}`);
  const names = row.seats.map((seat) => el("span", { class: "who-sits" }, portrait(seat, seat.seat), sitter(seat)));
  return item(
    el(
      "a",
      { href: addressOf(row.id), class: `table-row${turn ? " waiting" : ""}`, data: { key: row.id } },
      el(
        "span",
        { class: "table-game" },
        capital(titles.get(row.game) ?? row.game),
        row.forked_from && [" ", el("span", { class: "badge" }, t("fork.badge"))],
      ),
      el(
        "span",
        { class: "table-seats" },
        ...names,
        row.ratings && el("span", { class: "hint" }, rangeWords(row.ratings)),
      ),
      el("span", { class: "table-when" }, moment(row.at)),
      el("span", { class: `table-go${turn ? " badge acting" : ""}` }, state),
    ),
  );
}
