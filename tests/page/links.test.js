// Where the camps of Plenty Coups stand, and what runs between them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lanes, links, standing } from "../../page/static/js/views/games/plenty-coups/links.js";

const TRIBES = ["black", "yellow", "green", "red", "blue", "white"];
const camps = (count, more = {}) =>
  TRIBES.slice(0, count).map((tribe, index) => ({ tribe, seat: index + 1, ally: null, ...more[tribe] }));

test("one's own camp stands in the near row, the others follow clockwise", () => {
  assert.deepEqual(standing(camps(3), 2), { far: [2, 0], near: [1] });
  assert.deepEqual(standing(camps(4), 1), { far: [1, 2], near: [0, 3] });
  assert.deepEqual(standing(camps(5), 1), { far: [1, 2, 3], near: [0, 4] });
  assert.deepEqual(standing(camps(6), 1), { far: [2, 3, 4], near: [1, 0, 5] });
});

test("every camp stands once, for each seat and for spectators", () => {
  for (const count of [3, 4, 5, 6])
    for (const seat of [null, 1, 2, count]) {
      const { far, near } = standing(camps(count), seat);
      assert.deepEqual(
        [...far, ...near].sort(),
        camps(count).map((_, index) => index),
      );
    }
});

test("an alliance is told once, one with a neutral tribe not at all", () => {
  const allied = { black: { ally: "green" }, green: { ally: "black" }, yellow: { ally: "white" } };
  const found = links({
    camps: camps(3, allied),
    raids: [{ tribe: "yellow", target: "black" }],
    proposals: [{ tribe: "green", to: "yellow" }],
    offer: { tribe: "black", to: "green" },
  });
  assert.deepEqual(found, [
    { kind: "alliance", from: "black", to: "green" },
    { kind: "proposal", from: "green", to: "yellow" },
    { kind: "gift", from: "black", to: "green" },
    { kind: "raid", from: "yellow", to: "black", raid: 0 },
  ]);
});

const PLACES = new Map([
  ["black", { left: 0, top: 0, width: 100, height: 50, far: true }],
  ["yellow", { left: 200, top: 0, width: 100, height: 50, far: true }],
  ["green", { left: 100, top: 250, width: 100, height: 50, far: false }],
]);

test("a raid runs from the raider's edge to the head before the target", () => {
  const head = { left: 120, top: 200, width: 60, height: 40 };
  const [lane] = lanes([{ kind: "raid", from: "black", to: "green", raid: 0 }], PLACES, [head]);
  assert.deepEqual(lane.head, { x: 150, y: 200, far: false });
  assert.equal(lane.d, "M91 50C91 118 150 132 150 200");
});

test("lanes leave a camp beside each other, and within a row they bend out onto the plain", () => {
  const found = [
    { kind: "proposal", from: "black", to: "yellow" },
    { kind: "alliance", from: "black", to: "green" },
  ];
  const [proposal, alliance] = lanes(found, PLACES, []);
  assert.match(proposal.d, /^M91 50C91 8\d 209 8\d 209 50$/);
  assert.match(alliance.d, /^M83 50/);
});

test("what leads to a tribe without a camp is not drawn", () => {
  assert.deepEqual(lanes([{ kind: "alliance", from: "black", to: "white" }], PLACES, []), []);
});
