// From picks to a move.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as composer from "../../page/static/js/state/composer.js";

const HAND = ["card", "discard", "give"];
const CAMP = ["to"];
const GIFTS = ["a", "b", "c"].flatMap((give) =>
  ["a", "b", "c"].flatMap((discard) =>
    give === discard ? [] : ["red", "blue"].map((to) => ({ type: "exchange_gifts", to, give, discard })),
  ),
);
const LAID = [
  { type: "play_card", card: "a", ground: 2 },
  { type: "play_card", card: "b", ground: 1 },
  { type: "play_card", card: "b", ground: 2 },
];
const decide = (...moves) => composer.compose({ id: "1-1", moves });
const picked = (composition, ...picks) =>
  picks.reduce((now, [fields, value]) => composer.pick(now, fields, value), composition);

test("two cards of the hand are the gift, then what pays for it", () => {
  const now = picked(decide(...GIFTS), [HAND, "b"], [HAND, "c"], [CAMP, "red"]);
  assert.deepEqual(composer.done(now), { type: "exchange_gifts", to: "red", give: "b", discard: "c" });
});

test("a card and a place are a move, in either order; a card alone is none, though only one place is left", () => {
  assert.deepEqual(composer.done(picked(decide(...LAID), [["card"], "b"], [["ground"], 1])), LAID[1]);
  assert.deepEqual(composer.done(picked(decide(...LAID), [["ground"], 1], [["card"], "b"])), LAID[1]);
  const alone = picked(decide(...LAID), [["card"], "a"]);
  assert.deepEqual([composer.done(alone), composer.next(alone)], [null, { field: "ground", need: 1 }]);
});

test("what never was a choice need not be picked", () => {
  const last = decide(...LAID.slice(1));
  assert.deepEqual(composer.next(last), { field: "ground", need: 1 });
  assert.deepEqual(composer.done(picked(last, [["ground"], 2])), LAID[2]);
});

test("what is picked changes nothing in place", () => {
  const fresh = decide(...GIFTS);
  composer.pick(fresh, HAND, "b");
  assert.equal(composer.picks(fresh, HAND, "b"), 0);
});

test("each step is undone, the choice of the kind too", () => {
  const fresh = decide({ type: "hunt", discard: "a" }, ...GIFTS);
  const now = composer.pick(composer.choose(fresh, "exchange_gifts"), HAND, "a");
  assert.equal(composer.picks(composer.undo(now), HAND, "a"), 0);
  assert.equal(composer.undo(composer.undo(now)), fresh);
  assert.equal(composer.undo(fresh), fresh);
});

test("a card that two kinds of move take asks for the kind, and is then picked in it", () => {
  const fresh = decide({ type: "hunt", discard: "a" }, { type: "hunt", discard: "b" }, ...GIFTS);
  const asked = composer.pick(fresh, HAND, "a");
  assert.equal(composer.formInUse(asked), null);
  assert.deepEqual(
    composer.kinds(asked).map(({ type }) => type),
    ["hunt", "exchange_gifts"],
  );
  assert.deepEqual(composer.done(composer.choose(asked, "hunt")), { type: "hunt", discard: "a" });
});

test("with several kinds of move a first click sends nothing: it may be a look at what a card is for", () => {
  const asked = picked(decide({ type: "hunt", discard: "x" }, ...GIFTS), [HAND, "x"]);
  assert.deepEqual([composer.ready(asked), composer.done(asked)], [{ type: "hunt", discard: "x" }, null]);
});

test("a card and a camp tell the kind of move", () => {
  const raid = { type: "raid", target: "red", cards: ["a"] };
  const now = picked(decide(raid, { type: "hunt", discard: "a" }), [["raid.cards", ...HAND], "a"], [["target"], "red"]);
  assert.deepEqual(composer.ready(now), raid);
});

test("to pass is beside the one kind that has parts", () => {
  const now = decide(...LAID, { type: "pass_turn" });
  assert.equal(composer.formInUse(now).type, "play_card");
  assert.deepEqual(
    composer.kinds(now).map(({ type }) => type),
    ["pass_turn"],
  );
  assert.deepEqual(composer.done(composer.choose(now, "pass_turn")), { type: "pass_turn" });
});

test("a part of another kind of move is not offered: cards are taken from the display, not of the hand", () => {
  const now = decide({ type: "take_cards", cards: ["a", "b"] });
  assert.equal(composer.status(now, ["take_cards.cards"], "a"), "can");
  assert.equal(composer.status(now, ["raid.cards"], "a"), null);
});

test("copies of a card are counted, and a choice of several is confirmed", () => {
  const now = decide({ type: "discard_excess", cards: ["a", "a"] }, { type: "discard_excess", cards: ["a", "b"] });
  const both = picked(now, [["cards"], "a"], [["cards"], "a"]);
  assert.equal(composer.picks(both, ["cards"], "a"), 2);
  assert.deepEqual(composer.ready(both), { type: "discard_excess", cards: ["a", "a"] });
  assert.equal(composer.done(both), null);
  assert.equal(composer.ready(composer.unpick(both, ["cards"], "a")), null);
});

