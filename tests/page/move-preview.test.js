// A move of one's own, as it is shown before the answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { laid } from "../../page/static/js/state/move-preview.js";

const hunting = () => ({
  seat: 2,
  view: {
    seats: [{ seat: 1 }, { seat: 2, hand: ["hunter-3", "chief-1"], hand_count: 2 }],
    grounds: [
      {
        sides: [
          { seat: 1, cards: [] },
          { seat: 2, cards: [{ card: "hunter-5", face_up: true }] },
        ],
      },
      {
        sides: [
          { seat: 1, cards: [] },
          { seat: 2, cards: [] },
        ],
      },
    ],
  },
});

test("a card lies on its ground and no longer in the hand", () => {
  const table = hunting();
  const { view } = laid(table, { type: "play_card", card: "hunter-3", ground: 2 });
  assert.deepEqual(view.grounds[1].sides[1].cards, [{ card: "hunter-3", face_up: true }]);
  assert.deepEqual([view.seats[1].hand, view.seats[1].hand_count], [["chief-1"], 1]);
  assert.deepEqual(table, hunting(), "what was shown before stays as it was");
});

test("a hunter that moves leaves its ground", () => {
  const { view } = laid(hunting(), { type: "move_hunter", card: "hunter-5", to_ground: 2 });
  assert.deepEqual(
    view.grounds.map(({ sides }) => sides[1].cards.map(({ card }) => card)),
    [[], ["hunter-5"]],
  );
});

test("warriors lie at their piles", () => {
  const hand = [{ card: "w1" }, { card: "w2" }];
  const table = { seat: 1, view: { seats: [{ seat: 1, hand, hand_count: 2 }], piles: [{ laid: [] }] } };
  const { view } = laid(table, { type: "play_cards", cards: [{ pile: 1, card: "w2" }] });
  assert.deepEqual(view.piles[0].laid, [{ seat: 1, card: { card: "w2" } }]);
  assert.deepEqual(view.seats[0].hand, [{ card: "w1" }]);
});

test("cards are taken from the display, raids stand, and what is discarded lies with the discards", () => {
  const camp = { tribe: "red", seat: 1, hand: ["horse"], hand_count: 1, raid_markers: 4 };
  const view = { acting_tribe: "red", camps: [camp], display: ["weapon-1"], raids: [], discards: [], round: 3 };
  const table = { seat: 1, view };
  const taken = laid(table, { type: "take_cards", cards: ["weapon-1"] }).view;
  assert.deepEqual([taken.display, taken.camps[0].hand], [[], ["horse", "weapon-1"]]);
  const raided = laid(table, { type: "raid", target: "blue", cards: ["horse"] }).view;
  assert.deepEqual([raided.raids[0].target, raided.camps[0].raid_markers], ["blue", 3]);
  const { discards } = laid(table, { type: "discard_excess", cards: ["horse"] }).view;
  assert.deepEqual(discards, ["horse"]);
});

test("a move without cards shows nothing before its answer", () => {
  assert.equal(laid(hunting(), { type: "pass_turn" }), null);
  assert.equal(laid({ seat: 1, view: { other: true } }, { type: "play", card: "x" }), null);
});
