// What is known of a table and what is looked at, in one place: only actions change it, and what draws it is told.
// Nothing here asks anybody or draws.

import * as composer from "./composer.js";
import { laid } from "./move-preview.js";
import * as log from "./log.js";
import { changedPaths, within } from "./timeline.js";

/** A store around a pure reducer. */
export function createStore(reducer, initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const next = reducer(state, action);
      if (next === state) return;
      state = next;
      listeners.forEach((listener) => listener(state));
    },
    /** Calls the listener at each change, until the function that this returns is called. */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A table of which nothing is known yet; `at` null is now, `seat` null one's own eyes. */
export const opening = ({ table, at, seat }, { ask = false, wide = true, speed = "usual", guided = true } = {}) => ({
  id: table,
  at,
  seat,
  live: null, // the newest document of the table
  shown: null, // the document that is drawn
  composition: null, // what I have to decide, and what is picked of it
  refusal: null, // why what was clicked cannot be chosen
  log: log.EMPTY,
  court: { disputes: [] },
  connection: "lost",
  sending: null, // a move on its way: { key, decision, seat, move, lost }
  laid: null, // the table with that move on it, until the answer is shown
  problem: null, // why nothing can be shown
  looking: null, // the moment that is asked for
  stale: false, // whether what is shown could not be read
  changed: [], // pointers of what the moment looked at has changed
  options: [], // the house rules of the game, while the table waits for players
  catchUp: null, // what others did, shown one by one: { frame, queue }
  since: null, // what changed since my last move: { version, paths }
  speed, // at which it is shown: a name of `catchUp.SPEEDS`
  gameEnd: true, // whether the end of the game is told over the board
  rating: null, // mine after the game, and its change
  guided, // whether a lesson is followed
  guide: null, // what it tells now
  filming: false,
  panel: "events",
  drawer: wide,
  ask,
  rulings: { known: {}, answers: {} },
  plot: { history: null, read: 0 },
  verdicts: [], // of decisions that an analysis found wanting: { version, verdict, height, address, badge }
});

const newer = (state, table) => (state.live && table.version < state.live.version ? state.live : table);

/** The composition for a decision; what was picked for the same decision is kept. */
function decided(state, decision) {
  if (!decision) return null;
  const same = state.composition?.decision.id === decision.id;
  if (same) return state.composition;
  return state.live.lesson ? composer.compose(decision) : composer.suggested(composer.compose(decision));
}

const cleared = ({ decision }) => composer.compose(decision);

const composed = (state, change) =>
  state.composition ? { ...state, composition: change(state.composition), refusal: null } : state;

const CALM = { changed: [], stale: false, looking: null, catchUp: null, laid: null };

const queued = (catchUp, frames) => ({
  frame: catchUp?.frame ?? null,
  queue: [...(catchUp?.queue ?? []), ...frames],
});

/** The next frame of what is played out; behind the last one the table stands as it is. */
function stepped(state) {
  const [frame, ...queue] = state.catchUp?.queue ?? [];
  if (!frame) return { ...state, catchUp: null, changed: [] };
  return { ...state, shown: frame.document, changed: frame.paths, catchUp: { frame, queue }, laid: null };
}

/** The document that is shown when all is played out. */
export const latest = ({ catchUp, shown }) => catchUp?.queue.at(-1)?.document ?? catchUp?.frame?.document ?? shown;

/** What has changed since my last move, with more changes: those that others caused. */
function grownSince({ since, log: { rows }, live }, version, changes) {
  const own = new Set(rows.filter(({ by }) => by.seat === live.seat).map((row) => row.version));
  const others = changes.filter((change) => !own.has(change.version));
  return {
    version: since?.version ?? version,
    paths: [...new Set([...(since?.paths ?? []), ...changedPaths(others)])],
  };
}

