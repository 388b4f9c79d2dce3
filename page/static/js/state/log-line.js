// A line of the log, taken apart: who is meant by 'seat 2', and which card by 'hunter 7'. Both are drawn.

import { isAboutSeats } from "./log.js";

const SEATS = /(?<!\p{L})(?:las? |les )?(?:seats?|places?) (\d+(?:(?:, \d+)* (?:and|et) \d+)?)(?![\p{L}\d])/giu;
const WARRIOR_FIGURES = String.raw`(?: \(?\d+/\d+\)?)?`;

/** All ids of cards that a payload holds; `isCard(id)` knows one, and a face with a value is one. */
export function cardsIn(payload, isCard) {
  const found = new Map();
  const look = (value) => {
    if (typeof value === "string" && isCard(value)) found.set(value, found.get(value) ?? null);
    else if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === "object") {
      if (typeof value.card === "string" && typeof value.value === "number" && value.name) found.set(value.card, value);
      Object.values(value).forEach(look);
    }
  };
  look(payload);
  return found;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * The sentence of an event as a list of texts, `{seats}` and `{card}` (with the `text` that stood for them). `spoken(id,
 * face)` gives what a card may be called in the sentence.
 */
export function partsOfLine({ words, payload = {}, ...event }, { isCard, spoken }) {
  const cards = [...cardsIn(payload, isCard)].flatMap(([id, face]) =>
    spoken(id, face).map((text) => ({ id, face, text: text.toLowerCase() })),
  );
  const parts = [{ text: words }];
  const seated = isAboutSeats(event) ? parts : parts.flatMap(splitting(SEATS, seatsOf));
  if (!cards.length) return seated;
  return seated.flatMap((part) => (part.text && !part.seats ? splitting(pattern(cards), cardOf(cards))(part) : [part]));
}

const seatsOf = ([text, numbers]) => ({ text, seats: numbers.match(/\d+/g).map(Number) });

/** The longest names first: 'great spirit x2' before 'x2'. */
function pattern(cards) {
  const names = [...new Set(cards.map(({ text }) => text))].sort((one, other) => other.length - one.length);
  return new RegExp(`(?<![\\p{L}\\d-])(${names.map(escaped).join("|")})(?![\\p{L}\\d-])${WARRIOR_FIGURES}`, "giu");
}

const cardOf = (cards) => (match) => {
  const { id, face } = cards.find(({ text }) => text === match[1].toLowerCase());
  return { text: match[0], card: id, face };
};

/** Splits a text at each match of a pattern. */
const splitting = (wanted, read) => (part) => {
  const parts = [];
  let end = 0;
  for (const match of part.text.matchAll(wanted)) {
    parts.push({ text: part.text.slice(end, match.index) }, read(match));
    end = match.index + match[0].length;
  }
  return [...parts, { text: part.text.slice(end) }].filter(({ text }) => text);
};
