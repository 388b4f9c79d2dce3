// What is contested at a table: disputed rulings.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { arbitrates, isArbiter, takeOffice } from "../session.js";
import { openDisputes, reach } from "../state/table.js";

const CONTESTED = /^(Dispute|ArbiterLooked|PlayTakenBack)/;

export function courtEffects(store, act) {
  const now = () => store.state;
  const path = (rest) => `/v1/tables/${now().id}/${rest}`;

  /** Reads what is contested. */
  async function readCourt() {
    const { disputes } = await api.get(path("disputes"));
    store.dispatch({ type: "contested", court: { disputes } });
  }

  /** The same, if one of these events tells of it. */
  async function catchUp(events) {
    if (events.some((event) => CONTESTED.test(event.type))) await readCourt();
  }

  /** Asks for a change of what is contested, and shows what came of it; true if it was done. */
  async function contest(rest, body) {
    try {
      await api.post(path(rest), body);
      await readCourt();
    } catch (problem) {
      await showProblem(problem, now().live.game);
      return false;
    }
    await act.refresh();
    return true;
  }

  return {
    readCourt,
    catchUp,
    contest,
    /** Does something as the arbiter, who takes office first, or as one who is seated. */
    async judge(rest, body) {
      const { live } = now();
      if (isArbiter(live) && !arbitrates(live)) await takeOffice();
      return contest(rest, body);
    },
    /** Borrows a seat's eyes as the arbiter, for all to read; gives the version up to which that reaches, 0 if refused. */
    async borrow(seat) {
      const dispute = openDisputes(now()).at(-1);
      if (dispute && !dispute.looks.some((look) => look.seat === seat)) {
        await act.judge(`disputes/${dispute.id}/looks`, { seat });
      }
      return reach(now(), seat);
    },
  };
}
