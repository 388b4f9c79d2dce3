// Which measurement of a level the page tells of.

import assert from "node:assert/strict";
import { test } from "node:test";

import { measuredOf } from "../../page/static/js/ai-levels.js";

const row = (against, n, iterations, more = {}) => ({
  game: "manitou",
  players: 3,
  share: 0.5,
  against,
  n,
  iterations,
  ...more,
});
const told = (...strength) => measuredOf({ id: "expert", strength }, "manitou", 3);

test("a level is told of by the strongest level below it", () => {
  const next = row("skilled", 60, 3000);
  assert.equal(told(row("greedy", 400, 3000), next, row("novice", 400, 3000)), next);
});

test("of several budgets the largest is told of", () => {
  const whole = row("greedy", 99, 3000);
  assert.equal(told(row("greedy", 400, 300), whole, row("greedy", 400, 600)), whole);
});

test("nothing is told of few games, of another table, or of levels that are as strong or stronger", () => {
  const rows = [row("skilled", 59, 3000), row("greedy", 400, 3000, { players: 2 }), row("expert", 400, 3000)];
  assert.equal(told(...rows, row("greedy", 400, 3000, { game: "tomahawk" })), null);
});
