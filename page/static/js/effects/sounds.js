// Sounds at the table, made of notes by Web Audio without a file; and calls when it is one's turn, by a sound and by a
// notification of the system while another window is looked at. All are off until they are chosen.

import { objectIn } from "../session.js";
import { TUNES } from "../state/sounds.js";

const KEPT = "wintercount.calling";
const UNTIL_CHOSEN = { sound: false, notice: false, table: false, volume: 0.5 };
const RISE_S = 0.008;
const LOUDEST = 0.4; // of what the machine can do, at full volume

let context = null;
let sounding = 0;

/** What was chosen: a sound or a notification for my turn, sounds at the table, and how loud from 0 to 1. */
export function chosenCalls() {
  const kept = objectIn(localStorage.getItem(KEPT)) ?? {};
  const isUsable = (found, value) => typeof found === typeof value && found >= 0 && found <= 1;
  return Object.fromEntries(
    Object.entries(UNTIL_CHOSEN).map(([name, value]) => [name, isUsable(kept[name], value) ? kept[name] : value]),
  );
}

/** Keeps a choice. */
export const keepCall = (name, value) =>
  localStorage.setItem(KEPT, JSON.stringify({ ...chosenCalls(), [name]: value }));

/** The sound of something at the table, for those who chose to hear it. */
export function sound(name) {
  if (name && chosenCalls().table) play(name);
}

/** Plays a sound at the chosen volume, where the browser has sounds. */
export function play(name) {
  if (!globalThis.AudioContext) return;
  context ??= new AudioContext();
  context.resume(); // a browser lets nothing sound before somebody has touched the page
  for (const note of TUNES[name]) sing(note, chosenCalls().volume);
}

function sing({ hertz, at, length, loudness, type }, volume) {
  const begin = context.currentTime + at;
  const voice = new OscillatorNode(context, { frequency: hertz, type });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setTargetAtTime(LOUDEST * volume * loudness, begin, RISE_S);
  gain.gain.setTargetAtTime(0, begin + length / 2, length / 5);
  voice.connect(gain).connect(context.destination);
  sounding += 1;
  voice.onended = silent;
  voice.start(begin);
  voice.stop(begin + 2 * length);
}

/** When all has sounded the machine may rest. */
function silent() {
  sounding -= 1;
  if (!sounding) context.suspend();
}

/** Whether this browser shows notifications at all; it does so only to addresses that it trusts. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

/** Chooses how to be called, with the permission of the system for a notification; returns whether it is so now. */
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
