// What a table's page does: it reads what is looked at, follows what happens, and puts both into the store.

import { courtEffects } from "./disputes.js";
import { followingEffects } from "./live-table.js";
import { lessonEffects } from "./lesson.js";
import { lookingEffects } from "./time-travel.js";
import { openingEffects } from "./quick-start.js";
import { playEffects } from "./playing.js";
import { catchUpEffects } from "./catch-up.js";
import { ratingEffects, studyEffects } from "./lookups.js";

/** Everything that a page of a table can do to it; `hooks.turn()` tells whose turn it is. */
export function tableEffects(store, hooks) {
  const act = { store, hooks, left: false };
  Object.assign(act, lookingEffects(store, act), followingEffects(store, act), settingEffects(store));
  Object.assign(
    act,
    playEffects(store, act),
    courtEffects(store, act),
    studyEffects(store, act),
    catchUpEffects(store, act),
    openingEffects(store),
    lessonEffects(store, act),
    ratingEffects(store, act),
  );
  return act;
}

const ASK = "wintercount.ask";

const SPEED = "wintercount.speed";

/** How fast what others do is played out. */
export const keptSpeed = () => localStorage.getItem(SPEED) ?? "usual";

/** Whether a card is asked about before it is laid. */
export const keptAsk = () => localStorage.getItem(ASK) === "yes";

function settingEffects(store) {
  return {
    turn: (panel) => store.dispatch({ type: "turned", panel }),
    drawer: (open) => store.dispatch({ type: "drawer", open }),
    gameEnd: (open) => store.dispatch({ type: "gameEnd", open }),
    setSpeed(speed) {
      localStorage.setItem(SPEED, speed);
      store.dispatch({ type: "paced", speed });
    },
    setAsk(ask) {
      localStorage.setItem(ASK, ask ? "yes" : "no");
      store.dispatch({ type: "asking", ask });
    },
  };
}
