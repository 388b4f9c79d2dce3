// What each piece, option, ruling and refusal of a game means, in plain words: `/page/help/<game>.<language>.json`.
// Each game has its own words, also for its rules and its record. They are loaded once a game and language; until then there
// are none, and the page makes do without.

import { capital, language, pair, t, typeset } from "./i18n.js";
import { faceOf } from "./piece-names.js";

const known = new Map();
const asked = new Map();
let game = null; // whose words of the rules and the record are meant: that of the table or dialog that was opened last

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
const helpOption = (game, name) => wordsOf(game, "options")[name] ?? null;

/** A ruling or rule in plain words: `{ title, text }`, or null. */
export const plainRule = (game, id) => wordsOf(game, "rules")[id] ?? null;

/** Why a rule forbids a move, in plain words, or null. */
export const plainRefusal = (game, id) => wordsOf(game, "refusals")[id] ?? null;

/** A word of the record: a field, a kind of event, a reason; or null. */
const recordWord = (game, name) => wordsOf(game, "words")[name] ?? wordsOf(game, "pieces")[name]?.name ?? null;

/** From here on words are those of this game; resolves when they are there. */
export function useWords(slug) {
  game = slug;
  return loadHelp(slug);
}

/** A word of the record: a field, a reason, `TrialOfStrengthResolved`. */
export function words(name) {
  const plain = t(`word.${name}`).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capital(recordWord(game, name) ?? plain);
}

/** What a house rule is about. */
export const optionWords = (name) => helpOption(game, name)?.title ?? words(name);

/** A value of a house rule: `"loses"`, `true`, 9, a list of colours. */
export function valueWords(name, value) {
  if (Array.isArray(value)) return value.map((each) => valueWords(name, each)).join(", ");
  return helpOption(game, name)?.values[String(value)] ?? words(String(value));
}

/** House rules with their values, in a sentence. */
export const reading = (options) =>
  Object.entries(options)
    .map(([name, value]) => pair(optionWords(name), valueWords(name, value)))
    .join("; ");
