// Drawings: each is a symbol of art.svg. Signs are of one colour, as on a winter count, on a square of 48.

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
