// The games that can be drawn, by the name that the API gives them; each is loaded when it is wanted.

import { useWords } from "../../words.js";

const MODULES = {
  "big-manitou": () => import("./big-manitou.js"),
  manitou: () => import("./manitou.js"),
  tomahawk: () => import("./tomahawk.js"),
  "plenty-coups": () => import("./plenty-coups.js"),
};

/** What draws a game, when its words are there too. */
export async function gameModule(slug) {
  const [module] = await Promise.all([MODULES[slug](), useWords(slug)]);
  return module;
}
