// Who sits at a seat, as lists of tables tell it: there an AI's level stands in the seat itself.

import { el } from "../dom.js";
import { seatName } from "../names.js";

/** A chosen name in an element of its own, which keeps its writing direction to itself; else what sits there, in words. */
export function sitter(seat) {
  return seat.name ? el("bdi", {}, seat.name) : seatName(seat);
}
