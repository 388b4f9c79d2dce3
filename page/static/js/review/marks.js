// What an analysis found at a table, for its timeline: read when somebody looks there.

import { loadMoreWords } from "../i18n.js";
import { reviewAddress } from "../router.js";
import { styled } from "../later.js";
import { OF_DECISIONS } from "./choice.js";
import { verdictBadge } from "./decision.js";
import { readAnalysis } from "./progress.js";

const HEIGHTS = { inaccuracy: 3, mistake: 6, blunder: 10 };

/** The decisions of a table at which another move was surely better, by the most thorough analysis; none without one. */
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
