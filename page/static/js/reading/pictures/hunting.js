// Pictures of Big Manitou and Manitou: hunters and heroes on three grounds.

import { extend, svg } from "../../dom.js";
import { helpFor } from "../../help.js";
import { arrow, box, face, hidden, inRow, mark, no, piece, sheet, words, yes } from "./parts.js";

const HEROES = {
  "big-manitou": ["chief", "matriarch", "rainmaker", "scout", "sorcerer"],
  manitou: ["chief", "matriarch", "rainmaker", "scout", "medicine_man"],
};
const STAKES = {
  "big-manitou": [
    ["bison-3-1", "tipi-2-1", "horse-1", "totem-1"],
    ["tipi-3-1", "bison-1-1", "tomahawk-1", "bison-2-1"],
    ["tipi-1-1", "bison-2-2", "horse-2"],
  ],
  manitou: [["buffalo-12", "buffalo-5-1"], ["buffalo-10-1"], ["buffalo-3"]],
};
// What lies on each ground in the row of each seat; a null is a hero turned face down.
const LAID = [
  [["hunter-7"], ["hunter-2", "chief-1"], []],
  [["scout-1", "hunter-4"], [], ["hunter-9"]],
  [["hunter-3"], ["hunter-6"], ["matriarch-1", "hunter-1"]],
];
const HAND = ["hunter-8", "rainmaker-1", "hunter-5"];

const of =
  (game, suit = 1) =>
  (id) =>
    piece(game, id, suit);
const heroes = (game, suit = 1) => HEROES[game].map((hero) => face(game, { glyph: hero, hero: true }, suit));
const nameOf = (game, kind) => helpFor(game, kind)?.name ?? kind;

/** A table of three: grounds as columns, a row a seat, the own hand below. */
function setup(game, caption) {
  const columns = STAKES[game].flatMap((stakes, ground) => column(game, ground, stakes));
  const own = [
    words(nameOf(game, "hand"), 20, 400, { anchor: "start" }),
    ...inRow(HAND.map(of(game, 3)), 110, 352, 50, 58),
  ];
  const piles = [
    hidden(3)(330, 352, 50),
    words(nameOf(game, "pile"), 390, 400, { anchor: "start" }),
    hidden(3)(480, 352, 50),
    words(nameOf(game, "reserve"), 540, 400, { anchor: "start" }),
  ];
  return sheet(640, 432, caption, columns, own, piles);
}

function column(game, ground, stakes) {
  const x = 34 + ground * 202;
  const step = game === "manitou" ? 46 : 44;
  const rows = LAID.flatMap((seats, seat) => {
    const y = 88 + seat * 84;
    return [mark(seat + 1, x + 4, y + 20, 18), ...inRow(seats[ground].map(of(game, seat + 1)), x + 30, y, 48, 54)];
  });
  const size = game === "manitou" ? 40 : 38;
  return [
    box(x - 6, 8, 192, 330),
    words(ground + 1, x + 4, 34, { size: 20, anchor: "start", name: "strong" }),
    ...inRow(stakes.map(of(game)), x + (stakes.length > 3 ? 12 : 34), game === "manitou" ? 14 : 38, size, step),
    ...rows,
  ];
}

const deck = (game, hunters) => (caption) =>
  sheet(
    640,
    210,
    caption,
    inRow(hunters.map(of(game)), 10, 8, 52, 620 / hunters.length),
    inRow(heroes(game), 100, 100, 66, 90),
  );

/** Five heroes on a ring; an arrow from each winner to each loser. */
function wheel(game, caption) {
  const around = ["chief", ...HEROES[game].filter((hero) => !["chief", "matriarch"].includes(hero)), "matriarch"];
  const place = Object.fromEntries(around.map((hero, number) => [hero, point(number / around.length)]));
  const lines = around.flatMap((hero) =>
    (helpFor(game, hero)?.beats ?? []).map((loser) =>
      between(place[hero], place[loser], hero === "matriarch" ? "strong" : ""),
    ),
  );
  const cards = around.map((hero) =>
    face(game, { glyph: hero, hero: true }, 1)(place[hero].x - 30, place[hero].y - 42, 60),
  );
  return sheet(640, 420, caption, lines, cards);
}

const point = (share) => ({
  x: 320 + 210 * Math.sin(2 * Math.PI * share),
  y: 208 - 155 * Math.cos(2 * Math.PI * share),
});

/** An arrow between two cards, that begins and ends outside of them. */
function between(from, to, name) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  return arrow(from.x + 50 * x, from.y + 52 * y, to.x - 54 * x, to.y - 54 * y, name);
}

const trial = (game, winner, loser) => (caption) => {
  const lying = extend(face(game, { glyph: loser, hero: true }, 2)(470, 26, 84), { class: "fallen" });
  return sheet(
    640,
    170,
    caption,
    face(game, { glyph: winner, hero: true }, 1)(90, 26, 84),
    face(game, { glyph: loser, hero: true }, 2)(250, 26, 84),
    arrow(180, 84, 244, 84, "strong"),
    arrow(350, 84, 450, 84),
    lying,
    no(503, 76),
  );
};

