// What an id of a card, a tile or a tribe is called, and what it shows.

import { t, together } from "./i18n.js";

const HEROES = "chief|matriarch|rainmaker|scout|sorcerer|medicine_man";

// A pattern and what it shows; the first that fits counts. Copies of the same face have the same name.
const FACES = [
  [/^hunter-(\d+)/, ([, rank]) => ({ glyph: "hunter", rank })],
  [new RegExp(`^(${HEROES})-\\d+$`), ([, hero]) => ({ glyph: hero, hero: true })],
  [/^(bison|tipi)-(\d)-\d+$/, ([, kind, rank]) => ({ glyph: kind, rank, tile: true })],
  [/^(horse|totem|tomahawk)-\d+$/, ([, kind]) => ({ glyph: kind, tile: true })],
  [/^buffalo-(\d+)/, ([, rank]) => ({ glyph: "buffalo", rank })],
  [/^hide-thief/, () => ({ glyph: "hide-thief" })],
  [/^warrior-(\w+)-(\d)$/, ([, tribe, rank]) => ({ glyph: "warrior", rank, tribe })],
  [/^weapon-(\d)$/, ([, rank]) => ({ glyph: "weapon", rank })],
  [/^(horse|coup-stick)$/, ([, name]) => ({ glyph: name })],
];

/** What a card or tile shows, or undefined if the id is that of neither. */
export function faceOf(id) {
  for (const [pattern, read] of FACES) {
    const found = pattern.exec(id);
    if (found) return read(found);
  }
  return undefined;
}

/** A face in words: "hunter 7", "warrior 3, red", "warrior 6, 2 locks of hair". */
export function faceName(face) {
  const rank = face.rank ? ` ${face.rank}` : "";
  const tribe = face.tribe ? `, ${t(`tribe.${face.tribe}`)}` : "";
  const hair = face.hair ? `, ${t("hair", { n: face.hair })}` : "";
  return t(`card.${face.glyph}`) + rank + tribe + hair;
}

export const cardName = (id) => {
  const face = faceOf(id);
  return face ? faceName(face) : id;
};

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g; // signs that turn the text around them
const PLAIN = /^[\u0020-\u024f]*$/;

/** A name that somebody chose, isolated (as `bdi` does in markup): its writing direction turns nothing around it. */
export function isolated(name) {
  return PLAIN.test(name) ? name : `\u2068${name.replace(TURNS, "")}\u2069`;
}

/** How a seat is called: the player's name, or the AI's level. */
export function seatName({ name, level }) {
  if (name) return isolated(name);
  return t(level ? `level.${level}` : "seat.empty");
}

/** What tells AI players of one level apart at a table: " 2". */
export function numberAt({ seats }, number) {
  const { name, level } = seats[number - 1];
  const twins = !name && level && seats.filter((each) => each.level === level).length > 1;
  return twins ? ` ${number}` : "";
}

/** The same at a table, with that number. */
export const nameAt = (table, number) => seatName(table.seats[number - 1]) + numberAt(table, number);

/** How seats are called, as one says it of several. */
export const namesOf = (table, seats) => together(seats.map((seat) => nameAt(table, seat)));
