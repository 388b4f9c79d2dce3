// Pictures of Tomahawk: warriors face to face over four territories.

import { svg } from "../../dom.js";
import { helpData, helpFor } from "../../help.js";
import { arrow, box, face, hidden, inRow, sheet, sign, words } from "./parts.js";

const GAME = "tomahawk";
const MINE = "tepee";
const THEIRS = "totem";

const warrior = (rank, hair, suit = MINE) => face(GAME, { glyph: "warrior", rank: String(rank), hair }, suit);
const special = (name, rank, hair) => face(GAME, { glyph: name, rank: String(rank), hair, hero: true }, MINE);

const LANDS = [
  { terrain: "plain", species: "bison", animals: 4, turns: 3, picto: "puma" },
  { terrain: "mountain", species: "eagle", animals: 2, turns: 1 },
  { terrain: "forest", species: "caribou", animals: 3, turns: 2 },
  { terrain: "mountain", species: "eagle", animals: 1, turns: 1, picto: "gathering" },
];

/** A territory: terrain, animals, a bar for each turn, and its sign. */
function land({ terrain, species, animals, turns, picto }, x, y) {
  const herd = Array.from({ length: animals }, (_, number) =>
    sign(species, x + 50 + (number % 3) * 27, y + 6 + Math.floor(number / 3) * 26, 24),
  );
  const bars = Array.from({ length: turns }, (_, number) =>
    svg("rect", { class: "picture-turn", x: x + 8 + number * 14, y: y + 62, width: 9, height: 12, rx: 2 }),
  );
  return svg(
    "g",
    { data: helpData(GAME, terrain) },
    box(x, y, 140, 82, `land-${terrain}`),
    sign(terrain, x + 6, y + 8, 40),
    herd,
    bars,
    picto && sign(picto, x + 108, y + 54, 24),
  );
}

function setup(caption) {
  const columns = LANDS.flatMap((each, pile) => {
    const x = 14 + pile * 158;
    return [hidden(THEIRS)(x + 44, 6, 48), land(each, x, 84), hidden(MINE)(x + 44, 178, 48)];
  });
  const hand = [
    [7, 2],
    [3, 0],
    [9, 4],
    [1, 0],
    [6, 1],
    [4, 0],
    [8, 1],
    [5, 2],
  ].map(([rank, hair]) => warrior(rank, hair));
  return sheet(
    640,
    368,
    caption,
    columns,
    words(helpFor(GAME, "hand")?.name ?? "", 14, 280, { anchor: "start" }),
    inRow(hand, 14, 288, 54, 78),
  );
}

function cards(caption) {
  const shown = [
    warrior(9, 4),
    warrior(6, 3),
    warrior(4, 0),
    special("teasing_cloud", 1, 4),
    special("great_spirit", 3, 2),
    special("windswept_skull", 8, 0),
  ];
  return sheet(640, 136, caption, inRow(shown, 16, 8, 84, 104));
}

const territories = (caption) =>
  sheet(
    640,
    96,
    caption,
    LANDS.map((each, number) => land(each, 14 + number * 158, 6)),
  );

function duel(caption) {
  return sheet(
    640,
    140,
    caption,
    warrior(9, 1)(110, 12, 84),
    arrow(204, 70, 262, 70, "strong"),
    warrior(6, 3, THEIRS)(272, 12, 84),
    words("+ 3", 420, 84, { size: 34, name: "strong" }),
    [0, 1, 2].map((number) => sign("hair", 456 + number * 34, 52, 34)),
  );
}

function battle(caption) {
  const side = (rows, x, suit) =>
    rows.map(([rank, hair], number) => warrior(rank, hair, suit)(x + number * 66, 16, 60));
  const total = (figure, x, name) => words(figure, x, 128, { size: 28, name });
  return sheet(
    640,
    140,
    caption,
    side(
      [
        [5, 0],
        [8, 1],
      ],
      40,
      MINE,
    ),
    total("5 + 8 = 13", 106, "strong"),
    land({ terrain: "plain", species: "bison", animals: 3, turns: 2 }, 250, 20),
    side(
      [
        [7, 0],
        [4, 1],
      ],
      466,
      THEIRS,
    ),
    total("7 + 4 = 11", 532, ""),
    arrow(244, 60, 186, 60, "strong"),
  );
}

export const TOMAHAWK = { setup, cards, territories, duel, battle };
