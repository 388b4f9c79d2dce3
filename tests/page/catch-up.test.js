// What is shown from two versions of a view and the events between, and the log as it is read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { groupsOf } from "../../page/static/js/state/log.js";
import { partsOfLine } from "../../page/static/js/views/log-line.js";
import { flights, framesOf, receiver, SPEEDS } from "../../page/static/js/state/catch-up.js";
import { composing, isAtEnd, opening, reduce } from "../../page/static/js/state/table.js";
import { trialOf } from "../../page/static/js/state/ruling-comparison.js";

const BASE = { table: "t_a", version: 4, seat: 1, decisions: [], view: { laid: [] } };
const change = (version, card) => ({
  version,
  patch: [
    { op: "replace", path: "/version", value: version },
    { op: "add", path: "/view/laid/-", value: card },
  ],
});
const CHANGES = [change(5, "hunter-1"), change(6, "draw"), change(7, "chief-1")];
const TRIAL = {
  version: 7,
  type: "TrialOfStrengthResolved",
  by: { seat: 2 },
  words: "…",
  payload: {
    attacker: { seat: 2, card: "chief-1" },
    defender: { seat: 1, card: "scout-1", protected: "scout-2" },
    relation: "attacker_beats",
    turned_down: [{ seat: 1, card: "scout-1" }],
    rules: [],
  },
};
const ROWS = [
  { version: 5, type: "CardPlayed", by: { seat: 2 }, words: "a", payload: { seat: 2 } },
  { version: 6, type: "CardsDrawn", by: { seat: 2 }, words: "b", payload: { seat: 2 } },
  TRIAL,
];

test("each event is a frame with the document behind it, and a draw is seen with what went before it", () => {
  const frames = framesOf(BASE, CHANGES, ROWS, SPEEDS.usual);
  assert.deepEqual(
    frames.map(({ event, document, ms }) => [event.version, document.view.laid, ms]),
    [
      [5, ["hunter-1", "draw"], 600],
      [7, ["hunter-1", "draw", "chief-1"], 1100],
    ],
  );
  assert.deepEqual(frames[0].paths, ["/version", "/view/laid/-"]);
  assert.deepEqual(BASE.view.laid, []);
});

test("a long queue goes faster: four seconds, whatever happened", () => {
  const changes = Array.from({ length: 20 }, (_, index) => change(5 + index, "x"));
  const rows = changes.map(({ version }) => ({ ...ROWS[0], version }));
  const total = (speed) => framesOf(BASE, changes, rows, speed).reduce((sum, { ms }) => sum + ms, 0);
  assert.deepEqual([total(SPEEDS.usual), total(SPEEDS.fast), total(SPEEDS.slow)], [4000, 2400, 8000]);
});

test("a trial of strength names both sides, their cards, and who fell", () => {
  const [attacker, defender] = trialOf(TRIAL).sides;
  assert.deepEqual([attacker.cards, attacker.fallen, attacker.lost], [["chief-1"], [], false]);
  assert.deepEqual([defender.cards, defender.fallen, defender.lost], [["scout-1", "scout-2"], ["scout-1"], true]);
  assert.equal(trialOf(TRIAL).between, "more");
  const bothFell = [{ seat: 2, card: "chief-1" }, ...TRIAL.payload.turned_down];
  const sacrificed = trialOf({ ...TRIAL, payload: { ...TRIAL.payload, contest: "pair", turned_down: bothFell } });
  assert.deepEqual([sacrificed.between, sacrificed.sacrifice], ["more", true]);
  assert.equal(trialOf(TRIAL).sacrifice, false);
  assert.equal(trialOf(ROWS[0]), null);
});

test("totals of a ground stand beside each other; the majority has won, who is tied is struck out", () => {
  const payload = {
    totals: [
      { seat: 1, total: 7, cards: [{ card: "hunter-7" }] },
      { seat: 2, total: 5, cards: [] },
      { seat: 3, total: 5, cards: [] },
    ],
    majority: 1,
    tied_out: [2, 3],
  };
  const { sides, between } = trialOf({ version: 9, type: "GroundEvaluated", payload });
  assert.deepEqual(
    sides.map(({ figure, won, lost }) => [figure, won, lost]),
    [
      [7, true, false],
      [5, false, true],
      [5, false, true],
    ],
  );
  assert.equal(between, null);
});

test("a total that is more than the sum of its cards says by what", () => {
  const madeOf = (type, ...totals) =>
    trialOf({ version: 9, type, payload: { totals, tied_out: [], majority: 1, winner: 1 } }).sides.map(
      ({ made }) => made,
    );
  const hunters = [{ card: "hunter-3-1" }, { card: "hunter-7" }];
  assert.deepEqual(
    madeOf(
      "GroundEvaluated",
      { seat: 1, total: 14, bonus_per_card: 2, cards: hunters },
      { seat: 2, total: 10, bonus_per_card: 0, cards: hunters },
    ),
    [{ words: "+ 2 × 2", by: "tomahawk" }, null],
  );
  assert.deepEqual(
    madeOf(
      "TerritoryJudged",
      { seat: 1, total: 9, pair_bonus: 5, cards: [{ counts: 2 }, { counts: 2 }] },
      { seat: 2, total: 7, pair_bonus: 0, cards: [{ counts: 7 }] },
    ),
    [{ words: "2 + 2 + 5" }, null],
  );
});

