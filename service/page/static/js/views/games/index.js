// The games that can be drawn, by the name that the API gives them; each is loaded when it is wanted.

const MODULES = {
  "big-manitou": () => import("./big-manitou.js"),
  manitou: () => import("./manitou.js"),
  tomahawk: () => import("./tomahawk.js"),
  "plenty-coups": () => import("./plenty-coups.js"),
};

export const gameModule = (slug) => MODULES[slug]();
