// What a seat's clock shows, from what the table says of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { leftMs, timeText, usedMs } from "../../page/static/js/clocks.js";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const STILL = { used_ms: 20_000, bank_ms: 285_000, running_since: null, deadline: null };
const RUNS = {
  used_ms: 20_000,
  bank_ms: 285_000,
  running_since: "2026-11-22T11:59:50.000Z",
  deadline: "2026-11-22T12:04:35.000Z",
};

test("a clock that stands still shows its bank, and one that runs what is left until its deadline", () => {
  assert.deepEqual([leftMs(STILL, NOW), leftMs(RUNS, NOW), leftMs(RUNS, NOW + 10_000)], [285_000, 275_000, 265_000]);
  assert.equal(leftMs({ ...STILL, bank_ms: null }, NOW), null);
});

test("nothing is left behind the deadline, and no less than nothing", () => {
  assert.equal(leftMs(RUNS, NOW + 1_000_000), 0);
});

test("what is used goes on while the clock runs, and never back", () => {
  assert.deepEqual([usedMs(STILL, NOW), usedMs(RUNS, NOW), usedMs(RUNS, NOW - 60_000)], [20_000, 30_000, 20_000]);
});

test("a time is written as a clock shows it: a second counts until it is over", () => {
  const texts = [0, 1, 1000, 59_001, 245_000, 3_600_000, 86_399_000, 86_400_000, 183_900_000].map((ms) => timeText(ms));
  assert.deepEqual(texts, [
    "0:00",
    "0:01",
    "0:01",
    "1:00",
    "4:05",
    "1:00:00",
    "23:59:59",
    "1\u00a0d 00:00",
    "2\u00a0d 03:05",
  ]);
});