test("a piece travels from where it lay; what is new comes from who acted, what goes goes to who got it", () => {
  const event = { by: { seat: 2 }, type: "TilesTaken", payload: { seat: 3, tiles: ["tipi-1-6"] } };
  const pieces = (...keys) => keys.map((key) => ({ key }));
  const found = flights(pieces("1:hunter-7", ":tipi-1-6", ":horse-1"), pieces("2:chief-1", "1:hunter-7"), event);
  assert.deepEqual(found, [
    { key: "2:chief-1", from: null, seat: 2, to: 0 },
    { key: "1:hunter-7", from: 0, to: 1 },
    { key: ":tipi-1-6", from: 1, to: null, seat: 3 },
    { key: ":horse-1", from: 2, to: null, seat: null },
  ]);
  const awards = { payload: { awards: [{ card: "buffalo-6", seat: 1 }] } };
  assert.equal(receiver(awards, ":buffalo-6"), 1);
});

const DECISION = { id: "7-1", seat: 1, moves: [{ type: "hunt", discard: "a" }] };
const at = (version, decisions = []) => ({ ...BASE, version, decisions });
const after = (...actions) => actions.reduce(reduce, opening({ table: "t_a", at: null, seat: null }));
test("while moves are played out nothing can be picked; behind the last frame, or skipped, everything can", () => {
  const frames = framesOf(BASE, CHANGES, ROWS, SPEEDS.usual);
  frames.at(-1).document = at(7, [DECISION]);
  const queued = after(
    { type: "known", table: at(7) },
    { type: "shown", document: BASE },
    { type: "decided", decision: DECISION },
    { type: "queued", frames },
  );
  const first = reduce(queued, { type: "stepped" });
  assert.deepEqual([first.shown.version, first.catchUp.queue.length, composing(first)], [6, 1, null]);
  const ended = ["stepped", "stepped"].reduce((state, type) => reduce(state, { type }), first);
  const skipped = reduce(first, { type: "skipped" });
  for (const state of [ended, skipped]) {
    assert.deepEqual([state.shown.version, state.catchUp], [7, null]);
    assert.ok(composing(state));
  }
});

test("nothing can be picked before the table is drawn as it stands", () => {
  const known = after(
    { type: "known", table: at(4) },
    { type: "shown", document: BASE },
    { type: "known", table: at(7) },
    { type: "decided", decision: DECISION },
  );
  assert.equal(composing(known), null);
  assert.ok(composing(reduce(known, { type: "shown", document: at(7, [DECISION]) })));
});

test("whoever looks at the past while moves are played out sees the past", () => {
  const frames = framesOf(BASE, CHANGES, ROWS, SPEEDS.usual);
  const looked = after(
    { type: "known", table: at(7) },
    { type: "queued", frames },
    { type: "looked", at: 2, seat: null },
  );
  assert.equal(looked.catchUp, null);
});

test("the game ends when its end has been played out", () => {
  const over = { ...at(7), view: { laid: [], over: true } };
  const playing = after({ type: "known", table: over }, { type: "queued", frames: [] });
  assert.deepEqual([isAtEnd(playing), isAtEnd(reduce(playing, { type: "stepped" }))], [false, true]);
});

test("what changed since my last move grows by what others do, and is forgotten when I move", () => {
  const rows = [{ version: 6, by: { seat: 1 } }, ...ROWS.filter(({ version }) => version !== 6)];
  const told = after(
    { type: "known", table: at(7) },
    { type: "told", rows, first: 0 },
    { type: "since", version: 4, changes: CHANGES },
  );
  assert.deepEqual(told.since, { version: 4, paths: ["/version", "/view/laid/-"] });
  assert.deepEqual(reduce(told, { type: "moved", version: 8 }).since, { version: 8, paths: [] });
});

const parts = (words, payload, type = "CardPlayed") => partsOfLine({ type, words, payload }, "tomahawk");

test("seats and cards are told apart from the words around them, in both languages", () => {
  assert.deepEqual(parts("Seat 2 lays hunter 10 on ground 1.", { card: "hunter-10" }), [
    { text: "Seat 2", seats: [2] },
    { text: " lays " },
    { text: "hunter 10", card: "hunter-10", face: null },
    { text: " on ground 1." },
  ]);
  const french = parts("La place 2 gagne contre la main de la place 1 ; les places 1, 2 et 4 jouent.", {});
  assert.deepEqual(
    french.flatMap(({ seats }) => (seats ? [seats] : [])),
    [[2], [1], [1, 2, 4]],
  );
  assert.deepEqual(french[1], { text: " gagne contre la main de " });
});

test("a card of Tomahawk is meant with its figures, and where a seat is taken the seat is meant", () => {
  const a21 = { card: "a21", name: "warrior", value: 7, hair: 2 };
  const [, card] = parts("Meets warrior a21 (7/2).", { slots: [{ cards: [a21] }] });
  assert.deepEqual([card.text, card.face], ["warrior a21 (7/2)", a21]);
  assert.deepEqual(parts("Ann takes seat 1.", {}, "SeatTaken"), [{ text: "Ann takes seat 1." }]);
});

test("what one seat does stands together", () => {
  const rows = [
    { version: 1, type: "TableOpened", by: {} },
    { version: 2, type: "CardPlayed", by: { seat: 2 } },
    { version: 3, type: "CardsDrawn", by: { seat: 2 } },
    { version: 4, type: "DeckReshuffled", by: { seat: 2 } },
    { version: 5, type: "CardPlayed", by: { seat: 1 } },
    { version: 6, type: "CardsDrawn", by: { seat: 1 } },
  ];
  assert.deepEqual(
    groupsOf(rows).map((group) => [group.seat, group.rows.map(({ version }) => version)]),
    [
      [null, [1]],
      [2, [2, 3, 4]],
      [1, [5, 6]],
    ],
  );
});
