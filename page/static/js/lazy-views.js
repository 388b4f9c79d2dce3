// Views that few people ask for: their modules, words and styles are loaded when they are.

import { el, made, redraw } from "./dom.js";
import { loadMoreWords, t } from "./i18n.js";

/**
 * A view as `main.js` knows them, whose function `load()` brings. It draws in `page.main` until `page.left`, and may
 * return `shows` and `move` for addresses within it, and `leave`.
 */
export const later = (load) => (main, where, onAccount) => {
  const page = { main, onAccount, left: false };
  let view = null;
  redraw(main, el("p", { class: "empty" }, t("plot.loading")));
  Promise.all([load(), loadMoreWords(), styled()]).then(([show]) => page.left || (view = show(page, where)));
  return {
    shows: (to) => view?.shows?.(to) ?? false,
    move: (to) => view.move(to),
    leave: () => {
      page.left = true;
      view?.leave?.();
    },
  };
};

/** The head of a page: its title, and the ways out of it. */
export const pageHead = (title, ...links) =>
  el("header", { class: "reading-head" }, el("h1", {}, title), ways(...links));

/** Links beside each other, each by its address and the key of its words. */
export function ways(...links) {
  const drawn = links.map(([href, key], index) => [index > 0 && " · ", el("a", { href }, t(key))]);
  return el("p", { class: "reading-tools" }, ...drawn);
}

/** The way to the lobby. */
export const OUT = ["#/", "table.back"];

const sheets = new Map();

/**
 * Loads a style sheet that no first view needs, once: that of the pages that are read, unless another is named. Without it
 * the page is shown all the same.
 */
export function styled(name = "reading") {
  if (!sheets.has(name)) sheets.set(name, sheet(`/page/css/${name}.css`));
  return sheets.get(name);
}

const sheet = (href) =>
  new Promise((resolve) => {
    document.head.append(made(el("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })));
  });
