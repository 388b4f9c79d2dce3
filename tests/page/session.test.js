// Who plays here: kept over a reload, forgotten when the service does not know the token any more.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const kept = new Map();
const unsent = new Map();
const listeners = new Map();
const answers = [];
const asked = [];
const sent = [];

globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
};
globalThis.sessionStorage = { clear: () => unsent.clear() };
globalThis.addEventListener = (name, listener) => listeners.set(name, listener);
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
globalThis.fetch = async (path, { method, headers = {}, body: given } = {}) => {
  asked.push([method, path, headers.Authorization]);
  sent.push(given && JSON.parse(given));
  const { status, body } = answers.shift();
  return new Response(status === 204 ? null : JSON.stringify(body), { status });
};

const { loadLanguage } = await import("../../page/static/js/i18n.js");
const session = await import("../../page/static/js/session.js");

const KEPT = "wintercount.account";
let changes = 0;
session.watchPlayer(() => changes++);
const ANN = { player: "p_ann", name: "Ann", token: "k_1", secret: "wc_1", scopes: ["play"], guest: false };
const MADE = { id: "p_ann", name: "Ann", token: { id: "k_1", secret: "wc_1", scopes: ["play"] } };

beforeEach(async () => {
  kept.clear();
  asked.length = 0;
  await session.resume();
});

test("an account is made once, and kept", async () => {
  answers.push({ status: 201, body: MADE });
  await session.ensureAccount("Ann");
  await session.ensureAccount("Ann");
  assert.deepEqual(asked, [["POST", "/v1/players", undefined]]);
  assert.deepEqual(JSON.parse(kept.get(KEPT)), ANN);
});

test("a guest is named by the page, each otherwise, until a name is taken", async () => {
  kept.set("wintercount.language", "fr");
  answers.push({ status: 200, body: { "account.guest_name": "Invité {number}" } });
  await loadLanguage();
  const names = new Set();
  for (let count = 0; count < 20; count += 1) {
    session.forget();
    answers.push({ status: 201, body: MADE });
    await session.ensureAccount("");
    const { name, guest } = sent.at(-1);
    assert.deepEqual([/^Invité \d{4}$/.test(name), guest, session.account.guest], [true, true, true]);
    names.add(name);
  }
  assert.ok(names.size > 1);
  session.rename("Ann");
  assert.deepEqual([session.account.name, session.account.guest], ["Ann", false]);
});

test("the token of last time is taken up, and goes into one header", async () => {
  kept.set(KEPT, JSON.stringify(ANN));
  answers.push({ status: 200, body: { scopes: ["play", "watch"] } });
  await session.resume();
  assert.deepEqual(asked, [["GET", "/v1/players/me", "Bearer wc_1"]]);
  assert.deepEqual(session.account.scopes, ["play", "watch"]);
});

test("a token that the service does not know is forgotten, and one that it cannot check now is not", async () => {
  kept.set(KEPT, JSON.stringify(ANN));
  answers.push({ status: 500, body: {} });
  await session.resume();
  assert.equal(session.account.player, "p_ann");
  answers.push({ status: 401, body: {} });
  await session.resume();
  assert.deepEqual([session.account, kept.has(KEPT)], [null, false]);
});

test("what is kept and says of no account is as none, and told until somebody is signed in", async () => {
  for (const text of ["{", "", "5", "[]", "null", '"Ann"', "{}", '{"player":"p_ann","name":"Ann"}', '{"secret":{}}']) {
    kept.set(KEPT, text);
    await session.resume();
    assert.deepEqual([text, session.account, session.isLost, kept.get(KEPT)], [text, null, true, text]);
    listeners.get("storage")({ key: KEPT, newValue: text });
    assert.equal(session.account, null);
  }
  assert.deepEqual(asked, []);
  answers.push({ status: 201, body: MADE });
  await session.ensureAccount("Ann");
  assert.deepEqual([session.account.name, session.isLost], ["Ann", false]);
});

test("another window's account is taken over, and told of where somebody else plays now", () => {
  const told = (key, known) => {
    listeners.get("storage")({ key, newValue: known && JSON.stringify(known) });
    return [session.account?.player, changes];
  };
  changes = 0;
  assert.deepEqual(told(KEPT, ANN), ["p_ann", 1]);
  assert.deepEqual(told(KEPT, { ...ANN, name: "Anna", secret: "wc_2" }), ["p_ann", 1]);
  assert.deepEqual(told("wintercount.sounds", null), ["p_ann", 1]);
  assert.deepEqual(told(KEPT, { ...ANN, player: "p_bea" }), ["p_bea", 2]);
  assert.deepEqual(told(KEPT, null), [undefined, 3]);
  assert.deepEqual(told(KEPT, ANN), ["p_ann", 4]);
  assert.deepEqual(told(null, null), [undefined, 5]); // all that was kept is gone
});

test("whoever leaves is forgotten here with what was not sent, even if the service cannot be told", async () => {
  unsent.set("wintercount.unsent.t_1.p_ann", "{}");
  kept.set(KEPT, JSON.stringify(ANN));
  answers.push({ status: 200, body: { scopes: [] } }, { status: 500, body: {} });
  await session.resume();
  const told = session.signOut();
  assert.deepEqual([session.account, kept.has(KEPT), unsent.size], [null, false, 0]); // before there is an answer
  await assert.rejects(told);
  assert.deepEqual(asked.at(-1), ["DELETE", "/v1/players/me/tokens/k_1", "Bearer wc_1"]);
});

test("an arbiter is who was named, and arbitrates with a token for that", async () => {
  kept.set(KEPT, JSON.stringify(ANN));
  answers.push({ status: 200, body: { scopes: ["play"] } });
  await session.resume();
  const table = { arbiter: "p_ann" };
  assert.deepEqual(
    [session.isArbiter(table), session.arbitrates(table), session.isArbiter({ arbiter: "p_bea" })],
    [true, false, false],
  );
});
