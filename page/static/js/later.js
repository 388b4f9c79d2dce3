// Views that few people ask for: their modules and words are loaded when they are.

import { loadMoreWords } from "./i18n.js";

/** A view as `main.js` knows them, whose function `load()` brings. */
export const later = (load) => (main, where, masthead) => {
  let view = null;
  let left = false;
  Promise.all([load(), loadMoreWords()]).then(([show]) => left || (view = show(main, where, masthead)));
  return {
    shows: (to) => view?.shows(to) ?? false,
    move: (to) => view.move(to),
    leave: () => {
      left = true;
      view?.leave();
    },
  };
};
