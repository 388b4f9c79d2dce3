// A table that is looked at and nothing more: no piece of it can be picked.

import { el } from "./dom.js";
import { Tools } from "./tools.js";

/** The board of a table's document, drawn by its game's module. */
export const board = (module, shown) =>
  el("div", { class: `play board board-${shown.game}` }, module.draw(shown, new Tools(shown, null, () => {})));
