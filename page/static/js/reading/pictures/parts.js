// What pictures are put together from: a sheet, cards on it at a place and width, arrows, words, figures.

import { back, card, drawn, tile } from "../../cards.js";
import { svg } from "../../dom.js";
import { glyph } from "../../glyphs.js";
import { helpData } from "../../help.js";
import { markAt } from "../../marks.js";

/** A picture of this size; `caption` says what it shows to who cannot see it. */
export const sheet = (width, height, caption, ...parts) =>
  svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "picture", role: "img", "aria-label": caption },
    ...parts.flat(Infinity).filter(Boolean),
  );

/** A drawing (card, back, tile) at a place, `width` wide. What it is made of is styled by its class, which a group keeps. */
export function at(node, x, y, width, data = {}) {
  const { viewBox, class: kind, ...props } = node.props;
  const [, , across, down] = viewBox.split(" ").map(Number);
  const named = { class: null, role: null, "aria-label": null };
  Object.assign(props, { viewBox, x, y, width, height: (width * down) / across, ...named });
  node.props = props;
  return svg("g", { class: `${kind} placed`, data }, node);
}

/** A card or tile by its id, with its help. */
export const piece = (game, id, suit) => (x, y, width) => at(drawn(id, suit), x, y, width, helpData(game, id));

/** A card by its face, with its help. */
export const face = (game, shown, suit) => (x, y, width) =>
  at(card(shown, suit), x, y, width, helpData(game, shown.glyph));

export const stone = (game, shown) => (x, y, width) => at(tile(shown), x, y, width, helpData(game, shown.glyph));

export const hidden = (suit) => (x, y, width) => at(back(suit, ""), x, y, width);

/** Things side by side, `step` apart. */
export const inRow = (things, x, y, width, step) => things.map((thing, number) => thing(x + number * step, y, width));

export const box = (x, y, width, height, name = "") =>
  svg("rect", { class: `picture-box ${name}`, x, y, width, height, rx: 10 });

export const words = (text, x, y, { size = 16, anchor = "middle", name = "" } = {}) =>
  svg("text", { class: `picture-words ${name}`, x, y, "font-size": size, "text-anchor": anchor }, String(text));

export const mark = (suit, x, y, size) => markAt(suit, x, y, size);

export const sign = (name, x, y, size) => glyph(name, { x, y, size, class: "picture-sign" });

/** A line with a head at its end. */
export function arrow(x1, y1, x2, y2, name = "") {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const barb = (turn) => `L${x2} ${y2}l${-11 * Math.cos(angle + turn)} ${-11 * Math.sin(angle + turn)}`;
  return svg("path", {
    class: `picture-arrow ${name}`,
    d: `M${x1} ${y1}${barb(0.45)}M${x2} ${y2}${barb(-0.45).replace(`L${x2} ${y2}`, "")}`,
  });
}

export const yes = (x, y) => svg("path", { class: "picture-yes", d: `M${x} ${y}l8 9 15-20` });
export const no = (x, y) => svg("path", { class: "picture-no", d: `M${x} ${y}l18 18m0-18l-18 18` });
