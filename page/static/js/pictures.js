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

// The land goes on at both sides, mirrored, where a picture is wider than its scene.
const MIRRORED = [-3, -2, -1, 0, 1, 2, 3].map((n) =>
  n % 2 ? `translate(${(n + 1) * WIDTH} 0) scale(-1 1)` : `translate(${n * WIDTH} 0)`,
);
const PANORAMA = "-540 8 1280 142";

const land = (name, d) =>
  svg("g", { class: `hill ${name}` }, ...MIRRORED.map((transform) => svg("path", { transform, d })));

/** The picture of a game; a `wide` one shows more of the land, and all that stands on it. */
export function picture(slug, { wide = false } = {}) {
  const scene = SCENES[slug] ?? PLAIN;
  const things = scene.map(([name, x, y, size]) => glyph(name, { x, y, size, class: "scene-thing" }));
  return svg(
    "svg",
    {
      viewBox: wide ? PANORAMA : `0 0 ${WIDTH} ${HEIGHT}`,
      class: `scene scene-${slug}`,
      role: "img",
      "aria-label": t("game.picture"),
      preserveAspectRatio: "xMidYMax slice",
    },
    svg("rect", { class: "sky", x: -2 * WIDTH, width: 5 * WIDTH, height: HEIGHT }),
    svg("circle", { class: "sun", cx: 262, cy: 40, r: 26 }),
    land("far", "M0 100c50-34 90-30 140-8s110 16 180-20v78H0z"),
    land("near", "M0 122c70-18 120-10 170-4s100 4 150-8v40H0z"),
    ...things,
  );
}
