// The level and the number of players that are suggested, and the measurement shown for a level.

export const LIKED_LEVEL = "greedy";
const LIKED_PLAYERS = 3;

/** How many play, where nobody has chosen. */
export const likedPlayers = ({ players }) => (players.includes(LIKED_PLAYERS) ? LIKED_PLAYERS : Math.min(...players));

const ORDER = ["uniform", "novice", "greedy", "skilled", "expert"];
const FEWEST_GAMES = 60; // of fewer nothing is claimed

/** What was measured of a level against the strongest level below it, with most of its iterations; or null. */
export function measuredOf({ id, strength = [] }, game, players) {
  const below = strength.filter(
    (row) =>
      row.game === game &&
      row.players === players &&
      ORDER.indexOf(row.against) < ORDER.indexOf(id) &&
      row.n >= FEWEST_GAMES,
  );
  const byRank = (one, other) => ORDER.indexOf(other.against) - ORDER.indexOf(one.against);
  return below.sort((one, other) => byRank(one, other) || other.iterations - one.iterations)[0] ?? null;
}
