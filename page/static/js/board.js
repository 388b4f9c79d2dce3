// A table that is looked at and nothing more: no piece of it can be picked.

import { el } from "./dom.js";
import { seatStrip } from "./views/seats.js";
import { Tools } from "./views/tools.js";

/** All that the module of a game draws of a table's document, the seats among it. */
export function board(module, shown) {
  const tools = new Tools(shown, null, {});
  const stage = el("p", { class: "stage" }, ...module.facts(shown));
  const own = el("div", { class: "own-cards" }, ...module.hand(shown, tools));
  const parts = [stage, seatStrip(shown, module, tools), ...module.board(shown, tools), own];
  return el("div", { class: `play board board-${shown.game}` }, ...parts);
}
