// What a table's page does: it reads what is looked at, follows what happens, and puts both into the store.

import { api, Problem } from "../api.js";
import { showProblem } from "../problems.js";
import { addressOf, replace } from "../router.js";
import { ensureAccount, isArbiter } from "../session.js";
import * as state from "../state/table.js";
import { changedPaths, filmStart } from "../state/timeline.js";
import { courtEffects } from "./court.js";
import { lessonEffects } from "./lesson.js";
import { readEvents, RECENT, worded } from "./log.js";
import { openingEffects } from "./opening.js";
import { playEffects } from "./playing.js";
import { playoutEffects } from "./playout.js";
import { follow } from "./stream.js";
import { studyEffects } from "./studies.js";

const GATHER_MS = 120; // AI seats play several events at once: they are shown together
const AGAIN_MS = 2000;
const PASSING = new Set(["too-busy", "store-loading", "store-unavailable"]); // what is asked for again then
const FILM_MS = 900;

/** Everything that a page of a table can do to it; `hooks.announce(events)` tells those who do not look. */
export function tableEffects(store, hooks) {
  const act = { store, hooks, left: false };
  Object.assign(act, lookingEffects(store, act), followingEffects(store, act), settingEffects(store));
  Object.assign(
    act,
    playEffects(store, act),
    courtEffects(store, act),
    studyEffects(store, act),
    playoutEffects(store, act),
    openingEffects(store),
    lessonEffects(store, act),
  );
  return act;
}

function lookingEffects(store, act) {
  const now = () => store.state;
  let whole = null;
  let weighed = false; // whether verdicts were asked for
  let film = null;

  /** Reads the moment that is looked at; what is asked for meanwhile counts. `own` are the events of my own move. */
  async function look({ own = null } = {}) {
    const { at, live, id } = now();
    const seat = state.eyes(now(), isArbiter(live));
    if (seat !== now().seat) store.dispatch({ type: "looked", at, seat });
    const looking = `${at}-${seat}-${live.version}-${Math.random()}`;
    store.dispatch({ type: "asked", looking });
    try {
      const [document] = await Promise.all([moment(id, at, seat), at && act.whole(), at || seat || act.decide()]);
      const current = () => now().looking === looking && !act.left;
      if (!current()) return;
      if (at || seat) store.dispatch({ type: "shown", document });
      else await act.arrive(document, { own, current });
      if (at > 1) await changes(id, at, seat);
    } catch (problem) {
      if (now().looking !== looking) return;
      store.dispatch({ type: "stale" }); // read again when the connection is back
      if (PASSING.has(problem.code)) setTimeout(again, AGAIN_MS);
      else if (problem.code !== "offline") showProblem(problem, live.game);
    }
  }

  const again = () => (now().stale && !act.left ? look() : null);

  function moment(id, at, seat) {
    const query = new URLSearchParams();
    if (at) query.set("at", at);
    if (seat) query.set("seat", seat);
    return query.size ? api.get(`/v1/tables/${id}?${query}`) : now().live;
  }

  async function changes(id, at, seat) {
    const found = await api.get(`/v1/tables/${id}/diff?from=${at - 1}&to=${at}${seat ? `&seat=${seat}` : ""}`);
    if (now().at === at && !act.left) store.dispatch({ type: "changed", paths: changedPaths(found.changes) });
  }

  function goTo(at, seat = now().seat) {
    store.dispatch({ type: "looked", at, seat });
    const arrived = now();
    replace(addressOf(arrived.id, arrived.at, state.eyes(arrived, isArbiter(arrived.live))));
    return look();
  }

  const next = () => {
    if (state.versionOf(now()) >= now().live.version) act.pause();
    else act.travel(state.versionOf(now()) + 1);
  };

  return {
    look,
    /** Goes to a version; null is the table as it stands. */
    travel: (version) => (version === now().at ? Promise.resolve() : goTo(version)),
    /** Another moment of the same table, by the address. */
    move(where) {
      store.dispatch({ type: "looked", at: where.at, seat: where.seat });
      return look();
    },
    /** Looks with the eyes of another seat; an arbiter's look is told to everybody first. */
    async lookAs(seat) {
      const until = seat && !state.isOver(now()) ? await act.borrow(seat) : null;
      return goTo(until === null ? now().at : Math.min(now().at ?? until, until) || null, seat);
    },
    /** Reads the beginning of the log too, once. */
    whole() {
      const { first } = now().log;
      if (!first) return null;
      whole ??= readEvents(now().id, 0, first)
        .then((rows) => store.dispatch({ type: "began", rows }))
        .finally(() => (whole = null));
      return whole;
    },
    /** Reads, once, which decisions of a finished table an analysis found wanting; without one there are none. */
    async weigh() {
      if (weighed || !state.isOver(now()) || now().live.transcribed) return;
      weighed = true;
      try {
        const { readVerdicts } = await import("../review/index.js");
        store.dispatch({ type: "weighed", verdicts: await readVerdicts(now().id) });
      } catch ({ code = "offline" }) {
        weighed = code !== "offline"; // else it is asked again when somebody looks there again
      }
    },
    /** Somebody looks at the timeline. */
    study() {
      act.weigh();
      return act.whole();
    },
    /** Plays the events one after the other, or stops. */
    film() {
      if (film) return act.pause();
      film = setInterval(next, FILM_MS);
      store.dispatch({ type: "filming", on: true });
      return act.travel(filmStart(state.versionOf(now()), now().live.version));
    },
    pause() {
      clearInterval(film);
      film = null;
      store.dispatch({ type: "filming", on: false });
    },
  };
}

