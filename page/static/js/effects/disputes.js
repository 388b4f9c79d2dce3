// Disputed rulings at a table.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { arbitrates, isArbiter, takeOffice } from "../session.js";
import { openDisputes, reach } from "../state/table.js";

const CONTESTED = /^(Dispute|ArbiterLooked|PlayTakenBack)/;

export function courtEffects(store, act) {
  const now = () => store.state;
  const path = (rest) => `/v1/tables/${now().id}/${rest}`;

  /** Reads the disputes. */
  async function readCourt() {
    const { disputes } = await api.get(path("disputes"));
    store.dispatch({ type: "contested", court: { disputes } });
  }

  /** The same, if one of these events changes them. */
  async function catchUp(events) {
    if (events.some((event) => CONTESTED.test(event.type))) await readCourt();
  }

  /** Sends a request about a dispute and shows the result; throws a refusal. An arbiter gets the scope for it first. */
  async function plead(rest, body) {
    const { live } = now();
    if (isArbiter(live) && !arbitrates(live)) await takeOffice();
    const answer = await api.post(path(rest), body);
    await readCourt();
    await act.refresh();
    return answer;
  }

  return {
    readCourt,
    catchUp,
    plead,
    /** Previews the remedies of a ruling; throws a refusal. */
    preview: (asked) => api.post(path("disputes/preview"), asked),
    /** The same, where a refusal is shown; true if it was done. */
    async contest(rest, body) {
      try {
        await plead(rest, body);
        return true;
      } catch (problem) {
        await showProblem(problem, now().live.game);
        return false;
      }
    },
    /** Borrows a seat's eyes as the arbiter, for all to read; gives the version up to which that reaches, 0 if refused. */
    async borrow(seat) {
      const dispute = openDisputes(now()).at(-1);
      if (dispute && !dispute.looks.some((look) => look.seat === seat)) {
        await act.contest(`disputes/${dispute.id}/looks`, { seat });
      }
      return reach(now(), seat);
    },
  };
}
