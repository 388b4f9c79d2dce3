// Addresses: what stands behind the # is written by whoever passes a link on.

import assert from "node:assert/strict";
import test from "node:test";

import { addressOf, place, profileAddress, ruleAddress } from "../../page/static/js/router.js";

/** What an address leads to. */
function leadsTo(hash) {
  globalThis.location = { hash };
  return place();
}

const TABLE = { name: "table", table: "t_a", at: null, seat: null, sit: null };

test("an address leads to a table, to a moment, to a variation of a text", () => {
  assert.deepEqual(leadsTo(addressOf("t_a")), TABLE);
  assert.deepEqual(leadsTo(addressOf("t_a", 57, 2)), { ...TABLE, at: 57, seat: 2 });
  assert.deepEqual(leadsTo(addressOf("x_a-12")), { ...TABLE, table: "x_a-12" });
  assert.equal(leadsTo(profileAddress("p_a")).part, "p_a");
  assert.deepEqual(leadsTo(ruleAddress("big-manitou", "BM-5.4b")), {
    name: "rules",
    game: "big-manitou",
    table: "big-manitou",
    part: "BM-5.4b",
  });
});

// In the path of a request a browser takes `\` for `/`, and `#` for the end; `..` is a step up, also as `%2e%2e`.
for (const part of [
  "..\\players\\me#",
  "..%5Cplayers",
  "..%2Fplayers",
  "..",
  "%2e%2e",
  "t_a#",
  "t_a%3Fx",
  "%",
  "%E0",
]) {
  test(`${part} names no table, nobody and no rule`, () => {
    assert.equal(leadsTo(`#/tables/${part}`).name, "lobby");
    assert.equal(leadsTo(`#/tables/${part}/3?seat=1`).name, "lobby");
    assert.equal(leadsTo(`#/record/${part}`).name, "lobby");
    assert.equal(leadsTo(`#/player/${part}`).part, null);
    assert.equal(leadsTo(`#/rules/manitou/${part}`).part, null);
  });
}
