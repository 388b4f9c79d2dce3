// Other tables that are opened from this one: a branch of it, or the same again.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { levelsOf } from "../levels.js";
import { again } from "../state/again.js";
import { start } from "./starting.js";

export function openingEffects(store) {
  async function open(path, body) {
    try {
      await start(path, body);
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
    rematch: () => open("/v1/tables", again(store.state.live)),
  };
}
