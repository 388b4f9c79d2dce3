// What a portrait shows: a person's is drawn from the id, the same at every table; an AI's tells its level.

const FRAMES = ["round", "square", "diamond", "hexagon", "shield"];
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
const LEVELS = ["uniform", "novice", "greedy", "skilled", "expert"];
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
