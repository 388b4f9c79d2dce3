// The lobby: what waits for me, the games, the tables. Its address names the filters.

import { el, redraw } from "./dom.js";
import { call } from "./effects/calling.js";
import { readLobby } from "./effects/lobby.js";
import { inviteFriend, learn } from "./effects/starting.js";
import { chosenCalls } from "./effects/sound.js";
import { loadMoreWords, t } from "./i18n.js";
import { playNow } from "./opening.js";
import { addressOf, lobbyAddress, replace } from "./router.js";
import { account, isLost } from "./session.js";
import { filtersOf, FIRST, MORE } from "./state/lobby.js";
import { continued, filterBar, gameList, hero, tableLists } from "./views/lobby.js";

const AGAIN_MS = 5000; // the lobby has no stream: it is asked again while somebody looks at it

const wantsCalls = ({ sound, notice }) => sound || notice;

/** Whether somebody looks at the lobby, or wants to be called. */
const isWatched = () => !document.hidden || (account && wantsCalls(chosenCalls()));

/** Few come with a text: what loads it is fetched when somebody does. */
const loadGame = async () => {
  const [loading] = await Promise.all([import("./loading.js"), loadMoreWords()]);
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
  #drawn = null;
  #turns = null; // the tables where it was my turn when the lobby was read last
  #counts = {};

  constructor(main, filters) {
    this.filters = filters;
    this.boxes = { own: el("div", {}), games: el("div", {}), filters: el("div", {}), lists: el("div", {}) };
    this.problem = el("div", {});
    main.append(this.problem, hero(), ...Object.values(this.boxes));
  }

  shows = (where) => where.name === "lobby";

  /** Other filters, by the address. */
  move({ query }) {
    this.filters = filtersOf(query);
    this.#counts = {};
    this.#drawn = null;
    this.boxes.filters.replaceChildren();
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
    redraw(this.problem, found ? lostAccount() : notice("offline"));
    const key = JSON.stringify(found);
    if (found && key !== this.#drawn) this.#draw(found);
    this.#drawn = key;
  }

  #draw(found) {
    const { own, games, filters, lists } = this.boxes;
    const turns = found.lists.turn?.rows ?? [];
    document.title = turns.length ? `(${turns.length}) Wintercount` : "Wintercount";
    redraw(games, gameList(found.games, { play: playNow, invite: inviteFriend, learn, load: loadGame }));
    if (!filters.hasChildNodes())
      filters.append(filterBar(found.games, this.filters, (chosen) => this.#choose(chosen), account !== null));
    const more = (name) => this.#more(name);
    redraw(own, continued(found, this.filters, more));
    redraw(lists, tableLists(found, this.filters, account?.player, more));
    this.#callFor(turns);
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
