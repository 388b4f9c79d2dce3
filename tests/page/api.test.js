// The public API as the page asks it: an answer that breaks off is asked for again, and a request happens once.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const answers = [];
const asked = [];

globalThis.localStorage = { getItem: () => null };
globalThis.setTimeout = (then) => queueMicrotask(then); // nobody waits here
globalThis.fetch = async (path, { method, headers }) => {
  asked.push([method, path, headers["Idempotency-Key"]]);
  return answers.shift();
};

const { api } = await import("../../page/static/js/api.js");

const TABLE = { table: { table: "t_1", version: 8 } };
const whole = (body) => new Response(JSON.stringify(body));
const cut = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("cut off")) }));

beforeEach(() => {
  asked.length = 0;
});

test("an answer that breaks off is asked for again, with the same key", async () => {
  answers.push(cut(), whole(TABLE));
  assert.deepEqual(await api.post("/v1/tables/t_1/moves", {}, "k1"), TABLE);
  assert.deepEqual(asked, Array(2).fill(["POST", "/v1/tables/t_1/moves", "k1"]));
});

test("answers that all break off are lost, as if the service were out of reach", async () => {
  answers.push(cut(), cut(), cut());
  await assert.rejects(api.get("/v1/tables/t_1"), { code: "offline", status: 0 });
  assert.equal(asked.length, 3);
});

test("an answer that is no JSON is none of the service", async () => {
  answers.push(new Response("<h1>Sign in to this network</h1>"));
  await assert.rejects(api.get("/v1/tables/t_1"), { code: "offline", status: 0 });
});

test("a refusal without words keeps its status", async () => {
  answers.push(new Response("", { status: 418 }));
  await assert.rejects(api.get("/v1/tables/t_1"), { status: 418 });
});

test("what is asked for as text comes as it is", async () => {
  answers.push(new Response("1. hunter-7"));
  assert.equal(await api.text("/v1/tables/t_1/notation"), "1. hunter-7");
});
