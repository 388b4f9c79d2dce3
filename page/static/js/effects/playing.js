// Choosing and playing. A move that could not be sent is kept, and sent again with the same key.

import { api, newKey } from "../api.js";
import { showProblem } from "../problems.js";
import { attempt, ready, settled } from "../state/composer.js";
import { myDecision } from "../state/table.js";
import { worded } from "./log.js";
import { forgetUnsent, keepUnsent, unsentAt } from "./unsent.js";

// Moves that are laid on the table, and so need no confirmation unless one wants to be asked.
const LAID = new Set(["play_card", "play_extra_card", "move_hunter"]);

export function playEffects(store, act) {
  const now = () => store.state;

  /** What I have to decide now; asked for only where the page does not know it yet. */
  async function decide() {
    const mine = myDecision(now());
    if (!mine) return store.dispatch({ type: "decided", decision: null });
    if (now().composition?.decision.id === mine.id) return null;
    const { decisions } = await api.get(`/v1/tables/${now().id}/moves`);
    return store.dispatch({ type: "decided", decision: decisions[0] ?? null });
  }

  function pick(fields, value) {
    store.dispatch({ type: "picked", fields, value });
    const { composition, ask } = now();
    if (!ask && composition && settled(composition) && LAID.has(ready(composition).type)) play(ready(composition));
  }

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
      played(
        await api.post(`/v1/tables/${id}/moves?include=table`, { game: now().live.game, seat, decision, move }, key),
      );
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
    pick,
    play,
    unpick: (fields, value) => store.dispatch({ type: "unpicked", fields, value }),
    aim: (field) => store.dispatch({ type: "aimed", field }),
    choose: (kind) => store.dispatch({ type: "chose", kind }),
    clear: () => store.dispatch({ type: "cleared" }),
    /** Picks a card and at once the place where it was dropped. */
    drop(lifted, fields, value) {
      store.dispatch({ type: "cleared" });
      store.dispatch({ type: "picked", ...lifted });
      pick(fields, value);
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
      const move = attempt(now().composition, fields, value);
      if (!move) return;
      try {
        const told = await api.post(`/v1/tables/${now().id}/moves/check`, {
          game: now().live.game,
          seat: now().live.seat,
          move,
        });
        if (!told.legal) await showProblem({ rule: told.rule, message: told.detail }, now().live.game);
      } catch (problem) {
        await showProblem(problem, now().live.game);
      }
    },
  };
}
