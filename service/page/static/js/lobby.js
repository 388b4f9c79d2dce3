// The lobby: what waits for me, the games, the tables.

import { api } from "./api.js";
import { el, redraw } from "./dom.js";
import { capital, moment, t } from "./i18n.js";
import { mark } from "./marks.js";
import { seatName } from "./names.js";
import { playNow } from "./opening.js";
import { picture } from "./pictures.js";
import { addressOf, rulesAddress } from "./router.js";
import { account } from "./session.js";

const AGAIN_MS = 5000; // the lobby has no stream: it is asked again while somebody looks at it
const SHOWN = 8;

/** Shows the lobby in `main` until `leave` is called on what this returns. */
export function showLobby(main) {
  let drawn = null;
  const state = { stopped: false };

  async function refresh() {
    if (state.stopped) return;
    if (!document.hidden) {
      const found = await read().catch((problem) => ({ problem: problem.message }));
      const key = JSON.stringify(found);
      if (!state.stopped && key !== drawn) redraw(main, draw(found));
      drawn = key;
    }
    state.timer = setTimeout(refresh, AGAIN_MS);
  }

  refresh();
  return {
    shows: (where) => where.name === "lobby",
    move: () => {},
    leave: () => {
      state.stopped = true;
      clearTimeout(state.timer);
    },
  };
}

async function read() {
  const mine = account ? [api.get("/v1/tables?mine=true&limit=200"), api.get("/v1/inbox?limit=200")] : [];
  const asked = [
    api.get("/v1/games"),
    ...["open", "running", "finished"].map((status) => api.get(`/v1/tables?status=${status}&limit=${SHOWN}`)),
    ...mine,
  ];
  const [games, open, running, finished, own, inbox] = await Promise.all(asked);
  return {
    games: games.games,
    open: open.tables,
    running: running.tables,
    finished: finished.tables,
    own: own?.tables ?? [],
    inbox: inbox?.decisions ?? [],
  };
}

function draw(found) {
  if (found.problem) return [el("p", { class: "notice", role: "alert" }, t("offline"))];
  const titles = new Map(found.games.map((game) => [game.game, game.title]));
  const mine = new Set(found.own.map((row) => row.table));
  const waiting = new Set(found.inbox.map((decision) => decision.table));
  const others = (rows) => rows.filter((row) => !mine.has(row.table));
  document.title = waiting.size ? `(${waiting.size}) Wintercount` : "Wintercount";
  return [
    el("div", { class: "hero" }, el("h1", {}, t("lobby.title")), el("p", {}, t("lobby.lead"))),
    tables("mine", t("lobby.mine"), sorted(found.own, waiting).slice(0, SHOWN), titles, waiting),
    el(
      "section",
      { class: "games", "aria-labelledby": "games-title" },
      el("h2", { id: "games-title" }, t("lobby.games")),
      el("ul", { class: "game-list" }, ...found.games.map(gameCard)),
    ),
    el(
      "div",
      { class: "table-lists" },
      tables("open", t("lobby.open"), others(found.open), titles, waiting, t("lobby.no_open")),
      tables("running", t("lobby.running"), others(found.running), titles, waiting, t("lobby.no_running")),
      tables("finished", t("lobby.finished"), others(found.finished), titles, waiting),
    ),
  ];
}

/** Those where it is my turn first, then those that go on, then the newest. */
function sorted(rows, waiting) {
  const place = (row) => (waiting.has(row.table) ? 0 : row.status === "finished" ? 2 : 1);
  return [...rows].sort((one, other) => place(one) - place(other) || other.at.localeCompare(one.at));
}

function gameCard(game) {
  const players = `${Math.min(...game.players)}–${Math.max(...game.players)}`;
  const seats = game.players.length > 1 ? t("game.players", { players }) : t("game.two");
  const play = el(
    "button",
    {
      type: "button",
      class: "primary",
      on: { click: () => playNow(game) },
      data: { key: `play-${game.game}`, game: game.game },
    },
    t("game.play"),
    el("span", { class: "unseen" }, ` ${game.title}`),
  );
  const rules = el(
    "a",
    { class: "quiet-link", href: rulesAddress(game.game) },
    t("rules.link"),
    el("span", { class: "unseen" }, ` ${game.title}`),
  );
  const words = el(
    "div",
    { class: "game-words" },
    el("h3", {}, game.title),
    el("p", { class: "game-players" }, seats),
    el("p", { class: "game-about" }, t(`about.${game.game}`)),
    el("p", { class: "game-go" }, play, " ", rules),
  );
  return el("li", { class: "game" }, picture(game.game), words);
}

function tables(name, title, rows, titles, waiting, none) {
  if (!rows.length && !none) return null;
  const id = `list-${name}`;
  const list = rows.length
    ? el("ul", { class: "table-list" }, ...rows.map((row) => tableRow(row, titles, waiting)))
    : el("p", { class: "empty" }, none);
  return el("section", { class: `list list-${name}`, "aria-labelledby": id }, el("h2", { id }, title), list);
}

function tableRow(row, titles, waiting) {
  const turn = waiting.has(row.table);
  const state = turn ? t("lobby.your_turn") : t(`lobby.go.${row.status}`);
  const names = row.seats.map((seat) =>
    el(
      "span",
      { class: "who-sits" },
      mark(seat.seat),
      seatName(seat.level ? { ...seat, ai: { level: seat.level } } : seat),
    ),
  );
  return el(
    "li",
    {},
    el(
      "a",
      { href: addressOf(row.table), class: `table-row${turn ? " waiting" : ""}`, data: { key: row.table } },
      el("span", { class: "table-game" }, capital(titles.get(row.game) ?? row.game)),
      el("span", { class: "table-seats" }, ...names),
      el("span", { class: "table-when" }, moment(row.at)),
      el("span", { class: `table-go${turn ? " badge acting" : ""}` }, state),
    ),
  );
}
