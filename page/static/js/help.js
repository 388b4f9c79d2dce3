// What each piece, option, ruling and refusal of a game means, in plain words: `/page/help/<game>.<language>.json`.
// It is loaded once a game and language; until then there are no words, and whoever asks goes on with what it has.

import { language } from "./i18n.js";
import { faceOf } from "./names.js";
import { typeset } from "./typography.js";

const known = new Map();
const asked = new Map();

const keyOf = (game) => `${game}.${language}`;

/** The words of a game, in the page's language; asked for once. */
export function loadHelp(game) {
  const key = keyOf(game);
  if (!asked.has(key))
    asked.set(
      key,
      load(key, language).catch(() => asked.delete(key) && null),
    );
  return asked.get(key);
}

async function load(key, tongue) {
  const answer = await fetch(`/page/help/${key}.json`);
  if (!answer.ok) throw new Error(key);
  known.set(key, typeset(await answer.json(), tongue));
  return known.get(key);
}

const wordsOf = (game, part) => known.get(keyOf(game))?.[part] ?? {};

/** What a piece is and does: `{ name, text }`, by its id (`chief-1`) or its kind (`chief`, `ground`), or null. */
export function helpFor(game, piece) {
  const pieces = wordsOf(game, "pieces");
  return pieces[piece] ?? pieces[faceOf(piece)?.glyph] ?? null;
}

/** The data attribute of an element that stands for a piece; `popover.js` shows its help. */
export const helpData = (game, piece) => ({ help: `${game}/${piece}` });

/** A house rule: `{ title, text, values }`, or null. */
export const helpOption = (game, name) => wordsOf(game, "options")[name] ?? null;

/** A ruling or rule in plain words: `{ title, text }`, or null. */
export const plainRule = (game, id) => wordsOf(game, "rules")[id] ?? null;

/** Why a rule forbids a move, in plain words, or null. */
export const plainRefusal = (game, id) => wordsOf(game, "refusals")[id] ?? null;

/** A word of the record: a field, a kind of event, a reason; or null. */
export const recordWord = (game, name) => wordsOf(game, "words")[name] ?? wordsOf(game, "pieces")[name]?.name ?? null;
