// A lesson's steps at the table: what to know now is asked for whenever the table has moved on.

import { api } from "../api.js";

const keptAt = (table) => `wintercount.lesson.${table}`;

export function lessonEffects(store, act) {
  const now = () => store.state;
  let asked = 0; // the version for which the step was asked last

  const isTold = ({ live, guided, catchUp }) => live?.lesson && live.seat && guided && !catchUp && live.version > asked;

  async function learn() {
    if (act.left || !isTold(now())) return;
    const { id, live } = now();
    asked = live.version;
    const guide = await api.get(`/v1/tables/${id}/lesson`).catch(() => null);
    if (!guide)
      asked = 0; // with the next change of the table
    else if (guide.state !== "wait")
      act.afterwards(() => act.left || live.version !== asked || store.dispatch({ type: "taught", guide }));
  }

  store.subscribe(learn);

  return {
    /** Goes on without the lesson, or with it again; a reload keeps that. */
    guide(on) {
      if (on) localStorage.removeItem(keptAt(now().id));
      else localStorage.setItem(keptAt(now().id), "left");
      store.dispatch({ type: "guiding", on });
    },
  };
}

/** Whether the lesson of a table is followed, as far as this browser knows. */
export const isGuided = (table) => localStorage.getItem(keptAt(table)) === null;
