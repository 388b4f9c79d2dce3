// What an opponent's level means: in words, and by what was measured (`strength` of /v1/ai-players).

import { el, extend } from "./dom.js";
import { t } from "./i18n.js";
import { measuredOf } from "./state/levels.js";

const NEARLY_ALWAYS = 9.75; // times in 10

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
