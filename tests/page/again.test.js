// The same game once more: nothing of what was agreed on is lost, and whoever sat last sits first.

import assert from "node:assert/strict";
import test from "node:test";

import { again } from "../../page/static/js/effects/quick-start.js";

const AGREED = {
  game: "manitou",
  options: { edition: "first" },
  visibility: "private",
  clock: { seconds: 60, increment: 5 },
  arbiter: "p_ida",
  disputes: { by: "arbiter" },
  rated: false,
  aids: true,
  ratings: { least: 1400, most: null, provisional: true },
};

test("what was agreed on holds again, and nothing else of the table is sent", () => {
  const seats = [
    { seat: 1, player: "p_ann" },
    { seat: 2, level: "skilled" },
    { seat: 3, player: "p_bob" },
  ];
  const { seats: offered, ...rest } = again({
    ...AGREED,
    counted: true,
    seat: 1,
    seats,
    table: "t_over",
    status: "finished",
  });
  assert.deepEqual(rest, AGREED);
  assert.deepEqual(offered, [{ kind: "player", player: "p_bob" }, { kind: "me" }, { kind: "ai", level: "skilled" }]);
});

test("a seat that nobody holds is open again", () => {
  const { seats } = again({ ...AGREED, seat: 2, seats: [{ seat: 1 }, { seat: 2, player: "p_ann" }] });
  assert.deepEqual(seats, [{ kind: "me" }, { kind: "open" }]);
});

test("a table that counts no more, as a move was taken back, says nothing of whether it was to be rated", () => {
  assert.equal(again({ ...AGREED, counted: false, seat: 1, seats: [{ seat: 1, player: "p_ann" }] }).rated, null);
});
