// Reads decisions, a line each, and composes every legal move of each by the picks that the drawing offers, in the
// order of the slots and backwards. Writes how many moves were reached and which were not.

import { readFileSync } from "node:fs";

import { choose, compose, done, formInUse, PARTS, pick, ready, status } from "../../page/static/js/state/composer.js";

const MOST_OF_A_SET = 40;

/** A canonical form: lists of a move have no order. */
const canonical = (move) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(move).map(([field, value]) => [
        field,
        Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
      ]),
    ),
  );

/** The fields of the drawn things by which a value of this field may be picked: each is a way. */
function waysOf(game, type, field) {
  const drawn = Object.values(PARTS[game]).filter(
    (fields) => fields.includes(field) || fields.includes(`${type}.${field}`),
  );
  return drawn.length ? drawn : [[field]];
}

function partsOf(move) {
  return Object.entries(move).flatMap(([field, value]) =>
    field === "type" ? [] : (Array.isArray(value) ? value : [value]).map((item) => [field, item]),
  );
}

/** Picks one thing after the other, drawn or by words; null if one of them could not be picked. */
function picked(composition, game, parts, drawn) {
  let now = composition;
  for (const [field, value] of parts) {
    const [fields] = drawn ? waysOf(game, formInUse(now).type, field) : [[field]];
    if (status(now, fields, value) !== "can") return null;
    now = pick(now, fields, value);
  }
  return now;
}

function reaches(fresh, game, move, parts, drawn) {
  const now = picked(fresh, game, parts, drawn);
  return now !== null && canonical(ready(now) ?? {}) === canonical(move);
}

/** A legal move by its parts: forwards by what is drawn, and backwards by words. */
function reached({ game }, chosen, move) {
  const parts = partsOf(move);
  return reaches(chosen, game, move, parts, true) && reaches(chosen, game, move, [...parts].reverse(), false);
}

/** Whether a part can be changed once the move is whole: another legal move is reached from there. */
function changed({ game }, chosen, move, other) {
  let now = picked(chosen, game, partsOf(move), true);
  for (const [field, value] of partsOf(other)) now = pick(now, [field], value);
  return (
    canonical(ready(now) ?? {}) === canonical(other) ||
    canonical(ready(picked(choose(compose(now.decision), other.type), game, partsOf(other), true)) ?? {}) ===
      canonical(other)
  );
}

/** Some of the moves that a summary stands for. */
function expanded(move) {
  if (!("choose" in move)) return [move];
  const { type, choose: size, from, piles } = move;
  return Array.from({ length: Math.min(MOST_OF_A_SET, from.length) }, (_, turn) => {
    const cards = [...from.slice(turn), ...from.slice(0, turn)].slice(0, size);
    return { type, cards: piles ? piles.map((pile, index) => ({ pile, card: cards[index] })) : cards };
  });
}

/** A placement is composed by a card and then its pile. */
function reachedPlacement({ game }, chosen, move) {
  let now = chosen;
  for (const { pile, card } of move.cards) now = pick(pick(now, PARTS[game].hand, card), PARTS[game].pile, pile);
  return canonical(ready(now) ?? {}) === canonical(move) && done(now) === null && formInUse(now).how === "placement";
}

const unreached = [];
let count = 0;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const decision = JSON.parse(line);
  const fresh = compose(decision);
  for (const listed of decision.moves) {
    const chosen = choose(fresh, listed.type); // by the button for its kind
    for (const move of expanded(listed)) {
      const other =
        decision.moves.find((each) => each !== listed && !("choose" in each) && each.type === move.type) ?? null;
      const whole = listed.piles ? reachedPlacement(decision, chosen, move) : reached(decision, chosen, move);
      const may = !other || "choose" in listed || changed(decision, chosen, move, other);
      if (whole && may) count += 1;
      else unreached.push(JSON.stringify({ decision: decision.id, move, whole, may }));
    }
  }
}
process.stdout.write(JSON.stringify({ reached: count, unreached: unreached.slice(0, 20) }));
