// A move that is picked at once, as a lesson does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compose, pick, ready } from "../../page/static/js/state/composer.js";
import { filled } from "../../page/static/js/state/filling.js";

const reached = (moves, move) => ready(filled(compose({ id: "1-1", moves }), move));

test("a listed move is picked part by part, whichever kinds are open", () => {
  const moves = [
    { type: "take_cards", cards: ["horse", "horse"] },
    { type: "take_cards", cards: ["horse", "weapon-3"] },
    { type: "raid", target: "green", cards: ["warrior-red-3"] },
    { type: "breed" },
  ];
  for (const move of moves) assert.deepEqual(reached(moves, move), move);
});

test("a party is picked card by card", () => {
  const summary = { type: "choose_party", choose: 2, from: ["chief-1", "scout-1", "hunter-4"] };
  const move = { type: "choose_party", cards: ["hunter-4", "chief-1"] };
  assert.deepEqual(reached([summary], move), move);
});

test("cards are laid at piles", () => {
  const summary = { type: "play_cards", choose: 2, from: ["a1", "a2", "a3"], piles: [1, 2] };
  const cards = [
    { pile: 1, card: "a3" },
    { pile: 2, card: "a1" },
  ];
  assert.deepEqual(reached([summary], { type: "play_cards", cards }), { type: "play_cards", cards });
});

test("what was picked before gives way", () => {
  const moves = [1, 2].map((ground) => ({ type: "play_card", card: "chief-1", ground }));
  const begun = pick(compose({ id: "1-1", moves }), ["ground"], 1);
  assert.deepEqual(ready(filled(begun, moves[1])), moves[1]);
});
