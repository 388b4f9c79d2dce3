// Calls somebody whose turn it is: by a sound, and by a notification of the system while another window is looked at.
// Both are chosen; the system is asked for its permission only then.

import { chosenCalls, keepCall, play } from "./sound.js";

/** Whether this browser shows notifications at all; it does so only to addresses that it trusts. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

/** Chooses how to be called; answers whether it is so now. */
export async function chooseCall(name, on) {
  const may = !on || name !== "notice" || (await Notification.requestPermission()) === "granted";
  keepCall(name, on && may);
  return on && may;
}

/** Says that it is my turn; a click on the notification leads to the address. */
export function call(words, address) {
  const { sound, notice } = chosenCalls();
  if (sound) play("turn");
  if (notice && document.hidden && canNotify() && Notification.permission === "granted") notify(words, address);
}

function notify(words, address) {
  const shown = new Notification("Wintercount", { body: words, tag: address, icon: "/page/icon.svg" });
  shown.onclick = () => {
    window.focus();
    location.hash = address;
    shown.close();
  };
}
