// The lobby: what waits for me, the games, the tables. Its address names the filters.

import { api } from "./api.js";
import { el, redraw } from "./dom.js";
import { call, chosenCalls } from "./effects/sounds.js";
import { inviteFriend, learn } from "./effects/quick-start.js";
import { loadMoreWords, t } from "./i18n.js";
import { playNow } from "./open-table.js";
import { addressOf, lobbyAddress, replace } from "./router.js";
import { account, isLost } from "./session.js";
import { filtersOf, FIRST, MORE, queries } from "./state/lobby.js";
import { about, continued, filterBar, gameList, hero, tableLists } from "./views/lobby.js";

const AGAIN_MS = 5000; // the lobby has no stream: it is asked again while somebody looks at it
const LONGEST = 200; // rows of a page, at most
const PAGES = 20; // a filter that fits few tables is looked for no further at once

const pathOf = (query) =>
  `/v1/tables?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`;

/** The first rows of a list, so many if there are: `{ rows, total, next }`. */
async function readList(query, count) {
  const found = { rows: [], total: 0, next: null };
  for (let page = 0; page < PAGES; page += 1) {
    const limit = Math.min(LONGEST, count - found.rows.length);
    const cursor = found.next ?? undefined;
    const { tables, total, next } = await api.get(pathOf({ ...query, limit, cursor }));
    Object.assign(found, { rows: [...found.rows, ...tables], total, next });
    if (!next || found.rows.length >= count) break;
  }
  return found;
}

/** All that the lobby shows: the games, and each list by its name; `count(name)` is how many of its rows are looked at. */
async function readLobby(filters, known, count) {
  const asked = Object.entries(queries(filters, known, new Date()));
  const [{ games }, ...lists] = await Promise.all([
    api.get("/v1/games"),
    ...asked.map(([name, query]) => readList(query, count(name))),
  ]);
  return { games, lists: Object.fromEntries(asked.map(([name], index) => [name, lists[index]])) };
}

const wantsCalls = ({ sound, notice }) => sound || notice;

/** Whether somebody looks at the lobby, or wants to be called. */
const isWatched = () => !document.hidden || (account && wantsCalls(chosenCalls()));

/** Few come with a text: what loads it is fetched when somebody does. */
const loadGame = async () => {
  const [loading] = await Promise.all([import("./load-notation.js"), loadMoreWords()]);
  return loading.loadGame();
};

/** Shows the lobby in `main` until `leave` is called on what this returns. */
export function showLobby(main, where) {
  const lobby = new Lobby(main, filtersOf(where.query));
  lobby.refresh();
  return lobby;
}

const notice = (said) => el("p", { class: "notice", role: "alert" }, t(said));
const lostAccount = () => (isLost ? notice("account.lost") : null);

class Lobby {
  #left = false;
  #timer = null;
  #asked = 0; // of several readings the newest counts
  #moves = 0; // to other filters, by the address
  #filtered; // whether that address names any
  #found = null;
  #turns = null; // the tables where it was my turn when the lobby was read last
  #counts = {};

  constructor(main, filters) {
    this.#filter(filters);
    this.main = main;
    this.#draw(null);
  }

  #filter(filters) {
    this.filters = filters;
    this.#filtered = Object.keys(filters).length > 0;
  }

  shows = (where) => where.name === "lobby";

  /** Other filters, by the address. */
  move({ query }) {
    this.#filter(filtersOf(query));
    this.#counts = {};
    this.#moves += 1;
    this.refresh();
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
  }

  /** Reads the lobby now, and again and again. */
  async refresh() {
    clearTimeout(this.#timer);
    const asked = (this.#asked += 1);
    if (isWatched()) await this.#read(asked);
    if (!this.#left && asked === this.#asked) this.#timer = setTimeout(() => this.refresh(), AGAIN_MS);
  }

  async #read(asked) {
    const count = (name) => this.#counts[name.split("-")[0]] ?? FIRST; // those of `mine` grow together
    const found = await readLobby(this.filters, account !== null, count).catch(() => null);
    if (this.#left || asked !== this.#asked) return;
    this.#found = found ?? this.#found;
    this.#draw(found ? lostAccount() : notice("offline"));
  }

  #draw(problem) {
    redraw(this.main, problem, hero(), this.#found && this.#parts(this.#found));
  }

  #parts(found) {
    const turns = found.lists.turn?.rows ?? [];
    document.title = turns.length ? `(${turns.length}) Wintercount` : "Wintercount";
    this.#callFor(turns);
    const more = (name) => this.#more(name);
    const filters = filterBar(found.games, this.filters, (chosen) => this.#choose(chosen), {
      known: account !== null,
      open: this.#filtered,
    });
    filters.key = `filters ${this.#moves}`; // what is being typed stays
    return [
      continued(found, this.filters, more),
      gameList(found.games, { play: playNow, invite: inviteFriend, learn, load: loadGame }),
      filters,
      tableLists(found, this.filters, account?.player, more),
      about(),
    ];
  }

  /** Filters that were chosen stand in the address: a reload, and the way back from a table, keep them. */
  #choose(chosen) {
    replace(lobbyAddress(chosen));
    this.filters = filtersOf(new URLSearchParams(chosen));
    this.#counts = {};
    return this.refresh();
  }

  #more(name) {
    const count = (this.#counts[name] ?? FIRST) + MORE;
    this.#counts = { ...this.#counts, [name]: count };
    return this.refresh();
  }

  #callFor(turns) {
    const fresh = turns.filter((row) => this.#turns && !this.#turns.has(row.id));
    this.#turns = new Set(turns.map((row) => row.id));
    for (const row of fresh) call(t("turn.yours", { title: t(`title.${row.game}`) }), addressOf(row.id));
  }
}
