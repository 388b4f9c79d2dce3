// Shows what others did one by one, and marks what changed since my last move. Whoever wants to go on skips it.

import { api } from "../api.js";
import { framesOf, SPEEDS } from "../state/catch-up.js";
import { soundOf, soundOfAll } from "../state/sounds.js";
import { isOpen, isOver, latest } from "../state/table.js";
import { trialOf } from "../state/ruling-comparison.js";
import { readEvents } from "./events.js";
import { sound } from "./sounds.js";

const PATIENCE_MS = 2000; // for what happened in between: then the table is shown as it stands
const MOST = 100; // events: whoever was away for longer wants to play, not to watch

/** How fast things move: not at all for those who asked their system for rest, or do not look. */
export const speedOf = ({ speed }) =>
  matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden ? SPEEDS.off : SPEEDS[speed];

/** The frames of what is to be played out now; my own move lies there already. */
function framesFrom(state, base, found, own) {
  const speed = speedOf(state);
  const frames = speed ? framesOf(base, found, state.log.rows, speed) : [];
  return own && !frames[0]?.trial ? frames.slice(1) : frames;
}

export function catchUpEffects(store, act) {
  const now = () => store.state;
  const waiting = []; // for the end of what is played out
  let timer = null;

  const show = (table) => store.dispatch({ type: "shown", document: table });

  const changes = async (first, last) =>
    (await api.glance(`/v1/tables/${now().id}/diff?from=${first}&to=${last}`, PATIENCE_MS)).changes;

  /** Reads the events that the stream has not brought yet. */
  async function hear({ version }) {
    const { log, id } = now();
    if (log.last < version) store.dispatch({ type: "told", rows: await readEvents(id, log.last, version) });
  }

  /** Shows the newest document: what my own move led to at once, strengths and what others did frame by frame. */
  async function arrive(table, { own, current }) {
    const base = latest(now());
    const news = base?.view && base.id === table.id ? table.version - base.version : 0;
    if (own) store.dispatch({ type: "moved", version: table.version });
    if (base?.view && isOver({ live: table }) && !isOver({ live: base })) act.lookBack();
    if (now().catchUp && news < 1) return store.dispatch({ type: "queued", frames: [] });
    if (news < 1 || news > MOST) return show(table);
    const choosing = !own && isOpen(now().composition, base); // whoever chooses is not interrupted
    if (moving() && !choosing && (!own || own.some(trialOf))) return playOut(base, table, own, current);
    sound(soundOfAll(own ?? since(base), table));
    if (own) return show(table);
    showMarked(base, table); // what leaves no choice does not wait for the outlines
    return null;
  }

  const since = ({ version }) => now().log.rows.filter((row) => row.version > version);

  const moving = () => speedOf(now()) > 0;

  async function playOut(base, table, own, current) {
    const [found] = await Promise.all([changes(base.version, table.version), hear(table)]).catch(() => []);
    if (!current()) return null;
    if (!found) return show(table);
    if (!own) mark(base, table, found);
    return play(table, framesFrom(now(), base, found, own));
  }

  /** Shows the table, and outlines what has changed as soon as that is known, unless I have moved meanwhile. */
  async function showMarked(base, table) {
    show(table);
    const { since } = now();
    const found = await changes(base.version, table.version).catch(() => null);
    if (found && !act.left && now().since === since) mark(base, table, found);
  }

  /** What others changed, for those who play. */
  function mark(base, table, found) {
    if (table.seat) store.dispatch({ type: "since", version: base.version, changes: found });
  }

  function play(table, frames) {
    if (!frames.length) return show(table);
    frames.at(-1).document = table;
    store.dispatch({ type: "queued", frames });
    if (!timer) step();
    return null;
  }

  function step() {
    timer = null;
    if (act.left) return;
    if (now().catchUp) store.dispatch({ type: "stepped" });
    if (!now().catchUp) return over();
    const { event, document, ms } = now().catchUp.frame;
    if (event) sound(soundOf(event, document));
    timer = setTimeout(step, ms);
  }

  const over = () => waiting.splice(0).forEach((what) => what());

  return {
    arrive,
    /** Shows at once what was still to be played out. */
    skip() {
      clearTimeout(timer);
      timer = null;
      store.dispatch({ type: "skipped" });
      over();
    },
    /** Does something when all has been played out: at once, if nothing is. */
    afterwards: (what) => (now().catchUp ? waiting.push(what) : what()),
    /** After a reload: what has changed since my last move, as far as the log was read. */
    async recall() {
      const mine = ({ by }) => by.seat && by.seat === now().live.seat;
      if (now().live.seat && !isOver(now()) && !now().log.rows.some(mine)) await act.whole()?.catch(() => null);
      const { live, log } = now();
      const last = log.rows.findLast(mine);
      if (!last || isOver(now()) || live.version === last.version || live.version - last.version > MOST) return;
      const found = await changes(last.version, live.version).catch(() => []);
      if (!act.left) store.dispatch({ type: "since", version: last.version, changes: found });
    },
    /** Plays out once more what happened since my last move. */
    async replay() {
      const { since, live, id } = now();
      const [base, found] = await Promise.all([
        api.get(`/v1/tables/${id}?at=${since.version}`),
        changes(since.version, live.version),
      ]);
      if (act.left || now().at || now().catchUp || now().live !== live) return;
      play(live, framesOf(base, found, now().log.rows, speedOf(now()) || SPEEDS.usual));
    },
  };
}
