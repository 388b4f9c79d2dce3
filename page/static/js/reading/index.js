// What is read rather than played: rules, register of rulings, games played, records. Loaded when it is asked for.

export { showPlayed } from "./finished-games.js";
export { showRecord } from "./record.js";
export { showRegister } from "./register.js";
export { showRules } from "./rules.js";
