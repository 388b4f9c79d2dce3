// One decision: the board as its seat saw it then, the move that it made and others, and what each was worth.

import { actions, button, el, extend, row } from "../dom.js";
import { mark } from "../glyphs.js";
import { capital, pair, t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { addressOf } from "../router.js";
import { board } from "../views/board.js";
import { besides, movesOf, SIGNS } from "./figures.js";
import { learningHead, tryAgain } from "./learn-from-mistakes.js";
import { lossWords, meanWords, tableOf } from "./parts.js";

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

const NAMED = new Set(["give", "discard", "to", "from", "target"]); // parts that their values alone do not tell apart
const PLACES = { ground: "grounds", to_ground: "grounds", pile: "piles" };
const CARDS = new Set(["card", "cards", "tile", "tiles", "give", "discard", "keep"]);
const CAMPS = new Set(["to", "from", "target", "tribe"]);

const listed = (value) => [value].flat();
const parts = (move) => Object.entries(move).filter(([field]) => field !== "type");

/** A move as the tray of the table would put it: "Lay a card: hunter 7; Ground 2". */
function moveWords(game, table, move) {
  const told = parts(move).map(([field, value]) => {
    const words = listed(value).map((each) => game.nameOf(table, field, each));
    return NAMED.has(field) ? pair(t(`field.${field}`), words.join(", ")) : words.join(", ");
  });
  const name = capital(t(`move.${move.type}`));
  return told.length ? pair(name, told.join("; ")) : name;
}

/** The selectors of all that a move touches. */
const touched = (move) => parts(move).flatMap(([field, value]) => listed(value).flatMap(selectors(field)));

const selectors = (field) => (value) => {
  if (value?.pile) return [placeAt("piles", value.pile), cardOf(value.card)];
  if (PLACES[field]) return [placeAt(PLACES[field], value)];
  if (CAMPS.has(field)) return [`[data-camp="${CSS.escape(value)}"]`];
  return CARDS.has(field) ? [cardOf(value?.card ?? value)] : [];
};

const placeAt = (name, number) => `[data-path="/view/${name}/${number - 1}"]`;
const cardOf = (id) => `[data-card$=":${CSS.escape(id)}"]`;

/** Lights up on a board what a move touches, and nothing else. */
function lightMove(board, move) {
  for (const node of board.querySelectorAll(".lit")) node.classList.remove("lit");
  for (const node of board.querySelectorAll(touched(move).join(", ") || ":not(*)")) {
    node.classList.add("lit");
    node.closest(".own-cards details")?.setAttribute("open", ""); // a card of the reserve
  }
}
