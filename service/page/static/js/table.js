// A table: as it stands, live, or at a moment of its history. This module knows what is shown; others draw it.

import { actions } from "./actions.js";
import { api } from "./api.js";
import { Composer } from "./composer.js";
import { announce, el, redraw } from "./dom.js";
import { gameModule } from "./games/index.js";
import { head } from "./head.js";
import { Chronicle } from "./chronicle.js";
import { Lineage } from "./forks.js";
import { Court } from "./court.js";
import { t } from "./i18n.js";
import { Panels } from "./panels.js";
import { problemWords, showProblem } from "./problems.js";
import { addressOf, replace } from "./router.js";
import { scoreSheet } from "./scores.js";
import { isArbiter } from "./session.js";
import { follow } from "./stream.js";
import { Timeline } from "./timeline.js";
import { Tools } from "./tools.js";
import { waitingRoom } from "./waiting.js";

const GATHER_MS = 120; // AI seats play several events at once: they are shown together

/** Shows a table in `main` until `leave` is called on what this returns. */
export function showTable(main, where, onAccount) {
  const page = new TablePage(main, where, onAccount);
  page.enter();
  return page;
}

class TablePage {
  constructor(main, where, onAccount) {
    Object.assign(this, { id: where.table, at: where.at, seat: where.seat, onAccount });
    Object.assign(this, { live: null, shown: null, game: null, composer: null, connection: "lost", busy: false });
    this.chronicle = new Chronicle(this.id);
    this.timeline = new Timeline(this);
    this.court = new Court(this);
    this.lineage = new Lineage(this);
    this.panels = new Panels(this);
    this.boxes = Object.fromEntries(["head", "time", "court", "board", "moves", "score", "panels"].map((name) => [name, el("div", { class: `box-${name}` })]));
    const { head: top, time, court, board, moves, score, panels } = this.boxes;
    this.frame = el("div", { class: "table-page" }, top, time, court, el("div", { class: "table-grid" }, el("div", { class: "play" }, board, moves), el("aside", { "aria-label": t("aside") }, score, panels)));
    main.append(this.frame);
  }

  get over() {
    return this.live.view?.over ?? false;
  }

  /** The version that is looked at. */
  get version() {
    return this.at ?? this.live.version;
  }

  async enter() {
    try {
      this.live = await api.get(`/v1/tables/${this.id}`);
      this.game = await gameModule(this.live.game);
    } catch (problem) {
      return redraw(this.boxes.head, el("h1", {}, t("table.none")), el("p", { role: "alert" }, problemWords(problem)), el("a", { href: "#/" }, t("table.back")));
    }
    await Promise.all([this.#recent(), this.lineage.read()]);
    await this.#look();
    if (this.left) return;
    this.stream = follow(this.id, this.live.version, {
      onEvent: () => this.#soon(),
      onState: (state) => this.#heard(state),
    });
  }

  /** Whatever could not be read while the connection was lost is read when it is back. */
  #heard(state) {
    if (state === "live" && this.lost) this.#soon();
    this.lost = state === "lost";
    this.connection = state;
    redraw(this.boxes.head, head(this));
  }

  async #recent() {
    await this.chronicle.catchUp(this.live.version);
    await this.court.catchUp(this.chronicle.rows);
  }

  shows(where) {
    return where.name === "table" && where.table === this.id && this.live !== null;
  }

  /** Another moment of the same table, by the address. */
  move(where) {
    Object.assign(this, { at: where.at, seat: where.seat });
    return this.#look();
  }

  leave() {
    this.left = true;
    this.stream?.stop();
    this.timeline.leave();
    clearTimeout(this.gathering);
  }

  /** Goes to a version; null is the table as it stands. */
  travel(version) {
    const at = version === null ? null : Math.min(Math.max(version, 1), this.live.version);
    if (at === this.at) return Promise.resolve();
    this.at = at;
    this.#lower();
    replace(addressOf(this.id, at, this.seat));
    return this.#look();
  }

