// What lies beside the plain: the display, the pile, and the discards, which everybody may look through.

import { back, drawn } from "../../../cards.js";
import { button, dialog, el } from "../../../dom.js";
import { pair, t } from "../../../i18n.js";
import { PARTS } from "../../../state/parts.js";
import { row, section } from "../parts.js";

const { display: DISPLAY } = PARTS["plenty-coups"];

/** Display, pile and discards. */
export function supply(view, tools) {
  const shown = view.display.map((id, number) =>
    tools.at(`/view/display/${number}`, tools.piece(DISPLAY, id, drawn(id))),
  );
  return el(
    "div",
    { class: "supply" },
    section("display", t("display"), row(shown)),
    el(
      "div",
      { class: "heaps" },
      tools.at("/view/pile_count", heap("pile", t("heap.pile"), view.pile_count, view.pile)),
      tools.at("/view/discards", heap("discards", t("heap.discards"), view.discards.length, view.discards)),
    ),
  );
}

/** Cards on one another; those that may be seen are shown on request. */
function heap(name, title, count, cards) {
  const label = pair(title, count);
  const picture = [back("black", label), el("span", { class: "count", "aria-hidden": "true" }, String(count))];
  const words = el("span", { class: "heap-title", "aria-hidden": "true" }, title);
  if (!cards?.length)
    return el("span", { class: `heap-of heap-of-${name}` }, el("span", { class: "pile" }, picture), words);
  return button([el("span", { class: "pile" }, picture), words], () => lookThrough(label, cards), {
    class: `heap-of heap-of-${name}`,
    data: { key: name },
  });
}

/** Each face once, with how many there are. */
function lookThrough(title, cards) {
  const faces = [...new Set(cards)].map((id) => {
    const count = cards.filter((each) => each === id).length;
    return el("li", { class: "pile" }, drawn(id), count > 1 && el("span", { class: "count" }, String(count)));
  });
  dialog(title, t("close"), el("ul", { class: "cards looked-through" }, ...faces));
}
