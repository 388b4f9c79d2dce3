// What is looked at: a table as it stands or at a moment, with one's own eyes or another seat's, and its events in a row.

import { AGAIN_MS, api } from "../api.js";
import { showProblem } from "../problems.js";
import { addressOf, replace } from "../router.js";
import { isArbiter } from "../session.js";
import * as state from "../state/table.js";
import { changedPaths, filmStart } from "../state/timeline.js";
import { readEvents } from "./events.js";

const FILM_MS = 900;

export function lookingEffects(store, act) {
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
      if (!at && !seat) act.afterwards(act.force);
    } catch (problem) {
      if (now().looking !== looking) return;
      store.dispatch({ type: "stale" }); // read again when the connection is back
      if (problem.isPassing) setTimeout(again, AGAIN_MS);
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

  const next = () => (now().at ? act.travel(now().at + 1) : act.pause());

  return {
    look,
    /** Goes to a version; null and the last one are the table as it stands. */
    travel(version) {
      const at = version < now().live.version ? version : null;
      return at === now().at ? Promise.resolve() : goTo(at);
    },
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
