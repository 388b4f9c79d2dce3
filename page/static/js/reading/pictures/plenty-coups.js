// Pictures of Plenty Coups: camps round the plain, raids, markers.

import { svg } from "../../dom.js";
import { helpData, helpFor } from "../../help.js";
import { arrow, box, hidden, inRow, mark, no, piece, sheet, sign, words, yes } from "./parts.js";

const GAME = "plenty-coups";
const nameOf = (kind) => helpFor(GAME, kind)?.name ?? kind;
const of = (id) => piece(GAME, id);

/** A camp: its mark, its herd, its markers; a marker that is turned shows prestige. */
function camp(tribe, horses, turned, x, y) {
  const herd = Array.from({ length: horses }, (_, number) => sign("horse", x + 52 + number * 34, y + 8, 32));
  const markers = Array.from({ length: 4 }, (_, number) =>
    marker(tribe, number < turned, x + 52 + number * 30, y + 48),
  );
  return svg(
    "g",
    { data: helpData(GAME, "camp") },
    box(x, y, 184, 84),
    sign("tipi", x + 6, y + 6, 40),
    mark(tribe, x + 16, y + 52, 20),
    herd,
    markers,
  );
}

function marker(tribe, turned, x, y) {
  const inside = turned ? words("1", x + 12, y + 18, { size: 16, name: "strong" }) : sign("warrior", x + 3, y + 3, 18);
  return svg(
    "g",
    { class: turned ? "marker-prestige" : "marker-raid" },
    svg("circle", { cx: x + 12, cy: y + 12, r: 12 }),
    inside,
  );
}

function setup(caption) {
  const plain = svg(
    "g",
    { data: helpData(GAME, "plain") },
    svg("ellipse", { class: "picture-plain", cx: 320, cy: 196, rx: 250, ry: 84 }),
    [110, 156, 478, 516].map((x, number) => sign("horse", x, number % 2 ? 200 : 164, 36)),
  );
  const display = ["warrior-red-3", "weapon-2", "horse", "coup-stick"].map(of);
  const middle = [hidden("white")(222, 160, 44), ...inRow(display, 274, 160, 44, 50)];
  const camps = [camp("black", 1, 0, 14, 12), camp("green", 1, 0, 442, 12), camp("yellow", 1, 0, 228, 290)];
  return sheet(
    640,
    384,
    caption,
    plain,
    middle,
    camps,
    words(nameOf("display"), 372, 150, { name: "strong" }),
    words(nameOf("plain"), 320, 268),
  );
}

const cards = (caption) =>
  sheet(
    640,
    120,
    caption,
    inRow(
      [
        "warrior-black-1",
        "warrior-yellow-2",
        "warrior-green-3",
        "warrior-red-4",
        "weapon-3",
        "horse",
        "coup-stick",
      ].map(of),
      12,
      10,
      72,
      90,
    ),
  );

function own(caption) {
  return sheet(640, 110, caption, svg("g", { transform: "translate(150 6) scale(1.15)" }, camp("green", 2, 1, 0, 0)));
}

function raid(caption) {
  return sheet(
    640,
    150,
    caption,
    words("3 + 1 = 4", 62, 142, { size: 22, name: "strong" }),
    of("warrior-black-3")(26, 10, 74),
    mark("black", 112, 40, 22),
    arrow(146, 62, 230, 62, "strong"),
    svg("g", {}, camp("green", 1, 0, 240, 20)),
    of("weapon-4")(458, 20, 66),
    yes(480, 132),
    of("weapon-3")(550, 20, 66),
    no(576, 118),
  );
}

export const PLENTY_COUPS = { setup, cards, camp: own, raid };
