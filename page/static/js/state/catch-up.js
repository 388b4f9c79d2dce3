// What happened since a document, as a queue of frames: each is the document behind an event, the event's sentence, and
// the strengths compared. Draws and shuffles are seen with what went before them.

import { isQuiet } from "./log.js";
import { applyPatch } from "./patch.js";
import { changedPaths } from "./timeline.js";
import { trialOf } from "./ruling-comparison.js";

const STEP_MS = 600;
const TRIAL_MS = 1100;
const LONGEST_MS = 4000;
const SHORTEST_MS = 120;

/** How many times faster than usual, by the setting; `off` plays nothing out. */
export const SPEEDS = { slow: 0.5, usual: 1, fast: 2.5, off: 0 };

/** The documents behind each of the changes, the first of which follows `base`. */
function documentsOf(base, changes) {
  const document = structuredClone(base);
  return changes.map((change) => {
    applyPatch(document, change.patch);
    return { version: change.version, document: structuredClone(document), paths: changedPaths([change]) };
  });
}

/** The frames from `base` on; `rows` are the events as the log has them, `speed` one of `SPEEDS`. */
export function framesOf(base, changes, rows, speed) {
  const known = new Map(rows.map((row) => [row.version, row]));
  const frames = [];
  for (const { version, document, paths } of documentsOf(base, changes)) {
    const event = known.get(version);
    if (event && !isQuiet(event)) frames.push({ document, event, paths, trial: trialOf(event) });
    else if (frames.length) frames.push({ ...frames.pop(), document });
  }
  return paced(frames, speed);
}

/** Each frame with its milliseconds; a long queue goes faster. */
function paced(frames, speed) {
  const wanted = frames.map(({ trial }) => (trial ? TRIAL_MS : STEP_MS));
  const sum = wanted.reduce((one, other) => one + other, 0);
  const pace = Math.min(1, LONGEST_MS / sum) / speed;
  return frames.map((frame, index) => ({ ...frame, ms: Math.max(SHORTEST_MS, Math.round(wanted[index] * pace)) }));
}

/**
 * Where pieces travel between two drawings: `before` and `after` list `{key, place}` of what is drawn, `place` naming
 * the seat whose line it stands in or null. What comes from nowhere comes from the seat that acted, and what goes goes
 * to the seat that got it, or else fades.
 */
export function flights(before, after, event) {
  const gone = counted(before);
  const flown = [];
  for (const { key, index } of counted(after)) {
    const from = gone.findIndex((each) => each.key === key);
    if (from >= 0) flown.push({ key, from: gone.splice(from, 1)[0].index, to: index });
    else flown.push({ key, from: null, seat: event?.by?.seat ?? null, to: index });
  }
  return [...flown, ...gone.map(({ key, index }) => ({ key, from: index, to: null, seat: receiver(event, key) }))];
}

const counted = (pieces) => pieces.map(({ key }, index) => ({ key, index }));

const identity = (key) => key.slice(key.indexOf(":") + 1);

/** Who got a piece by an event, as its payload says; null if nobody did. */
export function receiver(event, key) {
  const card = identity(key);
  const { payload = {} } = event ?? {};
  const award = payload.awards?.find((each) => each.card === card);
  if (award) return award.seat;
  const taken = payload.tiles ?? payload.taken ?? (event?.type === "CardsTaken" ? payload.cards : null);
  return taken?.includes?.(card) && payload.seat ? payload.seat : null;
}
