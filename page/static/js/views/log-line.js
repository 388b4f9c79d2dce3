// A line of the log: the sentence of an event, with people by their names and marks, and cards as small pictures. It is
// taken apart first: who is meant by 'seat 2', and which card by 'hunter 7'.

import { el } from "../dom.js";
import { icon, mark } from "../glyphs.js";
import { t, together } from "../i18n.js";
import { cardName, faceName, faceOf, nameAt } from "../piece-names.js";
import { isAboutSeats } from "../state/log.js";

const SEATS = /(?<!\p{L})(?:las? |les )?(?:seats?|places?) (\d+(?:(?:, \d+)* (?:and|et) \d+)?)(?![\p{L}\d])/giu;
const WARRIOR_FIGURES = String.raw`(?: \(?\d+/\d+\)?)?`;
const BARE = "plenty-coups"; // where a card without a number is called by its kind: horse, coup-stick
const LETTERS = "abcdefgh"; // of copies, where a game tells them apart so
const SHORT = /^[abx]\d+$/; // a card of Tomahawk
const LAND = /^T\d+$/; // a territory of Tomahawk

const parts = ({ live }, event) => partsOfLine(withLevel(event), live.game);

/** An AI player's level by the word that people read. */
function withLevel(event) {
  const level = event.payload?.ai?.level;
  return level ? { ...event, words: event.words.replace(`(${level})`, `(${t(`level.${level}`)})`) } : event;
}

/** The sentence of an event as nodes. */
export function logLine({ state, game }, event) {
  const suitOf = game.suits(state.live);
  const drawn = parts(state, event).map((part) => {
    if (part.seats) return people(state.live, part.seats, suitOf);
    const face = part.card && faceFor(state, game, part);
    return face ? chip(face, part, event.payload.seat && suitOf(event.payload.seat)) : part.text;
  });
  return drawn.map((node, index) => stopped(node, drawn[index + 1], drawn[index - 1]));
}

const isChip = (part) => part?.props?.role === "img";
const stop = (text) => (typeof text === "string" ? /^[,.;:)]*/.exec(text)[0] : "");

/** A part with the stop that follows a chip drawn on the chip's line: a line could begin with a comma otherwise. */
function stopped(node, next, before) {
  if (isChip(node) && stop(next)) return el("span", { class: "unbroken" }, node, stop(next));
  const drawn = isChip(before) ? stop(node) : "";
  return drawn ? node.slice(drawn.length) : node;
}

/** The same as text, for those who hear it. */
export const logLineText = ({ state }, event) =>
  parts(state, event)
    .map((part) => (part.seats ? together(part.seats.map((seat) => nameOf(state.live, seat))) : part.text))
    .join("");

const nameOf = (live, seat) => (live.seats[seat - 1] ? nameAt(live, seat) : String(seat));

function people(live, seats, suitOf) {
  const drawn = seats.map((seat) =>
    el("strong", { class: `person suit-${suitOf(seat)}` }, mark(suitOf(seat)), nameOf(live, seat)),
  );
  return drawn.flatMap((node, index) => (index ? [index === drawn.length - 1 ? t("list.last") : ", ", node] : [node]));
}

function faceFor({ shown, live, log }, game, { card, face }) {
  if (face) return { id: card, glyph: face.name, rank: String(face.value), hair: face.hair };
  return game.face?.(shown ?? live, card) ?? faceOf(card) ?? revealed(log.rows, card);
}

/** A card or territory of Tomahawk that an event has shown. */
function revealed(rows, card) {
  const land = rows.find(({ payload }) => payload?.face === card && payload.species)?.payload;
  if (land) return { id: card, glyph: land.species, rank: String(land.animals), tile: true };
  const slots = rows.flatMap(({ payload }) => payload?.slots?.flatMap((slot) => slot.cards ?? []) ?? []);
  const face = slots.find((each) => each.card === card);
  return face && { id: card, glyph: face.name, rank: String(face.value), hair: face.hair };
}

/** A card within a line of text; pointed at, it lights up on the table. */
function chip(face, { card }, suit) {
  const owner = face.tribe ?? suit;
  const name = faceName(face);
  return el(
    "span",
    {
      class: `chip${face.tile ? " chip-tile" : ""}${owner ? ` suit-${owner}` : ""}`,
      role: "img",
      "aria-label": name,
      title: name,
      data: { lights: card },
    },
    owner && !face.tile && mark(owner),
    icon(face.glyph),
    el("b", {}, face.rank ?? (face.hero ? t(`card.${face.glyph}`) : "")),
  );
}

/** Lights up on the table what a chip stands for. */
export function lightUp(frame, target, on) {
  const card = target.closest?.("[data-lights]")?.dataset.lights;
  if (!card) return;
  for (const node of frame.querySelectorAll("[data-card]"))
    if (node.dataset.card.endsWith(`:${card}`)) node.classList.toggle("lit", on);
}

/** All ids of cards and tiles of a game that a payload holds, and their faces; a face with a value is one. */
function cardsIn(payload, game) {
  const found = new Map();
  const look = (value) => {
    if (typeof value === "string" && isCard(value, game)) found.set(value, found.get(value) ?? null);
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

/** The sentence of an event as a list of texts, `{seats}` and `{card}` (with the `text` that stood for them). */
export function partsOfLine({ words, payload = {}, ...event }, game) {
  const cards = [...cardsIn(payload, game)].flatMap(([id, face]) =>
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

/** Whether an id in a payload is that of a card or tile of this game. */
const isCard = (id, game) =>
  (game === "tomahawk" && (SHORT.test(id) || LAND.test(id))) ||
  (faceOf(id) !== undefined && (game === BARE || id.includes("-")));

/** What a card may be called in a sentence: by the words of the game, and by its id alone where it has no others. */
function spoken(id, face) {
  if (LAND.test(id)) return [id];
  if (SHORT.test(id)) return [...(face ? [`${t(`card.${face.name}`)} ${id}`] : []), id];
  const { tribe, rank } = faceOf(id);
  if (tribe) return [`${t(`warrior.${tribe}`)} ${rank}`];
  const [, stem, rest = ""] = /^(.+?)(-\d[\d-]*)?$/.exec(id);
  const [number, copy] = rest.slice(1).split("-");
  const lettered = copy ? [`${number}${LETTERS[copy - 1]}`] : [];
  return [`card.${stem}`, `spoken.${stem}`].flatMap((key) =>
    [rest.slice(1), ...lettered].map((figure) => `${t(key)} ${figure}`.trim()),
  );
}

/**
 * The outcome of a ruling in one sentence: for a trial, which cards stand and fall; otherwise the sentence of the log.
 * `event` is one of the log, or one that a remedy would lead to.
 */
export function outcomeLine(page, event) {
  const { turned_down: down, face_up_after: up } = event.payload;
  if (!down) return logLine(page, event).flat();
  const of = (seat, card) => t("dispute.card_of", { name: nameAt(page.state.live, seat), card: cardName(card) });
  const falls = down.map(({ seat, card }) => of(seat, card));
  const stands = (up?.cards ?? []).map((card) => of(up.seat, card));
  return [told("down", falls), " ", stands.length ? told("stands", stands) : t("dispute.nobody_stands")];
}

const told = (key, cards) => t(`dispute.${key}`, { n: cards.length, cards: together(cards) });
