// One decision: the board as its seat saw it then, the move that it made and others, and what each was worth.

import { board } from "../views/board.js";
import { actions, button, el, extend, row } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../glyphs.js";
import { nameAt } from "../names.js";
import { addressOf } from "../router.js";
import { besides, movesOf, SIGNS } from "./figures.js";
import { learningHead, tryAgain } from "./learning.js";
import { lightMove, moveWords } from "./moves.js";
import { lossWords, meanWords } from "./numbers.js";
import { tableOf } from "./pieces.js";

const COLUMNS = ["margin", "victory"];

/** The decision that the address chooses; nothing if it chooses none. */
export function decisionNode(page) {
  const { decision, shown, game, table, choice } = page;
  if (!decision) return choice.at ? el("p", { class: "notice" }, t("review.no_decision")) : null;
  const { version, seat, verdict } = decision;
  const name = nameAt(table, seat);
  const title = el(
    "h2",
    { tabindex: -1 },
    mark(game.suits(table)(seat)),
    ` ${t("review.decision", { name, version })} `,
    verdictBadge(verdict),
  );
  const hidden = choice.learn && page.revealed !== version;
  const lit = hidden ? decision.evaluation.made : movesOf(decision)[litRow(page)];
  const ref = (node) => node && lightMove(node, lit.move);
  return el(
    "section",
    { class: "review-decision", "aria-label": t("review.decision", { name, version }) },
    learningHead(page),
    title,
    el("p", {}, el("a", { href: addressOf(page.id, version - 1, seat) }, t("review.at_table"))),
    shown
      ? el(
          "div",
          { class: "review-board", tabindex: 0, role: "group", "aria-label": t("board"), ref },
          board(game, shown.document),
        )
      : el("p", { class: "empty" }, t("plot.loading")),
    shown && verdictWords(page, hidden),
    shown && (hidden ? madeAlone(page) : movesTable(page)),
    actions(hidden && reveal(page), tryAgain(page), ...steps(page)),
  );
}

/** The name of a loss, with its sign. */
export const verdictBadge = (verdict) =>
  el("span", { class: `badge verdict-${verdict}` }, [SIGNS[verdict], t(`review.verdict.${verdict}`)].join(" ").trim());

/** What the move made was worth, and whether another was surely better. */
function verdictWords({ decision, game, shown }, hidden) {
  if (decision.verdict === "good") return el("p", {}, t("review.none_better"));
  const better = movesOf(decision).find(({ best }) => best);
  const values = { loss: lossWords(decision.evaluation.loss.mean), move: moveWords(game, shown.document, better.move) };
  return el("p", {}, t(hidden ? "review.lost" : "review.better", values));
}

const reveal = (page) =>
  button(
    t("review.reveal"),
    () => {
      page.revealed = page.decision.version;
      page.draw();
    },
    { class: "primary", data: { key: "reveal" } },
  );

const madeAlone = ({ decision, game, shown }) =>
  el("p", {}, t("review.made", { move: moveWords(game, shown.document, decision.evaluation.made.move) }));

/** The move that is lit up on the board; at first the one that was made. */
const litRow = ({ lit, decision }) => (lit?.version === decision.version ? lit.index : 0);

/** The moves with their figures; one is lit up on the board at a time. */
function movesTable(page) {
  const { decision, game, shown } = page;
  const { worlds } = decision.evaluation;
  const rows = movesOf(decision);
  const light = (index) => {
    page.lit = { version: decision.version, index };
    page.draw();
  };
  const buttons = rows.map(({ move }, index) =>
    button(moveWords(game, shown.document, move), () => light(index), {
      class: "review-move",
      "aria-pressed": String(index === litRow(page)),
      data: { key: `move-${index}` },
    }),
  );
  const columns = ["review.move", ...COLUMNS.map((name) => `review.figure.${name}`), "review.gain"];
  const body = rows.map((each, index) => moveRow(each, buttons[index]));
  return el(
    "div",
    { class: "review-moves" },
    tableOf("review.moves", columns, body, t("review.moves")),
    el("p", { class: "hint" }, t("review.meaning", { n: worlds, worlds })),
  );
}

function moveRow({ made, best, ...figures }, lights) {
  const sign = made ? "made" : best ? "best" : null;
  const means = COLUMNS.map((name) => meanWords(name, figures[name]));
  const heading = [lights, sign && el("span", { class: "badge" }, t(`review.is_${sign}`))];
  return extend(row(heading, [...means, made ? "–" : meanWords("behind", figures.behind)]), {
    class: sign && `is-${sign}`,
  });
}

/** The decisions before and behind this one; while mistakes are gone through, those stand at the head. */
function steps(page) {
  if (page.choice.learn) return [];
  return besides(page.analysis, page.decision.version).map(
    (other, index) =>
      other &&
      el(
        "a",
        { href: page.address({ at: other.version }), data: { key: index ? "later" : "earlier" } },
        t(index ? "review.later" : "review.earlier"),
      ),
  );
}
