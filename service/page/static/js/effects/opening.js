// Other tables that are opened from this one: a branch of it, or the same again.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { addressOf, go } from "../router.js";
import { knownPlayer } from "../session.js";
import { levelsOf } from "../levels.js";

/** What a seat of another table like this one is offered to. */
function offer({ seat, ai, player }, own) {
  if (seat === own) return { kind: "me" };
  if (ai) return { kind: "ai", level: ai.level };
  return player ? { kind: "player", player } : { kind: "open" };
}

/** The seats turned by one: whoever sat last sits first. */
const turned = (seats) => [...seats.slice(-1), ...seats.slice(0, -1)];

export function openingEffects(store) {
  async function open(path, body) {
    try {
      await knownPlayer();
      const { table } = await api.post(path, body);
      go(addressOf(table));
      return true;
    } catch (problem) {
      await showProblem(problem, store.state.live.game);
      return false;
    }
  }

  return {
    /** The house rules that a branch may have otherwise, and the levels of AI players. */
    async forkChoices() {
      const { game } = store.state.live;
      const [{ options }, { levels }] = await Promise.all([api.get(`/v1/games/${game}`), api.get("/v1/ai-players")]);
      return { options, levels: levelsOf(levels, game) };
    },
    fork: (body) => open(`/v1/tables/${store.state.id}/forks`, body),
    /** The same game with the same house rules, clock and opponents, the seats turned; people find theirs kept for them. */
    rematch() {
      const { game, seats, seat, options, clock, disputes, arbiter } = store.state.live;
      const rules = { game, options, clock, disputes, arbiter };
      return open("/v1/tables", { ...rules, seats: turned(seats).map((each) => offer(each, seat)) });
    },
  };
}
