// A table as it stands or at a moment of its history: the parts of the page, drawn anew from the state at each change.

import { announce, el, redraw } from "../dom.js";
import { tableEffects, keptAsk } from "../effects/table.js";
import { t } from "../i18n.js";
import { problemWords } from "../problems.js";
import { createStore } from "../state/store.js";
import { composing, opening, reduce } from "../state/table.js";
import { nearestPlace } from "../state/timeline.js";
import { notices } from "./court.js";
import { gameModule } from "./games/index.js";
import { head } from "./head.js";
import { panels } from "./panels.js";
import { scoreSheet } from "./scores.js";
import { seatStrip } from "./seats.js";
import { onKey, timeline } from "./timeline.js";
import { Tools } from "./tools.js";
import { tray } from "./tray.js";
import { waitingRoom } from "./waiting.js";

const WIDE = "(min-width: 1080px)"; // where the drawer has room beside the table
const BOXES = ["head", "court", "seats", "board", "score", "panels", "time", "moves"];

/** Shows a table in `main` until `leave` is called on what this returns. */
export function showTable(main, where, onAccount) {
  const store = createStore(reduce, opening(where, { ask: keptAsk(), wide: matchMedia(WIDE).matches }));
  const page = new TablePage(main, store, onAccount);
  page.act.enter();
  return page;
}

class TablePage {
  #drawing = false;
  #keys = (event) => onKey(this, event);

  constructor(main, store, onAccount) {
    const game = async (slug) => (this.game = await gameModule(slug));
    Object.assign(this, { store, game: null, act: tableEffects(store, { announce, game, onAccount }) });
    this.boxes = Object.fromEntries(BOXES.map((name) => [name, el("div", { class: `box-${name}` })]));
    const { head: top, court, seats, board, score, panels: history, time, moves } = this.boxes;
    this.drawer = el("aside", { id: "drawer", class: "drawer", "aria-label": t("aside") }, score, history);
    this.frame = el(
      "div",
      { class: "table-page" },
      top,
      court,
      seats,
      el("div", { class: "middle-row" }, board, this.drawer),
      time,
      moves,
    );
    main.append(this.frame);
    document.body.dataset.view = "table";
    document.addEventListener("keydown", this.#keys);
    this.stop = store.subscribe(() => this.#soon());
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

  shows(where) {
    return where.name === "table" && where.table === this.state.id && this.state.live !== null;
  }

  move(where) {
    return this.act.move(where);
  }

  leave() {
    this.stop();
    this.act.leave();
    delete document.body.dataset.view;
    document.removeEventListener("keydown", this.#keys);
  }

  draw() {
    const { state, boxes, frame } = this;
    if (state.problem && !state.live) return redraw(boxes.head, noTable(state.problem));
    frame.ariaBusy = String(state.looking !== null || !state.shown);
    frame.classList.toggle("with-drawer", state.drawer);
    this.drawer.hidden = !state.drawer;
    if (!state.live) return null;
    redraw(boxes.head, head(this));
    if (!state.shown || !this.game) return null;
    return this.#drawShown();
  }

  #drawShown() {
    const { state, boxes, game, act } = this;
    const { shown } = state;
    const tools = new Tools(shown, composing(state), act);
    document.title = `${t(`title.${shown.game}`)} · Wintercount`;
    const board = shown.view ? game.board(shown, tools) : waitingRoom(this);
    redraw(boxes.court, notices(this));
    redraw(boxes.seats, shown.view ? seatStrip(shown, game, tools) : null);
    redraw(boxes.board, el("section", { class: `play board board-${shown.game}`, "aria-label": t("board") }, board));
    redraw(boxes.moves, shown.view ? tray(this, tools, game.hand(shown, tools)) : null);
    redraw(boxes.score, shown.scores ? scoreSheet(shown, game.suits(shown)) : null);
    redraw(boxes.panels, panels(this));
    redraw(boxes.time, timeline(this));
    this.#outline();
  }

  /** Outlines what the moment that is looked at has changed. */
  #outline() {
    const nodes = new Map([...this.frame.querySelectorAll("[data-path]")].map((node) => [node.dataset.path, node]));
    for (const path of this.state.changed) {
      const node = nodes.get(nearestPlace([...nodes.keys()], path));
      (node?.closest("details:not([open])") ?? node)?.classList.add("changed");
    }
  }
}

function noTable(problem) {
  const gone = problem.code !== "offline";
  return [
    el("h1", {}, t(gone ? "table.none" : "table.unreachable")),
    el("p", { role: "alert" }, problemWords(problem)),
    el("a", { href: "#/" }, t("table.back")),
  ];
}
