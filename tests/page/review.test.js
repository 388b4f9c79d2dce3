// What an analysis tells, as the review draws it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choiceOf } from "../../page/static/js/review/analysis.js";
import {
  besides,
  decisionAt,
  endingOf,
  linesOf,
  mistakesOf,
  mostOf,
  movesOf,
  rangeOf,
  turningPoints,
} from "../../page/static/js/review/figures.js";

const mean = (value) => ({ mean: value, error: 0.5 });
const tried = (margin, behind) => ({
  move: { type: "pass_turn" },
  margin: mean(margin),
  victory: mean(0.5),
  behind: mean(behind),
});
const decision = (version, seat, verdict, loss, swings = [0, 0]) => ({
  version,
  seat,
  verdict,
  evaluation: {
    made: tried(-2, 0),
    others: [tried(1, loss), tried(0, loss - 1)],
    loss: mean(loss),
    worlds: 6,
    after: [{ margin: mean(-2) }, { margin: mean(2) }],
  },
  swings,
});
const ANALYSIS = {
  players: 2,
  evaluations: [
    decision(5, 1, "inaccuracy", 1),
    decision(8, 2, "good", 0),
    decision(9, 1, "blunder", 9, [-0.3, 0.3]),
    decision(12, 1, "mistake", 9, [-0.1, 0.4]),
  ],
};
const TABLE = {
  version: 40,
  scores: {
    winners: [2],
    scores: [
      { seat: 1, total: 7 },
      { seat: 2, total: 10 },
    ],
  },
};

test("an address chooses what it names, and nothing that it names wrongly", () => {
  assert.deepEqual(choiceOf("kind=deep&at=57&learn=2&eyes=3"), { kind: "deep", at: 57, learn: 2, eyes: 3 });
  const nothing = { kind: null, at: null, learn: null, eyes: null };
  assert.deepEqual(choiceOf("kind=other&at=1e9&learn=-1&eyes=0"), nothing);
  assert.deepEqual(choiceOf(""), nothing);
});

test("the end is total, lead over the best other seat, and share of the victory", () => {
  assert.deepEqual(endingOf(TABLE), [
    { seat: 1, margin: -3, victory: 0 },
    { seat: 2, margin: 3, victory: 1 },
  ]);
  const shared = endingOf({ scores: { ...TABLE.scores, winners: [1, 2] } });
  assert.deepEqual(
    shared.map(({ victory }) => victory),
    [0.5, 0.5],
  );
  assert.deepEqual(endingOf({ scores: null }), []);
});

test("a seat's line goes through all decisions, has points at its own and ends at the result; two lines mirror", () => {
  const [one, other] = linesOf(ANALYSIS, "margin", { ending: endingOf(TABLE), version: 40 });
  assert.deepEqual(
    one.points.map(({ version, mean: value }) => [version, value]),
    [
      [5, -2],
      [9, -2],
      [12, -2],
    ],
  );
  const values = ({ path }) => path.map(({ mean: value }) => value);
  assert.deepEqual(
    values(one),
    values(other).map((value) => -value),
  );
  assert.equal(one.path.length, 4);
  assert.deepEqual(
    [one.end, other.end],
    [
      { version: 40, mean: -3 },
      { version: 40, mean: 3 },
    ],
  );
  assert.deepEqual(rangeOf([one, other]), [-3, 3]);
  assert.equal(linesOf(ANALYSIS, "margin", { ending: [], version: 40 })[0].end, null);
});

test("turning points are where a share of the victory changed most, with the seat that gained of two alike", () => {
  assert.deepEqual(turningPoints(ANALYSIS), [
    { version: 12, seat: 2, swing: 0.4 },
    { version: 9, seat: 2, swing: 0.3 },
  ]);
});

test("mistakes are one's own, the worst first, and the earlier of two that are as bad", () => {
  assert.deepEqual(
    mistakesOf(ANALYSIS, 1).map(({ version }) => version),
    [9, 12, 5],
  );
  assert.deepEqual(mistakesOf(ANALYSIS, 2), []);
});

test("a decision has others before and behind it", () => {
  assert.equal(decisionAt(ANALYSIS, 8).seat, 2);
  assert.equal(decisionAt(ANALYSIS, 7), undefined);
  assert.deepEqual(
    besides(ANALYSIS, 5).map((each) => each?.version),
    [undefined, 8],
  );
  assert.deepEqual(
    besides(ANALYSIS, 12).map((each) => each?.version),
    [9, undefined],
  );
});

test("the move made comes first; the better one is that by which the loss is measured", () => {
  assert.deepEqual(
    movesOf(ANALYSIS.evaluations[2]).map(({ made, best }) => [made, best]),
    [
      [true, false],
      [false, true],
      [false, false],
    ],
  );
  assert.ok(movesOf(ANALYSIS.evaluations[1]).every(({ best }) => !best));
});

const stroke = (version, seat, ruled, choice, chance) => ({
  version,
  seat,
  ruled: [ruled, -ruled],
  choice: [choice, -choice],
  chance: [chance, -chance],
});
const LUCK = {
  seats: [{ expected: mean(2) }, { expected: mean(-2) }],
  strokes: [stroke(0, null, 0, 0, -3), stroke(5, 1, 0, 1, 0), stroke(8, 2, -4, 2, 5)],
};

test("chance changed most where it changed most, for better or worse", () => {
  assert.deepEqual(mostOf(LUCK, 2), [
    { version: 8, change: -5 },
    { version: 0, change: 3 },
  ]);
});

test("luck is a kind of its own", () => {
  assert.equal(choiceOf("kind=luck&eyes=2").kind, "luck");
});
