// A move that could not be sent is kept, over a reload too, and sent again with the same key: it happens once. It is kept
// for whoever made it: somebody else may sign in here meanwhile.

import { objectIn } from "../kept.js";
import { account } from "../session.js";

const keptAt = (table) => `wintercount.unsent.${table}.${account?.player}`;

/** Keeps a move while it is on its way. */
export const keepUnsent = (table, sending) => sessionStorage.setItem(keptAt(table), JSON.stringify(sending));

/** The move that was on its way when the page was left; null if there was none. */
export const unsentAt = (table) => objectIn(sessionStorage.getItem(keptAt(table)));

/** Forgets it: it has arrived, or was given up. */
export const forgetUnsent = (table) => sessionStorage.removeItem(keptAt(table));