  /** An arbiter looks through a seat no further than the disputed version, and no longer than the dispute is open. */
  #lower() {
    if (!isArbiter(this.live) || this.over || !this.seat) return;
    if (!this.at || this.at > this.court.reach(this.seat)) this.seat = null;
  }

  /** Looks with the eyes of another seat. */
  async lookAs(seat) {
    const until = seat && !this.over ? await this.court.look(seat) : null;
    this.seat = seat;
    if (until !== null) this.at = Math.min(this.at ?? until, until) || null;
    this.#lower();
    replace(addressOf(this.id, this.at, this.seat));
    return this.#look();
  }

  #soon() {
    clearTimeout(this.gathering);
    this.gathering = setTimeout(() => this.refresh(), GATHER_MS);
  }

  /** Reads what has happened meanwhile. */
  async refresh() {
    try {
      this.#know(await api.get(`/v1/tables/${this.id}`));
      await this.#told(this.live.version);
      await this.#look();
    } catch (problem) {
      if (problem.code !== "offline") throw problem; // the stream connects again, and that refreshes
    }
  }

  /** Answers may overtake one another: the newest table counts. */
  #know(table) {
    if (table.version >= this.live.version) this.live = table;
  }

  async #told(version) {
    const news = await this.chronicle.catchUp(version);
    await this.court.catchUp(news);
    if (this.at === null && news.length) announce(news.map((event) => event.words).join(" "));
  }

  async #look() {
    this.#lower();
    const asked = `${this.at}-${this.seat}-${this.live.version}`;
    this.asked = asked;
    this.frame.ariaBusy = "true";
    try {
      const [shown] = await Promise.all([this.#document(), this.at && this.chronicle.whole()]);
      if (!this.at && !this.seat) await this.#decide();
      if (this.asked !== asked || this.left) return; // somebody went on meanwhile
      this.shown = shown;
      this.draw();
      if (this.at) await this.timeline.highlight(asked);
    } catch (problem) {
      if (problem.code !== "offline") showProblem(problem, this.live.game);
    } finally {
      if (this.asked === asked) this.frame.ariaBusy = "false";
    }
  }

  #document() {
    const query = new URLSearchParams();
    if (this.at) query.set("at", this.at);
    if (this.seat) query.set("seat", this.seat);
    return query.size ? api.get(`/v1/tables/${this.id}?${query}`) : this.live;
  }

  #compose([decision]) {
    this.composer = decision ? new Composer(decision) : null;
  }

  /** What I have to decide now; picks made for the same decision are kept. */
  async #decide() {
    const mine = this.live.decisions.find((decision) => decision.seat === this.live.seat);
    if (!mine) return (this.composer = null);
    if (this.composer?.decision.decision === mine.decision) return null;
    const { decisions } = await api.get(`/v1/tables/${this.id}/moves`);
    if (decisions[0]?.decision !== this.composer?.decision.decision) this.#compose(decisions);
    return null;
  }

  draw() {
    const { shown, boxes } = this;
    const composer = this.at || this.seat || this.busy || this.live.paused ? null : this.composer;
    const tools = new Tools(shown, composer, (fields, value, picked) => this.#click(fields, value, picked));
    document.title = `${t(`title.${shown.game}`)} · Wintercount`;
    redraw(boxes.head, head(this));
    redraw(boxes.time, this.timeline.draw());
    redraw(boxes.court, this.court.banner());
    redraw(boxes.board, el("section", { class: `board board-${shown.game}`, "aria-label": t("board") }, shown.view ? this.game.draw(shown, tools) : waitingRoom(this)));
    redraw(boxes.moves, shown.view ? actions(this, tools, composer) : null);
    redraw(boxes.score, shown.scores ? scoreSheet(shown, this.game.suits(shown)) : null);
    redraw(boxes.panels, this.panels.draw());
  }

  #click(fields, value, picked) {
    if (this.busy || !this.composer) return null; // what was clicked is not drawn anew yet
    if (picked) this.composer.unpick(fields, value);
    else this.composer.pick(fields, value);
    const { form } = this.composer;
    if (form?.settled) return this.play(form.ready());
    const refused = form?.refused();
    if (refused) return this.#whyNot(refused);
    return this.draw();
  }

  /** Plays a move; the answer already holds the table and what is to be decided next. */
  async play(move) {
    if (this.busy) return;
    const { decision, seat } = this.composer.decision;
    this.busy = true;
    this.draw();
    try {
      const played = await api.post(`/v1/tables/${this.id}/moves`, { game: this.live.game, seat, decision, move });
      this.#know(played.table);
      this.#compose(played.decisions);
    } catch (problem) {
      this.composer?.clear();
      await showProblem(problem, this.live.game);
    }
    this.busy = false;
    await this.refresh();
  }

  async #whyNot(move) {
    const told = await api.post(`/v1/tables/${this.id}/moves/check`, { game: this.live.game, seat: this.live.seat, move });
    this.composer.clear();
    this.draw();
    if (!told.legal) await showProblem({ rule: told.rule, message: told.detail }, this.live.game);
  }

  /** Something that is done to a seat of a table that has not begun. */
  async seatDo(method, seat, body) {
    try {
      this.live = await api[method](`/v1/tables/${this.id}/seats/${seat}`, body);
      this.onAccount();
      await this.refresh();
    } catch (problem) {
      await showProblem(problem);
    }
  }
}
