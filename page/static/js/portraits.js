// The portrait of who sits at a seat: a person's is drawn from the id, the same at every table; an AI's shows its level.
// The seat's mark is at its corner, and the name beside it says who it is.

import { svg } from "./dom.js";
import { glyph, mark, markAt } from "./glyphs.js";
import { LEVELS } from "./ai-levels.js";

const OUTLINES = {
  round: "M18 2a16 16 0 1 1-.1 32A16 16 0 0 1 18 2z",
  square: "M6 3h24a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z",
  diamond: "M18 0l18 18-18 18L0 18z",
  hexagon: "M10 2h16l9 16-9 16H10L1 18z",
  shield: "M3 3h30v14c0 9-6 14-15 18C9 31 3 26 3 17z",
  wheel:
    "M14.500 1h7l1 4 4-1.500 5 5-2 4 4.500 1.500v8l-4.500 1 2 4.500-5 5-4-2-1 4.500h-7l-1-4.500-4 2-5-5 2-4.500L2 22v-8l4.500-1.500-2-4 5-5 4 1.500z",
};
const FRAMES = Object.keys(OUTLINES).filter((frame) => frame !== "wheel"); // of people; a wheel is a machine's
const PICTURES = [
  "bison",
  "horse",
  "caribou",
  "eagle",
  "puma",
  "tipi",
  "feather",
  "tree",
  "bolt",
  "cloud",
  "mountain",
  "forest",
  "dusk",
  "gathering",
  "spirit",
  "tomahawk",
];
const PAINTS = 6;

/** A number of 32 bits in which each letter of the id counts (FNV-1a, its bits mixed as MurmurHash3 does at the end). */
function digest(id) {
  let hash = 0x811c9dc5;
  for (const letter of id) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The portrait of who sits at a seat: `{frame, picture, paint}`, of an AI `{frame, pips}`; null if nobody does. */
export function portraitOf({ player, bot, level }) {
  if (level) return { frame: "wheel", pips: LEVELS.indexOf(level) + 1 };
  if (!player) return null;
  const hash = digest(player);
  const picture = PICTURES[hash % PICTURES.length];
  const frame = FRAMES[(hash >>> 8) % FRAMES.length];
  return { frame: bot ? "wheel" : frame, picture, paint: (hash >>> 16) % PAINTS };
}

const SIDE = 36;
const MARK = 18;
const BESIDE = 11; // how far the mark stands out at the right
const OF_PICTURE = { diamond: [9, 9, 18], shield: [8, 5, 20] };
const PIPS = [
  [18, 18],
  [13, 13],
  [23, 23],
  [23, 13],
  [13, 23],
];
// As on a die: of an even number the one in the middle is left out.
const pipsOf = (count) => (count % 2 ? PIPS.slice(0, count) : PIPS.slice(1, count + 1));

/** A portrait beside a name; without anybody at the seat, its mark alone. `suit` is the seat's mark, if it has one. */
export function portrait(seat, suit) {
  const found = portraitOf(seat);
  if (!found) return suit ? mark(suit) : null;
  const width = suit ? SIDE + BESIDE : SIDE;
  const drawn = [ground(found), picture(found), suit && markAt(suit, SIDE + BESIDE - MARK, SIDE - MARK, MARK)];
  return svg(
    "svg",
    { viewBox: `-1 -1 ${width + 2} ${SIDE + 2}`, class: `portrait${suit ? " seated" : ""}`, "aria-hidden": "true" },
    ...drawn,
  );
}

const ground = ({ frame, paint = "machine" }) =>
  svg("path", { d: OUTLINES[frame], class: `portrait-ground paint-${paint}` });

function picture({ frame, picture: name, pips }) {
  if (!name) return pipsOf(pips).map(([cx, cy]) => svg("circle", { cx, cy, r: 3, class: "portrait-ink" }));
  const [x, y, size] = OF_PICTURE[frame] ?? [7, 7, 22];
  return glyph(name, { x, y, size, class: "portrait-ink" });
}
