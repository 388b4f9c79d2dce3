// Which figures stand on the sheet of scores.

import assert from "node:assert/strict";
import { test } from "node:test";

import { worthTelling } from "../../page/static/js/state/scores.js";

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
