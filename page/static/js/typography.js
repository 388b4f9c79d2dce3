// French as it is printed: ’ for the apostrophe, narrow no-break spaces before : ; ! ? » and after «.

const NARROW = "\u202f";

/** French words as they are written in the data, set as they are printed. */
export const french = (text) =>
  text
    .replace(/(?<=[\p{L}\d])'(?=[\p{L}\d{]|$)/gu, "’")
    .replace(/ (?=[:;!?»])/g, NARROW)
    .replace(/(?<=«) /g, NARROW);

const SETTERS = { fr: french };

/** A text, or the texts in lists and objects, as the language prints them. */
export function typeset(value, language) {
  const set = SETTERS[language];
  if (!set) return value;
  if (typeof value === "string") return set(value);
  if (Array.isArray(value)) return value.map((item) => typeset(item, language));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, typeset(item, language)]));
}
