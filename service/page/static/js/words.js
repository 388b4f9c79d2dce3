// Words of the rules, readable.

import { capital, t } from "./i18n.js";

/** A word of the rules or of a house rule: `pair_attack_weaker`, `TrialOfStrengthResolved`, `true`. */
export const words = (name) =>
  capital(t(`word.${name}`).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** House rules with their values, in a sentence. */
export const reading = (options) =>
  Object.entries(options)
    .map(([name, value]) => `${words(name)}: ${words(value)}`)
    .join("; ");
