// What is shown while others' moves are played out: the strengths that were compared, in the middle of the table, and
// below in the tray the event in words, with the button that goes on.

import { card, drawn } from "../cards.js";
import { button, el, extend } from "../dom.js";
import { icon, mark } from "../glyphs.js";
import { t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { words } from "../help-words.js";
import { logLine } from "./log-line.js";
import { inBar } from "./timeline.js";

const SIGNS = { more: ">", less: "<", even: "=" };

/** The strengths that the ruling just shown compared, or nothing. */
export function trial({ state, game }) {
  const shown = state.catchUp?.frame?.trial;
  if (!shown) return null;
  const sign = shown.between && el("span", { class: "trial-sign" }, SIGNS[shown.between]);
  const [first, ...others] = shown.sides.map((side) => sideOf(state, game, side));
  return el(
    "aside",
    { class: `trial trial-${shown.type}`, "aria-hidden": "true" },
    el("h2", {}, words(shown.type)),
    el("div", { class: `trial-sides${sign ? " versus" : ""}` }, first, sign, ...others),
    shown.sacrifice && el("p", { class: "trial-why" }, t("trial.sacrifice")),
  );
}

function sideOf({ live, shown }, game, side) {
  const suit = side.tribe ?? game.suits(live)(side.seat);
  const name = side.tribe ? t(`tribe.${side.tribe}`) : nameAt(live, side.seat);
  const cards = side.cards.map((id) => {
    const face = game.face?.(shown, id);
    const picture = face ? card(face, suit) : drawn(id, suit);
    return extend(picture, { class: side.fallen?.includes(id) && "falling", data: { card: null } });
  });
  const made = side.made && el("p", { class: "trial-made" }, side.made.words, side.made.by && icon(side.made.by));
  const figure = side.figure !== undefined && el("strong", { class: "trial-figure" }, String(side.figure));
  return el(
    "div",
    { class: `trial-side${side.won ? " won" : ""}${side.lost ? " lost" : ""}` },
    el("p", { class: "trial-name" }, mark(suit), name),
    el("div", { class: "trial-cards" }, ...cards),
    made,
    figure,
  );
}

/** The event just shown, in words. */
export function caption(page) {
  const { event } = page.state.catchUp.frame;
  if (!event) return [];
  return [el("p", { class: "waiting-for caption" }, ...logLine(page, event).flat())];
}

/** Goes on to the table as it stands. */
export const skipButton = ({ act }) =>
  button(t("catchUp.skip"), act.skip, { class: "quiet", data: { key: "skip", skip: "" } });

/** What happened since my last move, once more. */
export function replayButton({ state, act }) {
  const { since, at, seat, catchUp, shown } = state;
  if (at || seat || catchUp || !since || !shown || since.version >= shown.version) return null;
  return inBar("step-again", t("catchUp.again"), act.replay, { data: { key: "replay" } });
}
