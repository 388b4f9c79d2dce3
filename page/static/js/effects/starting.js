// Opens tables with one click, for somebody who has given no name as a guest.

import { api } from "../api.js";
import { showProblem } from "../problems.js";
import { addressOf, go, seatAddress } from "../router.js";
import { ensureAccount } from "../session.js";
import { share } from "../share.js";
import { LIKED_LEVEL } from "../state/levels.js";

/** Opens the lesson of a game, and goes there. */
export const learn = ({ id: game }) => start(`/v1/games/${game}/lesson`).catch(showProblem);

/** Opens a game against beginners, at a table of the size of another. */
export function playBeginner({ game, seats }) {
  const beginners = Array.from(seats.slice(1), () => ({ kind: "ai", level: "novice" }));
  return start("/v1/tables", { game, seats: [{ kind: "me" }, ...beginners] }).catch(showProblem);
}

/** Opens a table with a seat for a friend, and AI players where a game needs more; shares the link to the seat. */
export async function inviteFriend({ id: game, players }) {
  const others = Array.from({ length: Math.min(...players) - 2 }, () => ({ kind: "ai", level: LIKED_LEVEL }));
  try {
    const table = await start("/v1/tables", { game, seats: [{ kind: "me" }, { kind: "open" }, ...others] });
    await share(seatAddress(table, 2));
  } catch (problem) {
    await showProblem(problem);
  }
}

/** Opens a table, as a guest where the service needs an account and nobody has given a name; goes there, and returns its id. */
export async function start(path, body) {
  await ensureAccount();
  const { id } = await api.post(path, body);
  go(addressOf(id));
  await new Promise((arrived) => addEventListener("hashchange", arrived, { once: true })); // a dialog would go with it
  return id;
}
