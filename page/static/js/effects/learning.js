// Opens a lesson.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { addressOf, go } from "../router.js";
import { knownPlayer } from "../session.js";

/** Opens the lesson of a game, as a guest if nobody has given a name, and goes there. */
export async function learn({ id: game }) {
  try {
    await knownPlayer();
    const { id } = await api.post(`/v1/games/${game}/lesson`);
    go(addressOf(id));
  } catch (problem) {
    await showProblem(problem);
  }
}
