// The analyses of a table: their kinds, what an address chooses of them, and how they are read, and followed while they are
// made: by their stream, and by asking where no stream is to be had.

import { api } from "../api.js";
import { connection, mayGoOn } from "../effects/events.js";
import { loadMoreWords } from "../i18n.js";
import { styled } from "../lazy-views.js";
import { reviewAddress } from "../router.js";
import { verdictBadge } from "./decision.js";

export const OF_DECISIONS = ["quick", "deep"]; // the more thorough one last
export const LUCK = "luck";
export const KINDS = [...OF_DECISIONS, LUCK];

const whole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) || null : null);

/**
 * What a query chooses: the kind of analysis, a decision, whose mistakes are gone through, whose eyes; what it names wrongly
 * is not chosen.
 */
export function choiceOf(query) {
  const given = new URLSearchParams(query);
  const kind = given.get("kind");
  return {
    kind: KINDS.includes(kind) ? kind : null,
    at: whole(given.get("at")),
    learn: whole(given.get("learn")),
    eyes: whole(given.get("eyes")),
  };
}

const AGAIN_MS = 3_000;
const QUIET_MS = 60_000; // a lost worker is replaced after 30 seconds: by then something new should have been heard
const GONE = new Set([401, 403, 404, 410]); // else it is asked again
const OVER = new Set(["done", "failed"]);

/**
 * Follows the analysis at `path`, of which `known` is known, until it is over, or the function that this returns is
 * called. `progress(found)` is told how it stands when that is news, `quiet()` that there was none for long, `over()`
 * that it is done, has failed or is gone.
 */
export function followAnalysis(path, known, { progress, quiet, over }) {
  const stopped = new AbortController();
  let still = setTimeout(quiet, QUIET_MS);
  let last = standing(known);
  const heard = (found) => {
    const stands = standing(found);
    if (stands === last) return;
    last = stands;
    clearTimeout(still);
    still = setTimeout(quiet, QUIET_MS);
    progress(found);
  };
  run(path, heard, stopped.signal).then(() => {
    clearTimeout(still);
    if (!stopped.signal.aborted) over();
  });
  return () => {
    clearTimeout(still);
    stopped.abort();
  };
}

const standing = ({ status, done, of }) => `${status}-${done}-${of}`;

/** How the analysis at `path` stands; null if nobody has asked for it. */
export async function readAnalysis(path) {
  try {
    return await api.get(path);
  } catch (problem) {
    if (problem.code !== "no_such_analysis") throw problem;
    return null;
  }
}

async function run(path, heard, stopped) {
  while (!stopped.aborted) {
    const ended = await listen(path, heard, stopped).catch(() => asked(path, heard, stopped));
    if (ended) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** One connection; whether the analysis is over, and the stream has not merely broken off. */
const listen = (path, heard, stopped) =>
  connection(path, stopped, {}, async (answer, frames) => {
    if (!isStream(answer)) return isOver(await answer.json(), heard);
    for await (const { event, data } of frames) {
      if (event === "end") return !mayGoOn(JSON.parse(data).reason);
      if (event === "progress") heard(JSON.parse(data));
    }
    return false;
  });

/** What has no stream tells at once how it stands. */
const isStream = ({ headers: told }) => told.get("Content-Type").startsWith("text/event-stream");

function isOver(found, heard) {
  heard(found);
  return OVER.has(found.status);
}

/** How it stands, asked once; whether it is over. */
async function asked(path, heard, stopped) {
  if (stopped.aborted) return true;
  try {
    const found = await api.get(path);
    return stopped.aborted || isOver(found, heard);
  } catch ({ status }) {
    return GONE.has(status);
  }
}

const HEIGHTS = { inaccuracy: 3, mistake: 6, blunder: 10 };

/**
 * The decisions of a table at which another move was surely better, by the most thorough analysis, for its timeline; none
 * without an analysis.
 */
export async function readVerdicts(table) {
  const kinds = [...OF_DECISIONS].reverse();
  const asked = kinds.map((kind) => readAnalysis(`/v1/tables/${table}/analysis?kind=${kind}`));
  const [found] = await Promise.all([Promise.all(asked), loadMoreWords(), styled("review")]);
  const best = found.findIndex((each) => each?.analysis);
  if (best < 0) return [];
  const lost = found[best].analysis.evaluations.filter(({ verdict }) => verdict !== "good");
  return lost.map(({ version, seat, verdict }) => ({
    version,
    seat,
    verdict,
    height: HEIGHTS[verdict],
    address: reviewAddress(table, { at: version, kind: kinds[best] }),
    badge: () => verdictBadge(verdict),
  }));
}
