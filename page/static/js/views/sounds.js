// Whether the table sounds, and how loud: a choice is heard at once.

import { el, tick } from "../dom.js";
import { chosenCalls, keepCall, play } from "../effects/sounds.js";
import { t } from "../i18n.js";

const FULL = 100;

/** The choice of sounds at the table. */
export function soundsAtTable() {
  const change = ({ target }) => {
    keepCall("table", target.checked);
    if (target.checked) play("taken");
  };
  const props = { name: "table", checked: chosenCalls().table, on: { change }, data: { key: "sounds" } };
  return tick(t("sounds.table"), props, "call");
}

/** How loud every sound is. */
export function volume() {
  const change = ({ target }) => {
    keepCall("volume", target.value / FULL);
    play("laid");
  };
  const value = String(Math.round(FULL * chosenCalls().volume));
  const props = { type: "range", name: "volume", min: 0, max: FULL, step: 10, value, data: { key: "volume" } };
  return el("label", { class: "call" }, el("span", {}, t("sounds.volume")), el("input", { ...props, on: { change } }));
}
