// What is shown, in one place: it changes by actions alone, and whoever draws it is told.

/** A store around a pure reducer. */
export function createStore(reducer, initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const next = reducer(state, action);
      if (next === state) return;
      state = next;
      listeners.forEach((listener) => listener(state));
    },
    /** Calls the listener at each change, until the function that this returns is called. */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
