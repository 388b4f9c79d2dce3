// Keys, marks and places of the timeline.

import assert from "node:assert/strict";
import { test } from "node:test";

import { begun, EMPTY, grown, undoing } from "../../page/static/js/state/log.js";
import { changedPaths, filmStart, keyTarget, marks, nearestPlace } from "../../page/static/js/state/timeline.js";

test("keys step by one and by ten, and stop at both ends", () => {
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"].map((key) => keyTarget(key, 5, 9)),
    [4, 6, 1, 9, 1, 9],
  );
});

test("Space plays, unless a button has the focus", () => {
  assert.equal(keyTarget(" ", 5, 9), "film");
  assert.equal(keyTarget(" ", 5, 9, { onButton: true }), undefined);
  assert.equal(keyTarget("x", 5, 9), undefined);
});

test("the film begins behind the moment looked at, or at the beginning from the end", () => {
  assert.deepEqual([filmStart(5, 9), filmStart(9, 9)], [6, 1]);
});

test("rulings and what was taken back have their marks", () => {
  const rows = [
    { version: 1, type: "TableOpened", payload: {} },
    { version: 6, type: "GroundEvaluated", payload: { rules: ["MA-5.5"] } },
    { version: 11, type: "PlayTakenBack", payload: { first: 3, last: 5 } },
  ];
  assert.deepEqual(marks(rows, 11), {
    undone: [{ x: 200, width: 202.5 }],
    rulings: [{ x: 499, type: "GroundEvaluated" }],
    verdicts: [],
  });
});

test("decisions that an analysis found wanting have theirs, the higher the worse", () => {
  const found = [{ version: 6, verdict: "blunder", height: 10, address: "#/review/t_one?at=6" }];
  assert.deepEqual(marks([], 11, found).verdicts, [{ x: 498, verdict: "blunder", height: 10 }]);
});

test("a change outlines the smallest drawn place around it, and what is drawn elsewhere none", () => {
  const changes = [{ patch: [{ path: "/view/grounds/0/sides/1/cards/2" }, { path: "/view/grounds/0/heroes/1" }] }];
  const [path] = changedPaths(changes);
  assert.equal(changedPaths(changes).length, 1);
  assert.equal(
    nearestPlace(["/view/grounds/0", "/view/grounds/0/sides/1", "/view/grounds/1"], path),
    "/view/grounds/0/sides/1",
  );
  assert.equal(nearestPlace(["/view/grounds/0/stakes"], "/view/grounds/0"), "/view/grounds/0/stakes");
});

test("the log grows at both ends, and keeps no event twice", () => {
  const recent = grown(EMPTY, [{ version: 4 }, { version: 5 }], 3);
  const told = grown(recent, [{ version: 5 }, { version: 6 }]);
  const whole = begun(
    told,
    [1, 2, 3].map((version) => ({ version })),
  );
  assert.deepEqual(
    whole.rows.map(({ version }) => version),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual([whole.first, whole.last], [0, 6]);
});

test("an event that was taken back knows by which", () => {
  const back = { version: 9, type: "PlayTakenBack", payload: { first: 3, last: 5 } };
  const log = grown(EMPTY, [{ version: 4, type: "CardPlayed" }, back], 0);
  assert.deepEqual([undoing(log, 4), undoing(log, 6)], [back, undefined]);
});
