// Choosing and playing. A move that could not be sent is kept, over a reload too, and sent again with the same key: it
// happens once. It is kept for the player who made it: somebody else may sign in here meanwhile.

import { api, newKey } from "../api.js";
import { loadHelp } from "../help-words.js";
import { problemWords, showProblem } from "../problems.js";
import { account, objectIn } from "../session.js";
import { attempt, done, isForced, status } from "../state/composer.js";
import { wentBack } from "../state/log.js";
import { composing, myDecision } from "../state/table.js";
import { worded } from "./events.js";

const keptAt = (table) => `wintercount.unsent.${table}.${account?.player}`;

/** Keeps a move while it is on its way. */
const keepUnsent = (table, sending) => sessionStorage.setItem(keptAt(table), JSON.stringify(sending));

/** The move that was on its way when the page was left; null if there was none. */
const unsentAt = (table) => objectIn(sessionStorage.getItem(keptAt(table)));

/** Forgets it: it has arrived, or was given up. */
const forgetUnsent = (table) => sessionStorage.removeItem(keptAt(table));

export function playEffects(store, act) {
  const now = () => store.state;
  let forced = null;

  /** What I have to decide now; asked for only where the page does not know it yet. */
  async function decide() {
    const mine = myDecision(now());
    if (!mine) return store.dispatch({ type: "decided", decision: null });
    if (now().composition?.decision.id === mine.id) return null;
    const { decisions } = await api.get(`/v1/tables/${now().id}/moves`);
    return store.dispatch({ type: "decided", decision: decisions[0] ?? null });
  }

  /** What leaves no choice is done by itself, unless one goes on from a move that was taken back. */
  function force() {
    const decision = composing(now())?.decision;
    if (act.left || !decision || decision.id === forced || !isForced(decision)) return;
    if (now().live.lesson || wentBack(now().log)) return;
    forced = decision.id; // tried once
    play(onlyMove(decision));
  }

  /** Changes what is picked, and sends the move that it completes. */
  function change(action) {
    store.dispatch(action);
    const { composition, ask } = now();
    const move = !ask && composition && done(composition);
    if (move) play(move);
  }

  const pick = (fields, value) => change({ type: "picked", fields, value });

  function play(move) {
    const { id, seat } = now().composition.decision;
    send({ key: newKey(), decision: id, seat, move, lost: false });
  }

  async function send(sending) {
    const { id } = now();
    store.dispatch({ type: "sending", sending });
    keepUnsent(id, sending);
    const { key, decision, seat, move } = sending;
    try {
      const body = { game: now().live.game, seat, decision, move };
      played(await api.post(`/v1/tables/${id}/moves?include=table`, body, key));
    } catch (problem) {
      if (problem.code === "offline" || problem.status >= 500) return store.dispatch({ type: "lost" });
      await refused(problem);
    }
    return null;
  }

  /** The answer already holds the table and what is to be decided next. */
  function played({ table, decisions, events }) {
    settle();
    store.dispatch({ type: "known", table });
    if (events[0]?.version === now().log.last + 1) store.dispatch({ type: "told", rows: events.map(worded) });
    if (now().live.version === table.version) store.dispatch({ type: "decided", decision: decisions[0] ?? null });
    return act.look({ own: events });
  }

  async function refused(problem) {
    forgetUnsent(now().id);
    store.dispatch({ type: "refused" });
    await act.refresh();
    await showProblem(problem, now().live.game);
  }

  function settle() {
    forgetUnsent(now().id);
    store.dispatch({ type: "sent" });
  }

  return {
    decide,
    force,
    pick,
    play,
    unpick: (fields, value) => store.dispatch({ type: "unpicked", fields, value }),
    choose: (kind) => change({ type: "chose", kind }),
    undo: () => store.dispatch({ type: "undone" }),
    forbid: (refusal) => store.dispatch({ type: "forbidden", refusal }),
    /** Picks a card and at once the place where it was dropped. */
    drop(lifted, fields, value) {
      store.dispatch({ type: "picked", ...lifted });
      const goes = status(now().composition, fields, value) !== "cannot";
      return goes ? pick(fields, value) : act.whyNot(fields, value);
    },
    /** Sends a move again that got lost on its way. */
    resend: () => (now().sending?.lost ? send({ ...now().sending, lost: false }) : null),
    /** Gives up a move that got lost; it may have arrived all the same. */
    forget() {
      settle();
      return act.refresh();
    },
    /** Takes up a move that was on its way when the page was left. */
    recover() {
      const kept = unsentAt(now().id);
      if (kept) send({ ...kept, lost: false });
    },
    /** Asks the service why a part cannot be chosen; what is picked stays. */
    async whyNot(fields, value) {
      const { composition, id, live } = now();
      const move = attempt(composition, fields, value);
      const refusal = move && (await refusalOf(id, live, move));
      if (!move) pick(fields, value);
      else if (now().composition === composition) act.forbid(refusal);
    },
  };
}

/** The move of a decision that leaves no choice. */
const onlyMove = ({ moves: [{ choose, from, ...move }] }) => (choose ? { ...move, cards: from } : move);

/** Why a move is not allowed, in plain words. */
async function refusalOf(id, { game, seat }, move) {
  try {
    const asked = api.post(`/v1/tables/${id}/moves/check`, { game, seat, move });
    const [{ legal, rule, detail }] = await Promise.all([asked, loadHelp(game)]);
    return legal ? null : problemWords({ rule, message: detail }, game);
  } catch (problem) {
    return problemWords(problem, game);
  }
}
