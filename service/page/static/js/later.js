// Views that few people ask for: their modules are loaded when they are.

/** A view as `main.js` knows them, whose function `load()` brings. */
export const later = (load) => (main, where, masthead) => {
  let view = null;
  let left = false;
  load().then((show) => left || (view = show(main, where, masthead)));
  return {
    shows: (to) => view?.shows(to) ?? false,
    move: (to) => view.move(to),
    leave: () => {
      left = true;
      view?.leave();
    },
  };
};
