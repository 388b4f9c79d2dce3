// A table as it stands or at a moment of its history: the parts of the page, drawn anew from the state at each change.

import { announce, classify, el, redraw } from "../dom.js";
import { speedOf } from "../effects/catch-up.js";
import { call } from "../effects/sounds.js";
import { isGuided } from "../effects/lesson.js";
import { keptAsk, keptSpeed, tableEffects } from "../effects/table.js";
import { capital, t } from "../i18n.js";
import { hide as hideHelp } from "../popover.js";
import { problemWords } from "../problems.js";
import { addressOf } from "../router.js";
import { composing, createStore, isMyTurn, isOver, opening, reduce } from "../state/table.js";
import { nearestPlace } from "../state/timeline.js";
import { tick, ticking } from "./clocks.js";
import { notices } from "./disputes.js";
import { explain } from "./piece-help.js";
import { gameEnd } from "./game-end.js";
import { gameModule } from "./games/index.js";
import { guide, point } from "./lesson-guide.js";
import { head as headOf } from "./table-bar.js";
import { lightUp, logLineText } from "./log-line.js";
import { drawnIn, travel } from "./moving-pieces.js";
import { panels } from "./side-panels.js";
import { trial } from "./catch-up.js";
import { scoreSheet } from "./scores.js";
import { seatStrip } from "./seats.js";
import { onKey, timeline } from "./timeline.js";
import { Tools } from "./clickable-pieces.js";
import { lineOf, tray } from "./own-tray.js";
import { greet, waitingRoom } from "./before-start.js";

const HELP_LINE = { class: "help-line", id: "help-line", role: "tooltip" }; // filled by `popover.js`
const WIDE = "(min-width: 1080px)"; // where the drawer has room beside the table

/** Shows a table in `main` until `leave` is called on what this returns. */
export function showTable(main, where, onAccount) {
  const store = createStore(reduce, opening(where, kept(where)));
  const page = new TablePage(main, store, onAccount, where.sit);
  page.act.enter();
  return page;
}

const kept = ({ table }) => ({
  ask: keptAsk(),
  speed: keptSpeed(),
  wide: matchMedia(WIDE).matches,
  guided: isGuided(table),
});

const SKIPPING = new Set([" ", "Enter", "Escape"]);

class TablePage {
  #drawing = false;
  #invited = null; // the seat whose address led here
  #drawn = null; // the document that was drawn last, with where it was looked at
  #decided = null; // the decision that was open last
  #told = 0; // the version up to which those who do not look were told
  #keys = (event) => this.#skips(event) || onKey(this, event);

