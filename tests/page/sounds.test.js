// Which sound is made by what happened, and what sounds of it: nothing until it is chosen.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { soundOf, soundOfAll, TUNES } from "../../page/static/js/state/sounds.js";

const kept = new Map();
const heard = [];
const contexts = [];

globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
};
globalThis.window = globalThis;
globalThis.document = { hidden: false };
globalThis.AudioContext = class {
  currentTime = 10;
  destination = "out";
  state = "suspended";
  constructor() {
    contexts.push(this);
  }
  resume = () => (this.state = "running");
  suspend = () => (this.state = "suspended");
};
globalThis.GainNode = class {
  loudness = [];
  gain = { setTargetAtTime: (value, at) => this.loudness.push([value, at]) };
  connect = (to) => to;
};
globalThis.OscillatorNode = class {
  constructor(context, { frequency }) {
    this.frequency = frequency;
    heard.push(this);
  }
  connect = (to) => (this.through = to);
  start = (at) => (this.begin = at);
  stop = (at) => (this.end = at);
};

const { chosenCalls, keepCall, play, sound } = await import("../../page/static/js/effects/sounds.js");
const { call } = await import("../../page/static/js/effects/sounds.js");

beforeEach(() => {
  kept.clear();
  for (const voice of heard.splice(0)) voice.onended();
});

const TRIAL = {
  type: "TrialOfStrengthResolved",
  payload: {
    attacker: { seat: 2, card: "chief-1" },
    defender: { seat: 1, card: "scout-1", protected: null },
    turned_down: [{ seat: 1, card: "scout-1" }],
  },
};
const RAID = {
  type: "RaidDrivenOff",
  payload: { tribe: "blue", attack: 2, cards: ["warrior-blue-2"], by_tribe: "red", by_attack: 4 },
};
const CAMPS = { camps: [{ seat: 1, tribe: "red" }, { seat: 2, tribe: "blue" }, { seat: null, tribe: "green" }] }; // prettier-ignore

test("a trial of strength is lost by whoever falls, won by the other, and met by all others", () => {
  assert.deepEqual(
    [1, 2, 3, null].map((seat) => soundOf(TRIAL, { seat, view: {} })),
    ["lost", "won", "met", "met"],
  );
});

test("who falls together has lost", () => {
  const fallen = [
    { seat: 1, card: "scout-1" },
    { seat: 2, card: "chief-1" },
  ];
  const both = { ...TRIAL, payload: { ...TRIAL.payload, turned_down: fallen } };
  assert.equal(soundOf(both, { seat: 2, view: {} }), "lost");
});

test("the sides of a raid are tribes: a seat's is that of its camp", () => {
  assert.deepEqual(
    [1, 2, 3].map((seat) => soundOf(RAID, { seat, view: CAMPS })),
    ["won", "lost", "met"],
  );
});

test("of strengths added up the majority has won, a tie has lost, and the others have met", () => {
  const totals = [1, 2, 3, 4].map((seat) => ({ seat, total: 9, cards: [] }));
  const ground = { type: "GroundEvaluated", payload: { totals, majority: 1, tied_out: [2, 3] } };
  assert.deepEqual(
    [1, 2, 4].map((seat) => soundOf(ground, { seat, view: {} })),
    ["won", "lost", "met"],
  );
});

test("cards, prizes and the end have sounds; draws and shuffles have none", () => {
  const named = (type) => soundOf({ type, payload: {} }, { seat: 1, view: {} });
  assert.deepEqual(
    ["CardPlayed", "CardsCommitted", "RaidLaunched", "TilesTaken", "CardsTaken", "GameEnded", "CardsDrawn"].map(named),
    ["laid", "laid", "laid", "taken", "taken", "end", null],
  );
});

test("of what comes at once the most telling sounds alone", () => {
  const table = { seat: 1, view: {} };
  const events = [TRIAL, { type: "CardPlayed", payload: {} }, { type: "CardsDrawn", payload: {} }];
  assert.equal(soundOfAll(events, table), "lost");
  assert.equal(soundOfAll([...events, { type: "GameEnded", payload: {} }], table), "end");
  assert.equal(soundOfAll([{ type: "CardsDrawn", payload: {} }], table), null);
  assert.equal(soundOfAll([], table), null);
});

test("nothing sounds until it is chosen, and each choice by itself", () => {
  sound("laid");
  call("Your turn", "#/");
  assert.deepEqual([heard.length, contexts.length], [0, 0]);
  kept.set("wintercount.calling", JSON.stringify({ sound: true })); // as it was kept before tables had sounds
  sound("laid");
  call("Your turn", "#/");
  assert.deepEqual(
    heard.map(({ frequency }) => frequency),
    [659, 880],
  );
  keepCall("table", true);
  sound("laid");
  sound(null);
  assert.equal(heard.length, 2 + TUNES.laid.length);
});

test("choices that are kept in another form are as if nothing had been chosen, each by itself", () => {
  const none = { sound: false, notice: false, table: false, volume: 0.5 };
  for (const text of ["{", "5", "[]", "null", '{"sound":"yes","volume":7}', '{"volume":-1,"table":1}', '{"x":true}']) {
    kept.set("wintercount.calling", text);
    assert.deepEqual([text, chosenCalls()], [text, none]);
  }
  kept.set("wintercount.calling", '{"table":true,"volume":"loud"}');
  assert.deepEqual(chosenCalls(), { ...none, table: true });
});

test("each sound has its own notes, one behind the other, at the volume that was chosen", () => {
  assert.equal(new Set(Object.values(TUNES).map((tune) => JSON.stringify(tune))).size, 7);
  keepCall("volume", 0.2);
  play("won");
  assert.deepEqual(
    heard.map(({ begin }) => begin),
    [10, 10.1, 10.2],
  );
  assert.deepEqual(
    heard.map(({ through }) => through.loudness[0]),
    [
      [0.4 * 0.2 * 0.5, 10],
      [0.4 * 0.2 * 0.5, 10.1],
      [0.4 * 0.2 * 0.5, 10.2],
    ],
  );
});

test("one context is made for all sounds, and rests when the last note is over", () => {
  play("turn");
  play("laid");
  assert.deepEqual([contexts.length, contexts[0].state], [1, "running"]);
  const last = heard.pop();
  for (const voice of heard.splice(0)) voice.onended();
  assert.equal(contexts[0].state, "running");
  last.onended();
  assert.equal(contexts[0].state, "suspended");
});
