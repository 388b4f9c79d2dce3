// How a ground stands; that it is what is ruled then is a law over the recorded games.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contest } from "../../page/static/js/state/standing-totals.js";

const side = (seat, ...cards) => ({ seat, cards: cards.map((card) => ({ card, face_up: true })) });
const view = (more = {}) => ({
  options: { hero_without_hunters: "takes_none", runner_up_share: "one" },
  seats: [{ tiles: [] }, { tiles: ["tomahawk-1"] }, { tiles: [] }],
  bonuses: [],
  evaluating: 0,
  awards: [],
  ...more,
});
const GROUND = {
  ground: 1,
  tiles: ["bison-1-1", "bison-2-1", "tipi-3-1", "horse-1"],
  sides: [side(1, "hunter-7", "chief-1"), side(2, "hunter-3", "hunter-2"), side(3, "hunter-7")],
};

test("who shares a total is struck out, a tomahawk makes each hunter stronger, a hero takes one", () => {
  const { totals, tied, first, second, takes } = contest(view(), GROUND);
  assert.deepEqual(
    [...totals],
    [
      [1, 7],
      [2, 7],
      [3, 7],
    ],
  );
  assert.deepEqual([tied, first, second], [[1, 2, 3], null, null]);
  assert.deepEqual([...takes], [[1, 1]]);
});

test("the tomahawks with which the evaluation began count, not one that was taken since", () => {
  const { totals, first, takes } = contest(view({ bonuses: [0, 0, 0] }), GROUND);
  assert.equal(totals.get(2), 5);
  assert.equal(first, 2);
  assert.deepEqual(
    [...takes],
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test("while tiles are shared out, what is not taken yet is told", () => {
  const awards = [{ step: "majority", seat: 2, count: 2 }];
  const left = { ...GROUND, tiles: GROUND.tiles.slice(1) };
  assert.deepEqual([...contest(view({ evaluating: 1, awards }), left).takes], [[2, 2]]);
});
