// What one looks up: a ruling with its figures, a game decided again under another reading, the figures over the events,
// and what a rated game did to my rating.

import { AGAIN_MS, api } from "../api.js";
import { language } from "../i18n.js";
import { account, ensureAccount } from "../session.js";
import { eventAt } from "../state/log.js";
import { applyPatch } from "../state/patch.js";
import { rowsOf } from "../state/scores.js";
import { isAtEnd } from "../state/table.js";

const TIMES = 8;
const RECENT = 50; // rated games: of an older one nothing is shown

const RULING = (event) => ({
  version: event.version,
  type: event.type,
  figures: event.payload,
  words: event.words,
  rules: event.payload.rules.map((id) => ({ id, title: "", text: "", options: [] })),
});

export function studyEffects(store, act) {
  const now = () => store.state;
  let document = null;

  /** Each event's change, page after page. */
  async function* changesBetween(first, last) {
    let from = first < last ? first : null;
    while (from !== null) {
      const page = await api.get(`/v1/tables/${now().id}/diff?from=${from}&to=${last}`);
      yield* page.changes;
      from = page.next;
    }
  }

  return {
    /** Reads a ruling with its rules; what the log knows of it stands in for what the service cannot give. */
    async explain(version) {
      const key = `${version}-${language}`;
      if (key in now().rulings.known) return;
      store.dispatch({ type: "explained", key, ruling: null });
      const found = api.get(`/v1/tables/${now().id}/rulings/${version}`);
      const ruling = await found.catch(() => RULING(eventAt(now().log, version)));
      if (!act.left) store.dispatch({ type: "explained", key, ruling });
    },
    /** Decides the game again under another reading of a rule. */
    async decideAgain(option, value, key) {
      const answered = (answer) => store.dispatch({ type: "answered", key, answer });
      answered({ waiting: true });
      try {
        await ensureAccount();
        act.hooks.onAccount();
        answered({ found: await api.post(`/v1/tables/${now().id}/readjudications`, { options: { [option]: value } }) });
      } catch (problem) {
        answered({ problem });
      }
    },
    /** Reads what the largest swings are found in. */
    lookBack: () => Promise.all([act.readFigures(), act.whole()]),
    /** Works out the score rows of every version from the changes; what is known is kept. */
    async readFigures() {
      const { plot, live, id } = now();
      if (plot.read >= live.version) return;
      store.dispatch({ type: "plotted", plot: { read: live.version } });
      const history = [...(plot.history ?? [])];
      try {
        document ??= await api.get(`/v1/tables/${id}?at=1`);
        for await (const { version, patch } of changesBetween(Math.max(1, plot.read), live.version)) {
          applyPatch(document, patch);
          history.push({ version, rows: structuredClone(rowsOf(document)) });
        }
        store.dispatch({ type: "plotted", plot: { history } });
      } catch {
        document = null; // half changed: read anew, when the panel is opened again
        store.dispatch({ type: "plotted", plot: { history: null, read: 0, failed: true } });
      }
    },
  };
}

/** Reads what a rated game did to my rating: the service counts it soon after the end. */
export function ratingEffects(store, act) {
  let asked = false;

  async function read(times) {
    const { id, live } = store.state;
    const path = `/v1/players/${account.player}/ratings/${live.game}/${live.seats.length}?limit=${RECENT}`;
    const { points } = await api.get(path).catch(() => ({ points: [] }));
    const rating = points.find(({ table }) => table === id);
    if (rating) store.dispatch({ type: "rated", rating });
    else if (times > 1 && !act.left) setTimeout(read, AGAIN_MS, times - 1);
  }

  store.subscribe(() => {
    const { live } = store.state;
    if (asked || !account || !live?.seat || !live.rated || !isAtEnd(store.state)) return;
    asked = true;
    read(TIMES);
  });
  return {};
}
