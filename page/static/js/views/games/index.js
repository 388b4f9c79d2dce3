// What draws a game, by the name that the API gives it; each is loaded when it is wanted. A game that is not listed gets
// a plain drawing.

import { useWords } from "../../help-words.js";

const MODULES = {
  "big-manitou": () => import("./big-manitou.js"),
  manitou: () => import("./manitou.js"),
  tomahawk: () => import("./tomahawk.js"),
  "plenty-coups": () => import("./plenty-coups.js"),
};

const PLAIN = () => import("./default.js");

/** What draws a game, when its words are there too. */
export async function gameModule(slug) {
  const drawing = Object.hasOwn(MODULES, slug) ? MODULES[slug] : PLAIN;
  const [module] = await Promise.all([drawing(), useWords(slug)]);
  return module;
}
