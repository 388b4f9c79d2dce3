// The lobby drawn: the games, the filters, the lists of tables.

import { button, el, field, select } from "../dom.js";
import { capital, moment, t } from "../i18n.js";
import { picture } from "../pictures.js";
import { portrait } from "../portraits.js";
import { rangeWords } from "../ranges.js";
import { addressOf, playedAddress, rulesAddress } from "../router.js";
import { likedPlayers } from "../state/levels.js";
import { concerns, countOf, LISTS, ownList, PERIODS } from "../state/lobby.js";
import { sitter } from "./sitter.js";

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
  const title = () => el("span", { class: "unseen" }, ` ${game.title}`);
  const begin = button([t("game.play"), title()], () => play(game), {
    class: "primary",
    data: { key: `play-${game.id}`, game: game.id },
  });
  const friend = button([t("game.invite"), title()], () => invite(game), { data: { key: `invite-${game.id}` } });
  const lesson =
    game.lesson &&
    button([t("game.learn"), title()], () => learn(game), {
      data: { key: `learn-${game.id}`, learn: game.id },
    });
  const rules = el("a", { class: "quiet-link", href: rulesAddress(game.id) }, t("rules.link"), title());
  const leaders = playedAddress({ game: game.id, seats: likedPlayers(game) });
  const words = el(
    "div",
    { class: "game-words" },
    el("h3", {}, game.title),
    el("p", { class: "game-players" }, seats),
    el("p", { class: "game-about" }, t(`about.${game.id}`)),
    el(
      "p",
      { class: "game-go" },
      begin,
      friend,
      lesson,
      rules,
      el("a", { class: "quiet-link", href: leaders }, t("lobby.leaders"), title()),
    ),
  );
  return el("li", { class: "game" }, picture(game.id), words);
}

/** Which tables are listed; `choose(filters)` is called on a change. Folded at first, unless some were chosen. */
export function filterBar(games, filters, choose, { known, open }) {
  const any = ["", t("lobby.any")];
  const chooser = (name, rows) => field(t(`lobby.filter.${name}`), select(name, [any, ...rows], filters[name] ?? ""));
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
    chooser(
      "game",
      games.map(({ id, title }) => [id, title]),
    ),
    chooser(
      "status",
      LISTS.map((status) => [status, t(`lobby.${status}`)]),
    ),
    field(t("lobby.filter.player"), player),
    chooser(
      "when",
      PERIODS.map((period) => [period, t(`lobby.when.${period}`)]),
    ),
    known && chooser("open_to", [["me", t("lobby.open_to.me")]]),
  );
  return el("details", { class: "filtering", open }, el("summary", {}, t("lobby.filters")), form);
}

const drawing = ({ games, lists }, filters, more) => ({
  titles: new Map(games.map((game) => [game.id, game.title])),
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
  const further = button(
    [t("lobby.more"), el("span", { class: "unseen" }, ` ${t(`lobby.${name}`)}`)],
    () => more(name),
    {
      data: { key: `more-${name}`, more: name },
    },
  );
  const heading = el("h2", { id }, t(`lobby.${name}`), " ", count);
  return el("section", { class: `list list-${name}`, "aria-labelledby": id }, heading, rows, list.next && further);
}

function tableRow(row, isMine, titles, waiting) {
  const turn = waiting.has(row.id);
  const state = turn ? t("lobby.your_turn") : t(`lobby.${isMine ? "own" : "go"}.${row.status}`);
  const names = row.seats.map((seat) => el("span", { class: "who-sits" }, portrait(seat, seat.seat), sitter(seat)));
  return el(
    "li",
    {},
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
