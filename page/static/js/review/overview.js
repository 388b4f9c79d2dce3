// The whole analysis: the graph, each seat's accuracy, and the list of decisions.

import { el, item, row, titled } from "../dom.js";
import { capital, pair, t } from "../i18n.js";
import { mark } from "../glyphs.js";
import { nameAt } from "../piece-names.js";
import { verdictBadge } from "./decision.js";
import { turningPoints } from "./figures.js";
import { graph } from "./expectation-graph.js";
import { learningLink } from "./learn-from-mistakes.js";
import { lossWords, marked, meanWords, shareWords, tableOf, valueWords } from "./parts.js";

const COUNTED = { inaccuracies: "inaccuracy", mistakes: "mistake", blunders: "blunder" };

/** All that is told of the analysis as a whole. */
export const overview = (page) => [graph(page), turns(page), accuracy(page), list(page)];

/** How much of the game was looked at, and by whom it was played on. */
export function coverage({ analysis }) {
  const { evaluations, kind } = analysis;
  const words = t(`review.covers.${kind}`, { n: evaluations.length, looked: evaluations.length });
  return el("p", { class: "notice" }, words, " ", t("review.doubt"));
}

function turns(page) {
  const { table, analysis } = page;
  const items = turningPoints(analysis).map(({ version, seat, swing }) => {
    const href = page.address({ at: version, learn: null });
    const words = pair(t("review.decision", { name: nameAt(table, seat), version }), valueWords("swing", swing));
    return item(el("a", { href, data: { key: `turn-${version}` } }, words));
  });
  return titled(
    "review-turns",
    t("review.turns"),
    el("p", { class: "hint" }, t(items.length ? "review.turns_mean" : "review.no_turns")),
    el("ol", { class: "luck-most" }, ...items),
  );
}

function accuracy(page) {
  const { analysis } = page;
  const counted = Object.values(COUNTED).map((verdict) => `review.count.${verdict}`);
  const rows = analysis.seats.map((summary) => accuracyRow(page, summary));
  const links = analysis.seats.map(({ seat }) => learningLink(page, seat)).filter(Boolean);
  return titled(
    "review-accuracy",
    t("review.accuracy"),
    tableOf("review.accuracy", ["score.seat", "review.accuracy", "review.mean_loss", ...counted], rows),
    el("p", { class: "hint" }, t("review.accuracy_means")),
    links.length ? el("p", { class: "actions" }, ...links) : el("p", {}, t("review.no_mistakes")),
  );
}

function accuracyRow(page, summary) {
  const [share, low, high] = summary.accuracy.map(shareWords);
  const words = share ? t("review.good_of", { share, low, high, of: summary.evaluated }) : t("review.none_looked_at");
  const lost = share ? meanWords("loss", summary.mean_loss) : "–";
  return row(marked(page, summary.seat), [words, lost, ...Object.keys(COUNTED).map((name) => String(summary[name]))]);
}

function list(page) {
  const items = page.analysis.evaluations.map((decision) => item(decisionLink(page, decision)));
  const props = { tabindex: "0", "aria-label": t("review.decisions") };
  return titled("review-list", t("review.decisions"), el("ol", props, ...items));
}

function decisionLink(page, { version, seat, verdict, evaluation }) {
  const { table, game, choice } = page;
  const lost = verdict !== "good" && pair(t("review.loss"), lossWords(evaluation.loss.mean));
  return el(
    "a",
    {
      href: page.address({ at: version, learn: null }),
      "aria-current": choice.at === version ? "true" : null,
      data: { key: `decision-${version}` },
    },
    el("span", {}, mark(game.suits(table)(seat)), ` ${t("review.decision", { name: nameAt(table, seat), version })}`),
    el("span", {}, capital(t(`move.${evaluation.made.move.type}`))),
    verdictBadge(verdict),
    lost && el("span", { class: "hint" }, lost),
  );
}
