// Words of the rules and of the record, readable; each game has its own.

import { helpOption, loadHelp, recordWord } from "./help.js";
import { capital, pair, t } from "./i18n.js";

let game = null; // whose words are meant: that of the table or dialog that was opened last

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
