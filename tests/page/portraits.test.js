// Portraits: a person's is the same everywhere, two people's differ in shape or picture, an AI's shows its level.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { portraitOf } from "../../page/static/js/portraits.js";

const IDS = Array.from({ length: 2000 }, (_, number) => `p_${number.toString(36)}${"k7dlz".slice(number % 5)}`);
const STYLES = readFileSync("page/static/css/cards.css", "utf8");
const ART = readFileSync("page/static/art.svg", "utf8");
const READABLE = 4.5;

test("a person's portrait comes from the id alone", () => {
  const ann = { frame: "diamond", picture: "spirit", paint: 5 };
  assert.deepEqual(portraitOf({ player: "p_k23uyn7dlzpp2", name: "Ann", seat: 1 }), ann);
  assert.deepEqual(portraitOf({ player: "p_k23uyn7dlzpp2", name: null, seat: 4, level: null }), ann);
});

test("without colours there are eighty of them, none of them rare", () => {
  const counts = new Map();
  for (const player of IDS) {
    const { frame, picture } = portraitOf({ player });
    counts.set(`${frame} ${picture}`, (counts.get(`${frame} ${picture}`) ?? 0) + 1);
  }
  assert.equal(counts.size, 80);
  assert.ok(Math.min(...counts.values()) >= 8, String(Math.min(...counts.values())));
  assert.ok(Math.max(...counts.values()) <= 50, String(Math.max(...counts.values())));
});

test("an AI's portrait is a wheel with as many pips as its level has steps, a bot's the wheel around its picture", () => {
  const levels = ["uniform", "novice", "greedy", "skilled", "expert"];
  assert.deepEqual(
    levels.map((level) => portraitOf({ player: null, level })),
    [1, 2, 3, 4, 5].map((pips) => ({ frame: "wheel", pips })),
  );
  assert.deepEqual(portraitOf({ player: null, level: "expert" }), { frame: "wheel", pips: 5 });
  const bot = portraitOf({ player: "p_ann", bot: true });
  assert.deepEqual(bot, { ...portraitOf({ player: "p_ann" }), frame: "wheel" });
});

test("an empty seat has none", () => {
  assert.equal(portraitOf({ player: null, level: null }), null);
});

test("every picture is drawn, and stands out from every ground", () => {
  const names = new Set(IDS.map((player) => portraitOf({ player }).picture));
  assert.deepEqual(
    [...names].filter((name) => !ART.includes(`id="sign-${name}"`)),
    [],
  );
  const ink = /portrait-ink \{ fill: (#\w+)/.exec(STYLES)[1];
  const grounds = [...STYLES.matchAll(/paint-\w+ \{ fill: (#\w+)/g)].map(([, colour]) => colour);
  assert.equal(grounds.length, 7);
  assert.deepEqual(
    grounds.filter((ground) => contrast(ink, ground) < READABLE),
    [],
  );
});

/** The contrast of two colours as WCAG counts it. */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
