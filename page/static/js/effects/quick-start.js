// Opens tables with one click, for somebody who has given no name as a guest: a lesson, a game against beginners or with
// a friend, a branch of the table that is looked at, or the same game again.

import { api } from "../api.js";
import { levelsOf, LIKED_LEVEL } from "../ai-levels.js";
import { showProblem } from "../problems.js";
import { addressOf, go, seatAddress } from "../router.js";
import { ensureAccount } from "../session.js";
import { share } from "../share.js";

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

/** What opens other tables from a table. */
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

const AGREED = ["game", "options", "visibility", "clock", "arbiter", "disputes", "aids", "ratings"];

/** The table to open after this one: all that was agreed on, the seats turned; people find theirs kept for them. */
export function again(table) {
  const agreed = Object.fromEntries(AGREED.map((name) => [name, table[name]]));
  const rated = table.counted ? table.rated : null; // a result that does not count tells nothing of what was agreed on
  return { ...agreed, rated, seats: turned(table.seats).map((seat) => offer(seat, table.seat)) };
}

/** The seats turned by one: the last player sits first. */
const turned = (seats) => [...seats.slice(-1), ...seats.slice(0, -1)];

/** Who is offered a seat. */
function offer({ seat, level, player }, own) {
  if (seat === own) return { kind: "me" };
  if (level) return { kind: "ai", level };
  return player ? { kind: "player", player } : { kind: "open" };
}
