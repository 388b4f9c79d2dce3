// What an opponent's level means: in words, and by what was measured (`strength` of /v1/ai-players).

import { el } from "./dom.js";
import { t } from "./i18n.js";

const ORDER = ["uniform", "novice", "greedy", "skilled", "expert"];
const FEWEST_GAMES = 90; // of fewer nothing is claimed
const NEARLY_ALWAYS = 9.75; // times in 10

/** The levels at which a game is played. */
export const levelsOf = (levels, game) => levels.filter((level) => level.games.includes(game));

/** How a level is called, with what it does. */
export const aboutLevel = (level) => t(`level.about.${level}`);

/** How a level fares against the strongest other level that it was measured against, or null. */
export function strengthOf({ level, strength = [] }, game, players) {
  const measured = strength.filter(
    (row) => row.game === game && row.players === players && row.against !== level && row.n >= FEWEST_GAMES,
  );
  const below = measured.filter((row) => ORDER.indexOf(row.against) < ORDER.indexOf(level));
  const row = below.sort((one, other) => ORDER.indexOf(other.against) - ORDER.indexOf(one.against))[0];
  return row ? sentence(row) : null;
}

function sentence({ share, players, against }) {
  const kind = players === 2 ? "two" : "many";
  const values = { level: t(`level.${against}`), others: players - 1, even: Math.round(10 / players) };
  if (10 * share >= NEARLY_ALWAYS) return t(`strength.always.${kind}`, values);
  return t(`strength.${kind}`, { ...values, times: Math.round(10 * share) });
}

/** A line below a choice of level that follows it, and the number of players. */
export function levelHint(levels, game, level, players) {
  const hint = el("p", { class: "hint level-hint", role: "status" });
  const tell = () => {
    const chosen = levels.find((each) => each.level === level.value);
    const strength = chosen && strengthOf(chosen, game, Number(players.value));
    hint.textContent = chosen ? [aboutLevel(chosen.level), strength].filter(Boolean).join(" ") : "";
  };
  for (const choice of [level, players]) choice.addEventListener("change", tell);
  tell();
  return hint;
}
