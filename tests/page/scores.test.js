// Which figures stand on the sheet of scores, what totals are made of, and the rulings that changed them most.

import assert from "node:assert/strict";
import { test } from "node:test";

import { largestSwings, partsOf, worthTelling } from "../../page/static/js/state/scores.js";

const FIGURES = ["markers", "horses", "off_herd", "own_total", "tiebreak_off_herd", "tiebreak_horses"];
const row = (total, markers, horses, more = {}) => ({
  total,
  markers,
  horses,
  off_herd: markers,
  own_total: total,
  tiebreak_off_herd: markers,
  tiebreak_horses: horses,
  ...more,
});

test("what another line tells has none of its own, nor what breaks ties where nobody is tied", () => {
  assert.deepEqual(worthTelling(FIGURES, [row(3, 3, 2), row(1, 1, 0)]), ["markers", "horses"]);
});

test("tied totals have the lines that break them", () => {
  const told = worthTelling(FIGURES, [row(3, 3, 2), row(3, 2, 6)]);
  assert.deepEqual(told, ["markers", "horses", "tiebreak_off_herd", "tiebreak_horses"]);
});

test("a figure that differs for one seat has its line", () => {
  const rows = [row(5, 3, 2, { own_total: 3 }), row(1, 1, 0, { off_herd: 0, own_total: 0 })];
  assert.deepEqual(worthTelling(FIGURES, rows), ["markers", "horses", "off_herd", "own_total"]);
});

test("what is nothing for everybody has no line", () => {
  assert.deepEqual(worthTelling(["buffalo", "penalties"], [{ total: 4, buffalo: 4, penalties: 0 }]), ["buffalo"]);
});

test("a game that nobody has told the parts of has none", () => {
  assert.deepEqual(partsOf("fifth", { total: 3 }), []);
});

test("the largest swings are the rulings by which a seat gained most on the others, the greatest first", () => {
  const totals = { 1: [0, 0], 2: [3, 0], 3: [3, 8], 4: [3, 8] };
  const totalsAt = (version) => totals[version].map((total, index) => ({ seat: index + 1, total }));
  const rulings = [2, 3, 4].map((version) => ({ version, batch: [version, version], payload: { rules: [] } }));
  assert.deepEqual(
    largestSwings(rulings, totalsAt).map(({ event, seat, swing }) => [event.version, seat, swing]),
    [
      [3, 2, 8],
      [2, 1, 3],
    ],
  );
});