const ACTIONS = {
  known: (state, { table }) => ({ ...state, live: newer(state, table), problem: null }),
  failed: (state, { problem }) => ({ ...state, problem }),
  offered: (state, { options }) => ({ ...state, options }),
  heard: (state, { connection }) => ({ ...state, connection }),
  looked: (state, { at, seat }) => ({ ...state, at: at && within(at, state.live.version), seat, catchUp: null }),
  asked: (state, { looking }) => ({ ...state, looking }),
  shown: (state, { document }) => ({ ...state, shown: document, ...CALM }),
  stale: (state) => ({ ...state, stale: true, looking: null }),
  queued: (state, { frames }) => ({ ...state, looking: null, stale: false, catchUp: queued(state.catchUp, frames) }),
  stepped: (state) => stepped(state),
  skipped: (state) => (state.catchUp ? { ...state, shown: latest(state), ...CALM } : state),
  moved: (state, { version }) => ({ ...state, since: { version, paths: [] } }),
  since: (state, { version, changes }) => ({ ...state, since: grownSince(state, version, changes) }),
  paced: (state, { speed }) => ({ ...state, speed }),
  rated: (state, { rating }) => ({ ...state, rating }),
  gameEnd: (state, { open }) => ({ ...state, gameEnd: open }),
  changed: (state, { paths }) => ({ ...state, changed: paths }),
  decided: (state, { decision }) => ({ ...state, composition: decided(state, decision), refusal: null }),
  picked: (state, { fields, value }) => composed(state, (now) => composer.pick(now, fields, value)),
  unpicked: (state, { fields, value }) => composed(state, (now) => composer.unpick(now, fields, value)),
  chose: (state, { kind }) => composed(state, (now) => composer.choose(now, kind)),
  undone: (state) => composed(state, composer.undo),
  forbidden: (state, { refusal }) => ({ ...state, refusal }),
  sending: (state, { sending }) => ({ ...state, sending, laid: state.shown && laid(state.shown, sending.move) }),
  lost: (state) => ({ ...state, sending: { ...state.sending, lost: true }, laid: null }),
  refused: (state) => composed({ ...state, sending: null, laid: null }, cleared),
  sent: (state) => ({ ...state, sending: null }),
  told: (state, { rows, first }) => ({ ...state, log: log.grown(state.log, rows, first) }),
  began: (state, { rows }) => ({ ...state, log: log.begun(state.log, rows) }),
  contested: (state, { court }) => ({ ...state, court }),
  weighed: (state, { verdicts }) => ({ ...state, verdicts }),
  guiding: (state, { on }) => ({ ...state, guided: on }),
  taught: (state, { guide }) => ({ ...state, guide, drawer: state.guide !== null && state.drawer }),
  filming: (state, { on }) => ({ ...state, filming: on }),
  turned: (state, { panel }) => ({ ...state, panel, drawer: true }),
  drawer: (state, { open }) => ({ ...state, drawer: open }),
  asking: (state, { ask }) => ({ ...state, ask }),
  explained: (state, { key, ruling }) => ({
    ...state,
    rulings: { ...state.rulings, known: { ...state.rulings.known, [key]: ruling } },
  }),
  answered: (state, { key, answer }) => ({
    ...state,
    rulings: { ...state.rulings, answers: { ...state.rulings.answers, [key]: answer } },
  }),
  plotted: (state, { plot }) => ({ ...state, plot: { ...state.plot, ...plot } }),
};

/** The state after an action. */
export const reduce = (state, action) => ACTIONS[action.type](state, action);

const EARLY = new Set(["resigned", "drawn", "aborted", "abandoned"]);

/** Whether the game ended before its rules end it. */
export const endedEarly = ({ closed }) => EARLY.has(closed);

/** Whether the game is over. */
export const isOver = ({ live }) => endedEarly(live) || (live.view?.over ?? live.status === "finished");

/** Whether the end is what is looked at: not a moment before it, nor what led to it. */
export const isAtEnd = (state) => isOver(state) && !state.at && !state.catchUp;

/** The version on the screen; later events are announced when they are shown. */
export const versionOf = ({ at, shown, live }) => at ?? (shown ?? live).version;

/** What may be picked now: nothing in the past, through other eyes, while a move is on its way or play is paused. */
export function composing(state) {
  const behind = state.catchUp || (state.shown && !isOpen(state.composition, state.shown));
  const elsewhere = state.at || state.seat || state.sending || state.laid || state.live.paused || behind;
  return elsewhere ? null : state.composition;
}

/** Whether it is my turn, as far as is shown. */
export const isMyTurn = ({ shown }) => shown.decisions.some(({ seat }) => seat === shown.seat);

/** Whether a table's document still, or already, asks for what is composed. */
export const isOpen = (composition, table) =>
  composition !== null && table.decisions.some(({ id }) => id === composition.decision.id);

/** The decision that waits for me, as the table tells it. */
export const myDecision = (state) => state.live.decisions.find(({ seat }) => seat === state.live.seat);

/** The disputes that wait for an answer. */
export const openDisputes = (state) => state.court.disputes.filter((dispute) => dispute.outcome === null);

/** Up to which version the arbiter may see what this seat sees; 0 without a look. */
export function reach(state, seat) {
  const looks = openDisputes(state).flatMap((dispute) => dispute.looks.filter((look) => look.seat === seat));
  return Math.max(0, ...looks.map(({ until }) => until));
}

/** The seat whose eyes are borrowed: an arbiter looks no further than the disputed version while the dispute is open. */
export function eyes(state, arbiter) {
  if (!arbiter || isOver(state) || !state.seat) return state.seat;
  return state.at && state.at <= reach(state, state.seat) ? state.seat : null;
}
