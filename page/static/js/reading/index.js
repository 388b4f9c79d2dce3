// What is read rather than played: rules, register of rulings, games played, verification. Loaded when it is asked for.

import { showPlayed as showGames } from "./played.js";
import { showStatistics } from "./statistics.js";

export { showRegister } from "./register.js";
export { showRules } from "./rules.js";
export { showVerify } from "./verify/view.js";

/** Games played, or the statistics of a game, as the address has it: `#/played?statistics=manitou`. */
export const showPlayed = (main, where) =>
  (new URLSearchParams(where.query).has("statistics") ? showStatistics : showGames)(main, where);