/** Does something when the first view is drawn and there is nothing else to do. */
const whenIdle = (what) => (globalThis.requestIdleCallback ?? setTimeout)(what);

/** A module that could not be fetched is asked for again, as is whatever else could not be reached. */
function unreachable({ message }) {
  throw new Problem({ code: "offline", title: message }, 0);
}

const decisionOf = (now) => state.myDecision(now)?.decision ?? null;

function followingEffects(store, act) {
  const now = () => store.state;
  let stream = null;
  let gathering = null;
  let news = [];

  async function enter() {
    try {
      const table = await api.get(`/v1/tables/${now().id}`);
      store.dispatch({ type: "known", table });
      await act.hooks.game(table.game).catch(unreachable);
      const after = Math.max(0, table.version - RECENT);
      const court = table.disputes && act.readCourt();
      const [rows] = await Promise.all([readEvents(table.table, after, table.version), readLineage(), court]);
      store.dispatch({ type: "told", rows, first: after });
      if (!court) await act.catchUp(rows);
    } catch (problem) {
      store.dispatch({ type: "failed", problem });
      if (problem.code === "offline" && !act.left) setTimeout(() => act.left || enter(), AGAIN_MS);
      return;
    }
    await act.look();
    act.recall();
    act.recover();
    if (act.left) return;
    stream = follow(now().id, now().log.last, { onEvent: heardEvent, onState: heardState });
    whenIdle(() => act.left || act.whole()?.catch(ifReachable)); // the timeline marks all that has happened
  }

  async function readLineage() {
    const { forked_from: from, forks } = await api.get(`/v1/tables/${now().id}/forks`);
    store.dispatch({ type: "branched", lineage: { from, forks } });
  }

  function heardEvent(event) {
    const row = worded(event);
    news.push(row);
    store.dispatch({ type: "told", rows: [row] });
    soon();
  }

  /** Whatever could not be read while the connection was lost is read when it is back. */
  function heardState(connection) {
    const before = now().connection;
    store.dispatch({ type: "heard", connection });
    if (connection !== "live" || before === "live") return;
    act.resend();
    if (now().stale || now().live.version < now().log.last) soon();
  }

  function soon() {
    clearTimeout(gathering);
    gathering = setTimeout(arrived, GATHER_MS);
  }

  /** Shows what the stream told, unless an answer has shown it before: the echo of my own move asks for nothing. */
  async function arrived() {
    if (now().sending && !now().sending.lost) return soon(); // the answer to it may be on its way behind its echo
    const told = news;
    const before = decisionOf(now());
    news = [];
    if (told.length && now().at === null) act.hooks.announce(told);
    await act.catchUp(told).catch(ifReachable);
    if (now().live.version < now().log.last || now().stale) await act.refresh();
    if (![null, before].includes(decisionOf(now()))) act.afterwards(act.hooks.turn);
  }

  /** The connection will be back, and what is missing is read then; anything else that does not pass is an error. */
  function ifReachable(problem) {
    if (problem.code !== "offline" && !PASSING.has(problem.code)) throw problem;
    store.dispatch({ type: "stale" });
    if (PASSING.has(problem.code)) setTimeout(() => act.left || soon(), AGAIN_MS);
  }

  return {
    enter,
    /** Reads the table anew. */
    async refresh() {
      try {
        store.dispatch({ type: "known", table: await api.get(`/v1/tables/${now().id}`) });
      } catch (problem) {
        return ifReachable(problem);
      }
      return act.look();
    },
    leave() {
      act.left = true;
      stream?.stop();
      act.pause();
      clearTimeout(gathering);
    },
    /** Sits down, under this name if there was none. */
    async sit(seat, name) {
      await ensureAccount(name);
      await act.seatDo("post", seat, { arbiter: now().live.arbiter });
    },
    /** Something that is done to a seat, named by its number and, behind it, what. */
    async seatDo(method, seat, body) {
      try {
        const table = await api[method](`/v1/tables/${now().id}/seats/${seat}`, body);
        store.dispatch({ type: "known", table });
        act.hooks.onAccount();
        await act.look();
      } catch (problem) {
        await showProblem(problem);
      }
    },
  };
}

const ASK = "wintercount.ask";

const SPEED = "wintercount.speed";

/** How fast what others do is played out. */
export const keptSpeed = () => localStorage.getItem(SPEED) ?? "usual";

/** Whether a card is asked about before it is laid. */
export const keptAsk = () => localStorage.getItem(ASK) === "yes";

function settingEffects(store) {
  return {
    turn: (panel) => store.dispatch({ type: "turned", panel }),
    drawer: (open) => store.dispatch({ type: "drawer", open }),
    finale: (open) => store.dispatch({ type: "finale", open }),
    setSpeed(speed) {
      localStorage.setItem(SPEED, speed);
      store.dispatch({ type: "paced", speed });
    },
    setAsk(ask) {
      localStorage.setItem(ASK, ask ? "yes" : "no");
      store.dispatch({ type: "asking", ask });
    },
  };
}
