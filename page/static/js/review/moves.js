// Moves in the page's own words, and what they touch on the board.

import { capital, pair, t } from "../i18n.js";

const NAMED = new Set(["give", "discard", "to", "from", "target"]); // parts that their values alone do not tell apart
const PLACES = { ground: "grounds", to_ground: "grounds", pile: "piles" };
const CARDS = new Set(["card", "cards", "tile", "tiles", "give", "discard", "keep"]);
const CAMPS = new Set(["to", "from", "target", "tribe"]);

const listed = (value) => [value].flat();
const parts = (move) => Object.entries(move).filter(([field]) => field !== "type");

/** A move as the tray of the table would put it: "Lay a card: hunter 7; Ground 2". */
export function moveWords(game, table, move) {
  const told = parts(move).map(([field, value]) => {
    const words = listed(value).map((each) => game.nameOf(table, field, each));
    return NAMED.has(field) ? pair(t(`field.${field}`), words.join(", ")) : words.join(", ");
  });
  const name = capital(t(`move.${move.type}`));
  return told.length ? pair(name, told.join("; ")) : name;
}

/** The selectors of all that a move touches. */
export const touched = (move) => parts(move).flatMap(([field, value]) => listed(value).flatMap(selectors(field)));

const selectors = (field) => (value) => {
  if (value?.pile) return [placeAt("piles", value.pile), cardOf(value.card)];
  if (PLACES[field]) return [placeAt(PLACES[field], value)];
  if (CAMPS.has(field)) return [`[data-camp="${CSS.escape(value)}"]`];
  return CARDS.has(field) ? [cardOf(value?.card ?? value)] : [];
};

const placeAt = (name, number) => `[data-path="/view/${name}/${number - 1}"]`;
const cardOf = (id) => `[data-card$=":${CSS.escape(id)}"]`;

/** Lights up on a board what a move touches, and nothing else. */
export function lightMove(board, move) {
  for (const node of board.querySelectorAll(".lit")) node.classList.remove("lit");
  for (const node of board.querySelectorAll(touched(move).join(", ") || ":not(*)")) {
    node.classList.add("lit");
    node.closest(".own-cards details")?.setAttribute("open", ""); // a card of the reserve
  }
}
