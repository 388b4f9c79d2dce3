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
const decide = (...moves) => composer.compose({ id: "1-1", moves });
const picked = (composition, ...picks) =>
  picks.reduce((now, [fields, value]) => composer.pick(now, fields, value), composition);

test("two cards of the hand fill two slots: the gift, then what pays for it", () => {
  const now = picked(decide(...GIFTS), [HAND, "b"], [HAND, "c"], [CAMP, "red"]);
  assert.deepEqual(composer.ready(now), { type: "exchange_gifts", to: "red", give: "b", discard: "c" });
});

test("a slot that is aimed at gets the next pick, and the others keep theirs", () => {
  const whole = picked(decide(...GIFTS), [HAND, "b"], [HAND, "c"], [CAMP, "red"]);
  const now = composer.pick(composer.aim(whole, "give"), HAND, "a");
  assert.deepEqual(composer.ready(now), { type: "exchange_gifts", to: "red", give: "a", discard: "c" });
});

test("what is picked changes nothing in place", () => {
  const fresh = decide(...GIFTS);
  composer.pick(fresh, HAND, "b");
  assert.equal(composer.picks(fresh, HAND, "b"), 0);
});

test("a card that two kinds of move take asks for the kind first, and is then picked in it", () => {
  const fresh = decide({ type: "hunt", discard: "a" }, ...GIFTS);
  const asked = composer.pick(fresh, HAND, "a");
  assert.equal(composer.formInUse(asked), null);
  assert.deepEqual(
    composer.kinds(asked).map(({ type }) => type),
    ["hunt", "exchange_gifts"],
  );
  assert.deepEqual(composer.ready(composer.choose(asked, "hunt")), { type: "hunt", discard: "a" });
});

test("a part of another kind of move is not offered: cards are taken from the display, not of the hand", () => {
  const now = decide({ type: "take_cards", cards: ["a", "b"] });
  assert.equal(composer.status(now, ["take_cards.cards"], "a"), "can");
  assert.equal(composer.status(now, ["raid.cards"], "a"), null);
});

test("copies of a card are counted", () => {
  const now = decide({ type: "discard_excess", cards: ["a", "a"] }, { type: "discard_excess", cards: ["a", "b"] });
  const both = picked(now, [["cards"], "a"], [["cards"], "a"]);
  assert.equal(composer.picks(both, ["cards"], "a"), 2);
  assert.deepEqual(composer.ready(both), { type: "discard_excess", cards: ["a", "a"] });
  assert.equal(composer.ready(composer.unpick(both, ["cards"], "a")), null);
});

test("a pick that does not fit an earlier one replaces it, and what fits stays", () => {
  const raids = [
    { type: "raid", target: "red", cards: ["a"] },
    { type: "raid", target: "red", cards: ["b"] },
  ];
  const now = picked(decide(...raids), [["target"], "red"], [["cards"], "a"], [["cards"], "b"]);
  assert.deepEqual(composer.ready(now), raids[1]);
});

test("a part that leaves no choice is filled in, and told as such", () => {
  const now = composer.pick(
    decide({ type: "play_card", card: "a", ground: 2 }, { type: "play_card", card: "b", ground: 1 }),
    ["card"],
    "a",
  );
  assert.deepEqual(composer.ready(now), { type: "play_card", card: "a", ground: 2 });
  assert.deepEqual(
    composer.slots(now).find(({ field }) => field === "ground"),
    { field: "ground", values: [2], implied: true, active: false, need: 0 },
  );
  assert.equal(composer.settled(now), false); // not laid by one click: the ground was not chosen by hand
});

test("what is missing is counted", () => {
  const now = composer.pick(decide({ type: "choose_party", choose: 3, from: ["a", "b", "c", "d"] }), ["cards"], "a");
  assert.deepEqual(
    composer.slots(now).map(({ field, need }) => [field, need]),
    [["cards", 2]],
  );
});

test("a party is suggested, and a card that is picked replaces one of it", () => {
  const from = ["hunter-1", "hunter-9", "chief-1", "hunter-8"];
  const now = composer.suggested(decide({ type: "choose_party", choose: 2, from }));
  assert.deepEqual(composer.ready(now).cards, ["hunter-9", "hunter-8"]);
  assert.deepEqual(composer.ready(composer.pick(now, ["cards"], "hunter-1")).cards, ["hunter-1", "hunter-9"]);
});

test("why not: a whole move is made of what is picked and the nearest legal move", () => {
  const now = composer.pick(decide(...GIFTS), HAND, "b");
  assert.equal(composer.status(now, CAMP, "black"), "cannot");
  assert.deepEqual(composer.attempt(now, CAMP, "black"), {
    type: "exchange_gifts",
    to: "black",
    give: "b",
    discard: "a",
  });
  assert.deepEqual(composer.attempt(decide(...GIFTS), HAND, "x").give, "x");
});

test("a card lies at one pile alone, and can be laid elsewhere", () => {
  const fresh = decide({ type: "play_cards", choose: 2, from: ["a", "b", "c"], piles: [1, 3] });
  const laid = picked(
    fresh,
    [["card"], "a"],
    [["pile"], 1],
    [["card"], "b"],
    [["pile"], 3],
    [["card"], "a"],
    [["pile"], 3],
  );
  assert.equal(composer.ready(laid), null);
  assert.deepEqual(composer.ready(picked(laid, [["card"], "c"], [["pile"], 1])), {
    type: "play_cards",
    cards: [
      { pile: 1, card: "c" },
      { pile: 3, card: "a" },
    ],
  });
});