  constructor(main, store, onAccount, sit) {
    const game = async (slug) => (this.game = await gameModule(slug));
    const turn = () => call(t("turn.yours", { title: this.#title }), addressOf(this.state.id));
    const hooks = { game, onAccount, turn };
    Object.assign(this, { store, game: null, act: tableEffects(store, hooks) });
    this.#invited = sit;
    this.main = main;
    this.#render();
    document.body.dataset.view = "table";
    document.addEventListener("keydown", this.#keys);
    this.stop = store.subscribe(() => this.#soon());
    this.stopClocks = ticking(main, () => this.#ticks);
  }

  /** A key goes on from what is played out; it does nothing else then. */
  #skips(event) {
    const elsewhere = event.target.closest?.("dialog, input, select, textarea");
    if (!this.state.catchUp || elsewhere || !SKIPPING.has(event.key)) return false;
    event.preventDefault();
    this.act.skip();
    return true;
  }

  get state() {
    return this.store.state;
  }

  /** Changes that come together are drawn together. */
  #soon() {
    if (this.#drawing) return;
    this.#drawing = true;
    queueMicrotask(() => {
      this.#drawing = false;
      if (!this.act.left) this.draw();
    });
  }

  get #title() {
    return capital(t(`title.${this.state.live.game}`));
  }

  shows(where) {
    return where.name === "table" && where.table === this.state.id && this.state.live !== null;
  }

  move(where) {
    return this.act.move(where);
  }

  leave() {
    this.stop();
    this.stopClocks();
    this.act.leave();
    delete document.body.dataset.view;
    document.removeEventListener("keydown", this.#keys);
  }

  draw() {
    const { state } = this;
    if (state.live && state.shown && this.game) this.#drawShown();
    else this.#render();
  }

  /** All of the page: `parts` are drawn in boxes of their names. */
  #render(parts = {}) {
    const { state } = this;
    const head = state.live ? headOf(this) : state.problem && noTable(state.problem);
    const box = (name, part, props) => el("div", { class: `box-${name}`, ...props }, part);
    const light = (on) => (event) => lightUp(event.currentTarget, event.target, on);
    const page = el(
      "div",
      {
        class: `table-page${state.drawer ? " with-drawer" : ""}${state.catchUp ? " playing" : ""}`,
        "aria-busy": String(state.looking !== null || !state.shown),
        on: {
          pointerdownCapture: () => this.state.catchUp && this.act.skip(),
          pointerover: light(true),
          pointerout: light(false),
        },
      },
      box("head", head),
      box("court", parts.court),
      box("seats", parts.seats),
      el(
        "div",
        { class: "middle-row" },
        box("board", parts.board, { tabindex: parts.board && this.#isLookedAt ? 0 : null }),
        el(
          "aside",
          { id: "drawer", class: "drawer", "aria-label": t("aside"), hidden: !state.drawer },
          box("score", parts.score),
          box("panels", parts.panels),
        ),
      ),
      box("time", parts.time),
      box("guide", parts.guide),
      box("moves", parts.moves),
      el("div", { class: "tray-line" }, box("line", parts.line), el("div", HELP_LINE)),
    );
    redraw(this.main, page);
    this.frame = page.node;
  }

  #drawShown() {
    const { state, game, act } = this;
    const shown = state.laid ?? state.shown;
    const before = this.#moves(shown) ? drawnIn(this.frame) : null;
    const tools = new Tools(shown, composing(state), act);
    const title = `${isMyTurn(state) ? t("turn.yours", { title: this.#title }) : this.#title} · Wintercount`;
    if (document.title !== title) document.title = title;
    const board = shown.view ? game.board(shown, tools) : waitingRoom(this);
    const isNow = !state.at && !isOver(state); // a moment that is past waits for nobody
    this.#render({
      court: notices(this),
      seats: shown.view && seatStrip(isNow ? shown : { ...shown, decisions: [] }, game, tools),
      board: [
        el("section", { class: `play board board-${shown.game}`, "aria-label": t("board") }, board),
        trial(this),
        gameEnd(this),
      ],
      line: shown.view && lineOf(this),
      moves: shown.view && tray(this, tools, game.hand(shown, tools)),
      score: shown.scores && scoreSheet(shown, game.suits(shown)),
      panels: panels(this),
      time: timeline(this),
      guide: shown.view && guide(this),
    });
    explain(this.frame, this);
    point(this.frame, this);
    tick(this.frame, this.#ticks);
    this.#greet();
    this.#outline(state.changed, "changed");
    const since = !state.at && !state.seat && !state.catchUp && !state.composition?.before && state.since;
    this.#outline(since ? since.paths : [], "since", ".box-board ");
    this.#drawn = { shown, at: state.at, seat: state.seat };
    this.#opens(composing(state)?.decision.id);
    this.#tell();
    if (before) travel(this.frame, before, state.catchUp?.frame.event, state.catchUp?.frame.ms);
  }

  /** What was explained before gives way to what a new decision asks. */
  #opens(decision) {
    if (!decision || decision === this.#decided) return;
    if (this.#decided) hideHelp();
    this.#decided = decision;
  }

  /** The table whose clocks go on; none at a past moment. */
  get #ticks() {
    return this.state.at || !this.state.live ? null : this.state.live;
  }

  /** Once, whoever comes by the address of a seat. */
  #greet() {
    if (this.#invited) greet(this, this.#invited);
    this.#invited = null;
  }

  /** Whether the board may have to be scrolled by keys, as nothing on it can be pressed, or a guide leaves it little room. */
  get #isLookedAt() {
    return this.state.live.lesson || !composing(this.state);
  }

  /** Whether what is drawn now comes after what was drawn before, or takes it back, in front of the same eyes. */
  #moves(shown) {
    const { at, seat } = this.state;
    if (!this.#drawn || at || seat || this.#drawn.at || this.#drawn.seat || !speedOf(this.state)) return false;
    return this.#drawn.shown.view && this.#drawn.shown !== shown && this.#drawn.shown.version <= shown.version;
  }

  /** Announces to screen readers what has been shown since the last announcement. */
  #tell() {
    const { at, shown, log } = this.state;
    const news = log.rows.filter(({ version }) => version > this.#told && version <= shown.version);
    if (this.#told && news.length && !at) announce(news.map((event) => logLineText(this, event)).join(" "));
    this.#told = Math.max(this.#told, at ? 0 : shown.version);
  }

  /** Outlines what has changed: by the moment that is looked at, or since my last move. */
  #outline(paths, name, where = "") {
    const nodes = new Map(
      [...this.frame.querySelectorAll(`${where}[data-path]`)].map((node) => [node.dataset.path, node]),
    );
    const places = paths.map((path) => nodes.get(nearestPlace([...nodes.keys()], path))).filter(Boolean);
    const found = [...new Set(places.map((node) => node.closest("details:not([open])") ?? node))];
    classify(
      this.frame,
      name,
      found.filter((node) => !found.some((other) => other !== node && node.contains(other))),
    );
  }
}

function noTable(problem) {
  return el(
    "div",
    { class: "no-table" },
    el("h1", {}, t(problem.code === "offline" ? "table.unreachable" : "table.none")),
    problem.code !== "no_such_table" && el("p", { role: "alert" }, problemWords(problem)),
    el("a", { href: "#/" }, t("table.back")),
  );
}
