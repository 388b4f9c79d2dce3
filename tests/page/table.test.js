// What is known of a table, changed by actions alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { composing, createStore, eyes, opening, reduce, versionOf } from "../../page/static/js/state/table.js";

const DECISION = {
  id: "4-1",
  seat: 1,
  moves: [
    { type: "hunt", discard: "a" },
    { type: "hunt", discard: "b" },
  ],
};
const at = (version, more = {}) => ({ table: "t_a", version, seat: 1, decisions: [DECISION], view: {}, ...more });
const after = (...actions) => actions.reduce(reduce, opening({ table: "t_a", at: null, seat: null }));

test("answers may overtake one another: the newest table counts", () => {
  const state = after({ type: "known", table: at(5) }, { type: "known", table: at(4) });
  assert.equal(state.live.version, 5);
});

test("picks are kept as long as the same decision is open", () => {
  const picked = [
    { type: "known", table: at(4) },
    { type: "decided", decision: DECISION },
    { type: "picked", fields: ["discard"], value: "b" },
  ];
  const same = after(...picked, { type: "decided", decision: { ...DECISION } });
  const other = after(...picked, { type: "decided", decision: { ...DECISION, id: "7-1" } });
  assert.deepEqual([same.composition.picks.length, other.composition.picks.length], [1, 0]);
});

test("nothing can be picked in the past, while play is paused, or while a move is on its way", () => {
  const known = [
    { type: "known", table: at(4) },
    { type: "decided", decision: DECISION },
  ];
  assert.ok(composing(after(...known)));
  assert.equal(composing(after(...known, { type: "looked", at: 2, seat: null })), null);
  assert.equal(composing(after({ type: "known", table: at(4, { paused: true }) }, known[1])), null);
  assert.equal(composing(after(...known, { type: "sending", sending: { key: "k" } })), null);
});

test("a move that got lost is kept until it is sent", () => {
  const sending = { type: "sending", sending: { key: "k", move: { type: "hunt", discard: "a" }, lost: false } };
  const lost = after({ type: "known", table: at(4) }, sending, { type: "lost" });
  assert.deepEqual([lost.sending.lost, lost.sending.key], [true, "k"]);
  assert.equal(reduce(lost, { type: "sent" }).sending, null);
});

test("a moment behind the end is the end", () => {
  assert.equal(versionOf(after({ type: "known", table: at(4) }, { type: "looked", at: 9, seat: null })), 4);
});

test("an arbiter looks through a seat no further than the disputed version, while the dispute is open", () => {
  const court = { disputes: [{ outcome: null, looks: [{ seat: 2, until: 3 }] }] };
  const look = (version) =>
    after({ type: "known", table: at(9) }, { type: "contested", court }, { type: "looked", at: version, seat: 2 });
  assert.deepEqual([eyes(look(3), true), eyes(look(4), true), eyes(look(4), false)], [2, null, 2]);
});

test("whoever draws is told of changes, and of nothing else", () => {
  const told = [];
  const store = createStore(reduce, opening({ table: "t_a", at: null, seat: null }));
  const stop = store.subscribe((state) => told.push(state.connection));
  store.dispatch({ type: "heard", connection: "live" });
  store.dispatch({ type: "undone" });
  stop();
  store.dispatch({ type: "heard", connection: "lost" });
  assert.deepEqual(told, ["live"]);
});