/** The totals of a ground: three seats, one row each, with what they take. */
const share = (game, rows, stakes) => (caption) => {
  const lines = rows.flatMap(({ cards, total, struck, takes }, seat) => {
    const y = 74 + seat * 76;
    const figure = words(total, 330, y + 42, { size: 26, name: struck ? "struck" : "strong" });
    return [
      mark(seat + 1, 14, y + 20, 20),
      ...inRow(cards.map(of(game, seat + 1)), 46, y, 48, 56),
      figure,
      struck ? no(392, y + 26) : arrow(366, y + 34, 440, y + 34),
      ...inRow(takes.map(of(game)), 460, y + 8, game === "manitou" ? 42 : 46, 56),
    ];
  });
  return sheet(640, 80 + rows.length * 76, caption, inRow(stakes.map(of(game)), 46, 8, 42, 52), lines);
};

function tiles(caption) {
  const game = "big-manitou";
  const numbered = ["bison-1-1", "bison-2-1", "bison-3-1", "tipi-1-1", "tipi-2-1", "tipi-3-1"];
  return sheet(
    640,
    90,
    caption,
    inRow([...numbered, "horse-1", "totem-1", "tomahawk-1"].map(of(game)), 10, 12, 62, 70),
  );
}

function score(caption) {
  const game = "big-manitou";
  const rows = [
    ["tipi-3-1", "tipi-3-2", "tipi-1-1"],
    ["bison-3-1", "bison-2-1"],
  ];
  const lines = rows.flatMap((ids, number) => [
    ...inRow(ids.map(of(game)), 20, 12 + number * 70, 56, 64),
    words(number ? 5 : 7, 262, 50 + number * 70, { size: 26, name: number ? "strong" : "" }),
  ]);
  return sheet(
    640,
    156,
    caption,
    lines,
    arrow(300, 110, 360, 84),
    words(5, 390, 86, { size: 30, name: "strong" }),
    words("+ 1", 450, 86, { size: 24 }),
    piece(game, "horse-1")(480, 50, 56),
    words("= 6", 580, 86, { size: 30, name: "strong" }),
  );
}

function buffalo(caption) {
  const herds = [
    "buffalo-1",
    "buffalo-3",
    "buffalo-5-1",
    "buffalo-7",
    "buffalo-9",
    "buffalo-11",
    "buffalo-13",
    "hide-thief-1",
  ];
  return sheet(640, 100, caption, inRow(herds.map(of("manitou")), 12, 8, 58, 78));
}

function prisoners(caption) {
  const game = "manitou";
  const captured = ["hunter-9", "hunter-5-1"].map(of(game, 1)).concat(of(game, 2)("hunter-4"));
  const captor = svg("g", { class: "captor" }, piece(game, "scout-1", 3)(40, 20, 76));
  return sheet(
    640,
    146,
    caption,
    box(24, 6, 392, 134),
    captor,
    yes(60, 134),
    inRow(captured, 150, 30, 62, 84),
    arrow(424, 74, 480, 74, "strong"),
    words("+ 3", 540, 86, { size: 34, name: "strong" }),
  );
}

const common = (game) => ({ setup: (caption) => setup(game, caption), wheel: (caption) => wheel(game, caption) });
const strengths = (count) => Array.from({ length: count }, (_, number) => `hunter-${number + 1}`);

export const BIG_MANITOU = {
  ...common("big-manitou"),
  cards: deck("big-manitou", strengths(10)),
  tiles,
  trial: trial("big-manitou", "scout", "sorcerer"),
  share: share(
    "big-manitou",
    [
      { cards: ["hunter-9"], total: 9, struck: true, takes: [] },
      { cards: ["hunter-6", "hunter-3"], total: 9, struck: true, takes: [] },
      { cards: ["hunter-4"], total: 4, takes: ["bison-3-1", "tipi-2-1"] },
    ],
    ["bison-3-1", "tipi-2-1", "tipi-1-1"],
  ),
  score,
};

export const MANITOU = {
  ...common("manitou"),
  cards: deck("manitou", [
    "hunter-1",
    "hunter-2",
    "hunter-3",
    "hunter-4",
    "hunter-5-1",
    "hunter-5-2",
    "hunter-6",
    "hunter-7",
    "hunter-8",
    "hunter-9",
    "hunter-10",
  ]),
  buffalo,
  trial: trial("manitou", "scout", "medicine_man"),
  share: share(
    "manitou",
    [
      { cards: ["hunter-5-1", "hunter-9"], total: 14, takes: ["buffalo-12"] },
      { cards: ["hunter-8"], total: 8, takes: ["buffalo-5-1"] },
    ],
    ["buffalo-12", "buffalo-5-1"],
  ),
  prisoners,
};
