// What a card shows, as the table's document tells it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { face } from "../../page/static/js/views/games/tomahawk.js";

test("a warrior that the opponent has turned up is known by its face; one that lies face down is not", () => {
  const turnedUp = { card: "b01", name: "warrior", value: 3, hair: 1 };
  const slots = [{ cards: [{ card: null }, { card: turnedUp }] }];
  const table = { view: { seats: [{}, {}], piles: [{ slots: [] }, { slots }] } };
  assert.deepEqual(face(table, "b01"), { id: "b01", glyph: "warrior", rank: "3", hair: 1, hero: false });
  assert.equal(face(table, "b02"), undefined);
});
