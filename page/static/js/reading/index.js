// What is read rather than played: rules, register of rulings, games played, verification. Loaded when it is asked for.

export { showPlayed } from "./played.js";
export { showRegister } from "./register.js";
export { showRules } from "./rules.js";
export { showVerify } from "./verify/view.js";
