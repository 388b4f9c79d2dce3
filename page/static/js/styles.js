// Style sheets that no first view needs: each is loaded with the first page that does.

import { el, made } from "./dom.js";

const loaded = new Map();

/** Resolves when the sheet of that name is there, else that of the pages that are read; without it the page is shown all the same. */
export function styled(name = "reading") {
  if (!loaded.has(name)) loaded.set(name, load(`/page/css/${name}.css`));
  return loaded.get(name);
}

const load = (href) =>
  new Promise((resolve) => {
    document.head.append(made(el("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })));
  });
