// What happens at a table: it is read when the page enters, followed from there, and gone on with after a lost connection.

import { AGAIN_MS, api, Problem } from "../api.js";
import { showProblem } from "../problems.js";
import { ensureAccount } from "../session.js";
import * as state from "../state/table.js";
import { follow, readEvents, RECENT, worded } from "./events.js";

const GATHER_MS = 120; // AI seats play several events at once: they are shown together

/** Does something when the first view is drawn and there is nothing else to do. */
const whenIdle = (what) => (globalThis.requestIdleCallback ?? setTimeout)(what);

/** A module that could not be fetched is asked for again, as is whatever else could not be reached. */
function unreachable({ message }) {
  throw new Problem({ code: "offline", title: message }, 0);
}

const decisionOf = (now) => state.myDecision(now)?.id ?? null;

export function followingEffects(store, act) {
  const now = () => store.state;
  let stream = null;
  let gathering = null;
  let news = [];

  async function enter() {
    try {
      const table = await api.get(`/v1/tables/${now().id}`);
      store.dispatch({ type: "known", table });
      await act.hooks.game(table.game).catch(unreachable);
      if (table.status === "open") store.dispatch({ type: "offered", ...(await api.get(`/v1/games/${table.game}`)) });
      const after = Math.max(0, table.version - RECENT);
      const court = table.disputes && act.readCourt();
      const [rows] = await Promise.all([readEvents(table.id, after, table.version), court]);
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
    await act.catchUp(told).catch(ifReachable);
    if (now().live.version < now().log.last || now().stale) await act.refresh();
    if (![null, before].includes(decisionOf(now()))) act.afterwards(act.hooks.turn);
  }

  /** The connection will be back, and what is missing is read then; anything else that does not pass is an error. */
  function ifReachable(problem) {
    if (problem.code !== "offline" && !problem.isPassing) throw problem;
    store.dispatch({ type: "stale" });
    if (problem.isPassing) setTimeout(() => act.left || soon(), AGAIN_MS);
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
