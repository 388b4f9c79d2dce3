// A drawn picture of each game for the lobby: a landscape, and on it what the game is about.

import { svg } from "./dom.js";
import { glyph } from "./glyphs.js";
import { t } from "./i18n.js";

const WIDTH = 320;
const HEIGHT = 150;

// What stands where: glyph, x, y, size.
const SCENES = {
  "big-manitou": [
    ["bison", 28, 66, 64],
    ["bison", 96, 82, 44],
    ["tipi", 176, 46, 78],
    ["totem", 252, 50, 62],
  ],
  manitou: [
    ["bison", 24, 72, 58],
    ["bison", 84, 86, 40],
    ["bison", 132, 70, 60],
    ["hunter", 218, 58, 62],
    ["chief", 272, 84, 34],
  ],
  tomahawk: [
    ["mountain", 20, 30, 96],
    ["forest", 96, 62, 62],
    ["tomahawk", 176, 36, 84],
    ["eagle", 246, 22, 54],
  ],
  "plenty-coups": [
    ["tipi", 16, 50, 74],
    ["tipi", 76, 76, 44],
    ["horse", 128, 62, 66],
    ["horse", 190, 80, 46],
    ["stick", 244, 42, 72],
  ],
};

const PLAIN = [
  ["mountain", 30, 40, 84],
  ["forest", 120, 66, 56],
  ["tipi", 206, 60, 66],
];

/** The picture of a game. */
export function picture(slug) {
  const scene = SCENES[slug] ?? PLAIN;
  const things = scene.map(([name, x, y, size]) => glyph(name, { x, y, size, class: "scene-thing" }));
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: `scene scene-${slug}`,
      role: "img",
      "aria-label": t("game.picture"),
      preserveAspectRatio: "xMidYMax slice",
    },
    svg("rect", { class: "sky", width: WIDTH, height: HEIGHT }),
    svg("circle", { class: "sun", cx: 262, cy: 40, r: 26 }),
    svg("path", { class: "hill far", d: "M0 100c50-34 90-30 140-8s110 16 180-20v78H0z" }),
    svg("path", { class: "hill near", d: "M0 122c70-18 120-10 170-4s100 4 150-8v40H0z" }),
    ...things,
  );
}
