// The levels of AI players: which is suggested, and what each means, in words and by what was measured (`strength` of
// /v1/ai-players).

import { el, extend } from "./dom.js";
import { t } from "./i18n.js";

export const LEVELS = ["uniform", "novice", "greedy", "skilled", "expert"]; // the weakest first
export const LIKED_LEVEL = "greedy";
const LIKED_PLAYERS = 3;
const FEWEST_GAMES = 60; // of fewer nothing is claimed
const NEARLY_ALWAYS = 9.75; // times in 10

/** How many play, where nobody has chosen. */
export const likedPlayers = ({ players }) => (players.includes(LIKED_PLAYERS) ? LIKED_PLAYERS : Math.min(...players));

/** What was measured of a level against the strongest level below it, with most of its iterations; or null. */
export function measuredOf({ id, strength = [] }, game, players) {
  const below = strength.filter(
    (row) =>
      row.game === game &&
      row.players === players &&
      LEVELS.indexOf(row.against) < LEVELS.indexOf(id) &&
      row.n >= FEWEST_GAMES,
  );
  const byRank = (one, other) => LEVELS.indexOf(other.against) - LEVELS.indexOf(one.against);
  return below.sort((one, other) => byRank(one, other) || other.iterations - one.iterations)[0] ?? null;
}

/** The levels at which a game is played. */
export const levelsOf = (levels, game) => levels.filter((level) => level.games.includes(game));

/** How a level is called, with what it does. */
const aboutLevel = (level) => t(`level.about.${level}`);

function sentence({ share, players, against }) {
  const kind = players === 2 ? "two" : "many";
  const values = { level: t(`level.${against}`), others: players - 1, even: Math.round(10 / players) };
  if (10 * share >= NEARLY_ALWAYS) return t(`strength.always.${kind}`, values);
  return t(`strength.${kind}`, { ...values, times: Math.round(10 * share) });
}

/** A line below a choice of level that follows it, and the number of players. */
export function levelHint(levels, game, level, players) {
  const tell = () => {
    if (!hint.node) return;
    const chosen = levels.find((each) => each.id === level.node.value);
    const measured = chosen && measuredOf(chosen, game, Number(players.node.value));
    const told = [chosen && aboutLevel(chosen.id), measured && sentence(measured)];
    hint.node.textContent = told.filter(Boolean).join(" ");
  };
  for (const choice of [level, players]) extend(choice, { on: { change: tell } });
  const hint = el("p", { class: "hint level-hint", role: "status", ref: tell });
  return hint;
}
