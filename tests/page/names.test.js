// How people are called up and dates are written: as the language has it, and the browser's region. And what a card shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = "page/static";
const NOON = "2026-11-25T12:13:00.000Z";

process.env.TZ = "UTC";
let languages = ["en"];
globalThis.localStorage = { getItem: () => null };
Object.defineProperty(globalThis, "navigator", { value: { get languages() { return languages; } } }); // prettier-ignore
globalThis.document = { documentElement: {} };
globalThis.fetch = async (address) => ({
  json: async () => JSON.parse(readFileSync(`${PAGE}${address.replace("/page", "")}`, "utf8")),
});
const { loadLanguage, moment } = await import("../../page/static/js/i18n.js");
const { namesOf } = await import("../../page/static/js/piece-names.js");
const { face } = await import("../../page/static/js/views/games/tomahawk.js");

async function browsing(...names) {
  languages = names;
  await loadLanguage();
}

const TABLE = {
  seats: [
    { seat: 1, name: "Ann" },
    { seat: 2, level: "greedy" },
    { seat: 3, name: "Bea, the Bold" },
  ],
};
const TWINS = {
  seats: [{ seat: 1, name: "Ann", level: "expert" }, ...[2, 3].map((seat) => ({ seat, level: "expert" }))],
};

test("several winners are called up, though a name may have a comma", async () => {
  await browsing("en-GB");
  assert.equal(namesOf(TABLE, [1]), "Ann");
  assert.equal(namesOf(TABLE, [2, 3]), "Steady and “Bea, the Bold”");
  assert.equal(namesOf(TABLE, [2, 1, 3]), "Steady, Ann and “Bea, the Bold”");
  assert.equal(namesOf(TWINS, [1, 2, 3]), "Ann, Expert 2 and Expert 3");
  await browsing("fr-CA");
  assert.equal(namesOf(TABLE, [2, 3]), "Régulier et «\u202fBea, the Bold\u202f»");
});

test("a date is written as the browser's region has it, in the language of the page", async () => {
  const read = async (...names) => (await browsing(...names), moment(NOON).replaceAll("\u202f", " "));
  assert.equal(await read("en-GB"), "25 Nov 2026, 12:13");
  assert.equal(await read("en-US"), "Nov 25, 2026, 12:13 PM");
  assert.equal(await read("de-DE", "en-GB"), "25 Nov 2026, 12:13");
  assert.equal(await read("de-DE"), "Nov 25, 2026, 12:13 PM");
  assert.equal(await read("fr-FR"), "25 nov. 2026, 12:13");
});

test("a warrior that the opponent has turned up is known by its face; one that lies face down is not", () => {
  const turnedUp = { card: "b01", name: "warrior", value: 3, hair: 1 };
  const slots = [{ cards: [{ card: null }, { card: turnedUp }] }];
  const table = { view: { seats: [{}, {}], piles: [{ slots: [] }, { slots }] } };
  assert.deepEqual(face(table, "b01"), { id: "b01", glyph: "warrior", rank: "3", hair: 1, hero: false });
  assert.equal(face(table, "b02"), undefined);
});
