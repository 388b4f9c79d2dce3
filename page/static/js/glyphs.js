// Drawings, each a symbol of art.svg: signs are of one colour, as on a winter count, on a square of 48. And the marks: every
// seat and tribe has one of its own shape beside its colour, so that no colour has to be told from another.

import { svg } from "./dom.js";

let asked = null;

/** What art.svg has under an id; it shows when the file has come. */
export function drawing(id, props) {
  asked ??= load();
  return svg("use", { href: `#${id}`, ...props });
}

/** Puts the file into the page: unlike other parsers of markup, that of a request makes a document in which nothing runs. */
function load() {
  const request = new XMLHttpRequest();
  request.open("GET", "/page/art.svg");
  request.responseType = "document";
  request.onload = () => document.body.append(document.adoptNode(request.responseXML.documentElement));
  request.send();
  return request;
}

/** A sign on a square of `size` whose corner is at x, y. */
export const glyph = (name, { x = 0, y = 0, size = 48, ...props } = {}) =>
  drawing(`sign-${name}`, { transform: `translate(${x} ${y}) scale(${size / 48})`, ...props });

/** A sign as a picture of its own, beside text. */
export const icon = (name, label) =>
  svg(
    "svg",
    {
      viewBox: "0 0 48 48",
      class: "icon",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    glyph(name),
  );

const SHAPES = {
  disc: "M12 3a9 9 0 1 1-.1 18A9 9 0 0 1 12 3z",
  triangle: "M12 2l10 19H2z",
  square: "M4 4h16v16H4z",
  diamond: "M12 1l11 11-11 11L1 12z",
  star: "M12 1l3 8 8 .5-6.500 5 2.500 8.500-7-5-7 5L7.500 14.500 1 9.500 9 9z",
  bars: "M3 3h5v18H3zM10 3h4v18h-4zM16 3h5v18h-5z",
};

const SHAPE_OF = {
  1: "disc",
  2: "triangle",
  3: "square",
  4: "diamond",
  5: "star",
  6: "bars",
  red: "triangle",
  blue: "disc",
  green: "square",
  yellow: "star",
  black: "diamond",
  white: "bars",
  tepee: "triangle",
  totem: "disc",
};

/** The path of a suit's mark, in a square of `size` whose corner is at x, y. */
export function markAt(suit, x, y, size) {
  const path = svg("path", { d: SHAPES[SHAPE_OF[suit]], class: "mark-shape" });
  return svg("g", { transform: `translate(${x} ${y}) scale(${size / 24})`, class: `suit-${suit}` }, path);
}

/** The mark beside a name. */
export const mark = (suit) =>
  svg("svg", { viewBox: "-1 -1 26 26", class: "mark", "aria-hidden": "true" }, markAt(suit, 0, 0, 24));
