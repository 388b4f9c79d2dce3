// The style sheet of the pages that are read: loaded with the first of them.

import { el } from "./dom.js";

let loaded = null;

/** Resolves when it is there; without it the page is shown all the same. */
export function styled() {
  loaded ??= new Promise((resolve) => {
    const link = el("link", {
      rel: "stylesheet",
      href: "/page/css/reading.css",
      on: { load: resolve, error: resolve },
    });
    document.head.append(link);
  });
  return loaded;
}
