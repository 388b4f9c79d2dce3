// Calls somebody whose turn it is: by a sound, and by a notification of the system while another window is looked at.
// Both are chosen; the system is asked for its permission only then.

const KEPT = "wintercount.calling";
const TONES = [659, 880]; // Hz
const TONE_S = 0.16;

/** What was chosen: `{ sound, notice }`. */
export const chosenCalls = () => ({ sound: false, notice: false, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") });

/** Whether this browser shows notifications at all; it does so only to addresses that it trusts. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

/** Chooses how to be called; answers whether it is so now. */
export async function chooseCall(name, on) {
  const may = !on || name !== "notice" || (await Notification.requestPermission()) === "granted";
  localStorage.setItem(KEPT, JSON.stringify({ ...chosenCalls(), [name]: on && may }));
  return on && may;
}

/** Says that it is my turn; a click on the notification leads to the address. */
export function call(words, address) {
  const { sound, notice } = chosenCalls();
  if (sound) play();
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

function play() {
  const context = new AudioContext();
  TONES.forEach((tone, index) => sing(context, tone, context.currentTime + index * TONE_S));
  setTimeout(() => context.close(), 1000 * TONE_S * (TONES.length + 1));
}

function sing(context, tone, begin) {
  const voice = new OscillatorNode(context, { frequency: tone });
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setTargetAtTime(0.2, begin, 0.01);
  loudness.gain.setTargetAtTime(0, begin + TONE_S / 2, 0.03);
  voice.connect(loudness).connect(context.destination);
  voice.start(begin);
  voice.stop(begin + TONE_S);
}
