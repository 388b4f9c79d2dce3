// A move that could not be sent is kept for whoever made it, and for nobody else who signs in at the same window.

import assert from "node:assert/strict";
import { test } from "node:test";

const unsent = new Map();
const sent = [];
let online = false;

const store = (kept) => ({
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
  clear: () => kept.clear(),
});
globalThis.localStorage = store(new Map());
globalThis.sessionStorage = store(unsent);
globalThis.addEventListener = () => {};
globalThis.fetch = async (path, { method, headers, body }) => {
  if (method === "DELETE") return new Response(null, { status: 204 });
  sent.push([headers.Authorization, headers["Idempotency-Key"], JSON.parse(body).move?.card]);
  if (!online) return new Response("{}", { status: 500 });
  return new Response(JSON.stringify({ table: { version: 9 }, decisions: [], events: [] }), { status: 200 });
};

const session = await import("../../page/static/js/session.js");
const { playEffects } = await import("../../page/static/js/effects/playing.js");

const state = {
  id: "t_1",
  live: { game: "manitou", version: 9, seat: 1 },
  log: { last: 9 },
  composition: { decision: { id: "8-1", seat: 1 } },
};
const playing = playEffects({ state, dispatch: () => {} }, { look: () => {}, refresh: () => {} });
const person = (id) => ({ id, name: "", token: { id: "k", secret: `wc_${id}`, scopes: [] } });
const tick = () => new Promise((resolve) => setImmediate(resolve));

test("whoever made a move sends it again, and somebody else does not", async () => {
  session.adopt(person("p_ann"));
  playing.play({ type: "play_card", card: "scout-1" });
  const key = sent[0][1];
  assert.deepEqual(sent.splice(0), [["Bearer wc_p_ann", key, "scout-1"]]);
  session.adopt(person("p_bea")); // another account of this browser, without signing out
  playing.recover();
  assert.deepEqual(sent, []);
  online = true;
  session.adopt(person("p_ann"));
  playing.recover();
  while (unsent.size) await tick();
  assert.deepEqual(sent, [["Bearer wc_p_ann", key, "scout-1"]]);
});