test("a pick takes the place of one of its kind, and what else fits stays", () => {
  const raids = ["a", "b"].flatMap((card) =>
    ["red", "blue"].map((target) => ({ type: "raid", target, cards: [card] })),
  );
  const now = picked(decide(...raids), [["target"], "red"], [["cards"], "a"], [["cards"], "b"]);
  assert.deepEqual(composer.ready(now), { type: "raid", target: "red", cards: ["b"] });
  assert.equal(composer.status(now, ["target"], "blue"), "swap");
  assert.deepEqual(composer.ready(picked(now, [["target"], "blue"])), { type: "raid", target: "blue", cards: ["b"] });
});

test("what is missing is counted", () => {
  const now = composer.pick(decide({ type: "choose_party", choose: 3, from: ["a", "b", "c", "d"] }), ["cards"], "a");
  assert.deepEqual(composer.next(now), { field: "cards", need: 2 });
});

test("a decision without a choice is told", () => {
  const forced = (...moves) => composer.isForced({ moves });
  assert.deepEqual([forced({ type: "pass_turn" }), forced(...LAID)], [true, false]);
  assert.equal(forced({ type: "choose_party", choose: 2, from: ["a", "b"] }), true);
  assert.equal(forced({ type: "choose_party", choose: 2, from: ["a", "b", "c"] }), false);
  assert.equal(forced({ type: "play_cards", choose: 1, from: ["a"], piles: [1] }), false);
});

test("a party is suggested, and a card that is picked replaces one of it", () => {
  const from = ["hunter-1", "hunter-9", "chief-1", "hunter-8"];
  const now = composer.suggested(decide({ type: "choose_party", choose: 2, from }));
  assert.deepEqual(composer.ready(now).cards, ["hunter-8", "hunter-9"]);
  const other = composer.pick(now, ["cards"], "hunter-1");
  assert.deepEqual(composer.ready(other).cards, ["hunter-9", "hunter-1"]);
  assert.deepEqual(composer.ready(composer.undo(other)).cards, ["hunter-8", "hunter-9"]);
});

test("a pick tells what it took the place of; one that took nothing, or was taken back, tells nothing", () => {
  const fresh = composer.suggested(
    decide({ type: "choose_party", choose: 2, from: ["chief-1", "hunter-1", "hunter-9"] }),
  );
  const now = composer.pick(fresh, ["cards"], "hunter-1");
  assert.deepEqual(
    composer.swapped(now).map(({ value }) => value),
    ["hunter-1", "chief-1"],
  );
  const left = composer.unpick(now, ["cards"], "hunter-1");
  assert.deepEqual([fresh, left, composer.pick(left, ["cards"], "chief-1")].map(composer.swapped), [null, null, null]);
});

test("a pile is aimed at once a card is lifted; a place of a listed move once anything is picked", () => {
  const laid = decide({ type: "play_cards", choose: 2, from: ["a", "b"], piles: [1, 2] });
  const lifted = composer.pick(laid, ["card"], "a");
  const placed = composer.pick(lifted, ["pile"], 1);
  assert.deepEqual(
    [laid, lifted, placed].map((each) => composer.aims(each, ["pile"])),
    [false, true, false],
  );
  const listed = decide(...LAID);
  assert.equal(composer.aims(listed, ["ground"]), false);
  assert.equal(composer.aims(composer.pick(listed, ["card"], "b"), ["ground"]), true);
});

test("why not: a whole move is made of what is picked and the nearest legal move", () => {
  const now = composer.pick(decide(...GIFTS), HAND, "b");
  assert.equal(composer.status(now, CAMP, "black"), "cannot");
  const move = { type: "exchange_gifts", to: "black", give: "b", discard: "a" };
  assert.deepEqual(composer.attempt(now, CAMP, "black"), move);
  assert.deepEqual(composer.attempt(decide(...GIFTS), HAND, "x").give, "x");
});

test("why not: a card that may not lie on the ground is asked for with that ground", () => {
  const now = picked(decide(...LAID), [["card"], "a"]);
  assert.equal(composer.status(now, ["ground"], 1), "cannot");
  assert.deepEqual(composer.attempt(now, ["ground"], 1), { type: "play_card", card: "a", ground: 1 });
});

test("a card lies at one pile alone, can be laid elsewhere, and is taken back", () => {
  const fresh = decide({ type: "play_cards", choose: 2, from: ["a", "b", "c"], piles: [1, 3] });
  const [a, b, c] = ["a", "b", "c"].map((card) => [["card"], card]);
  const [one, three] = [1, 3].map((pile) => [["pile"], pile]);
  const laid = picked(fresh, a, one, b, three, a, three);
  assert.equal(composer.ready(laid), null);
  assert.deepEqual(composer.ready(picked(laid, c, one)), {
    type: "play_cards",
    cards: [
      { pile: 1, card: "c" },
      { pile: 3, card: "a" },
    ],
  });
  assert.equal(composer.picks(composer.unpick(laid, ...three), ["pile"], 3), 0);
});
