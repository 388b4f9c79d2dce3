// The guide of a lesson, above the tray: what to know at this step, and the move to make. The next click for it glows.

import { button, classify, el } from "../dom.js";
import { playBeginner } from "../effects/quick-start.js";
import { language, t, typeset } from "../i18n.js";
import { composing } from "../state/table.js";
import { logLine } from "./log-line.js";

const KEY = /^(?:target)?(\[.*\])\d*$/; // as `clickable-pieces.js` names pieces and places that can be picked

/** Where a part of a move that is no piece is clicked. */
const PLACES = {
  ground: (value) => `[data-path="/view/grounds/${value - 1}"].can`,
  pile: (value) => `[data-path="/view/piles/${value - 1}"].can`,
  target: (value) => `.camp.suit-${value}.can`,
  coup: (value) => `[data-key="choice-coup-${value}"]`,
};
const DONE = ".picked, [aria-pressed=true]";

/** The guide, or the way back to it. */
export function guide(page) {
  const { live, guided, guide: told, at, seat } = page.state;
  if (!live.lesson || !live.seat || at || seat) return null;
  if (!guided) return back(page);
  if (!told) return null;
  const title = el("h2", {}, titleOf(told));
  return el("section", { class: "guide", "aria-label": t("lesson") }, title, words(page, told), actions(page, told));
}

const back = ({ act }) =>
  button(t("lesson.back"), () => act.guide(true), { class: "quiet", data: { key: "lesson-back" } });

/** A paragraph of the lesson, which calls people by their seats, as a line of the log. */
const asLine = (page, text) => logLine(page, { type: "", words: typeset(text, language), payload: {} }).flat();

const titleOf = ({ state, step, of }) => (state === "done" ? t("lesson.done") : t("lesson.step", { step, of }));

const words = (page, told) =>
  el(
    "div",
    { class: "guide-words", role: "status", tabindex: 0, "aria-label": titleOf(told) },
    ...(told.state === "left" ? [t("lesson.left")] : told.say).map((said) => el("p", {}, ...asLine(page, said))),
  );

function actions(page, told) {
  const { act, state } = page;
  const leave = (words) => button(t(words), () => act.guide(false), { class: "quiet", data: { key: "lesson-leave" } });
  const main = (words, does, key) => button(t(words), does, { class: "primary", data: { key } });
  const takeBack = () => act.contest("offers", { kind: "takeback", seat: state.live.seat });
  const buttons = {
    decide: () => [leave("lesson.leave"), doIt(page, told.move)],
    left: () => [leave("lesson.alone"), main("takeback.ask", takeBack, "lesson-takeback")],
    done: () => [leave("lesson.close"), main("lesson.play", () => playBeginner(state.live), "lesson-play")],
  };
  return el("div", { class: "guide-actions" }, ...buttons[told.state]());
}

const doIt = ({ act, state }, move) =>
  button(t("lesson.do"), () => act.play(move), {
    class: "do-it primary",
    disabled: composing(state) === null,
    data: { key: "lesson-do" },
  });

/** Lights up what is clicked next for the move of a step: its kind, its pieces, its places, the verb that sends it. */
export function point(frame, { state }) {
  const { guide: told, guided, at, seat } = state;
  const points = guided && told?.state === "decide" && !at && !seat && composing(state);
  classify(frame, "to-play", points ? nextClick(frame, told.move) : []);
}

function nextClick(frame, { type, ...parts }) {
  const free = [...frame.querySelectorAll(".piece[data-key]")];
  const nodes = ([field, values]) => values.flatMap((value) => nodesOf(frame, free, type, field, value));
  const clicks = [frame.querySelectorAll(`[data-key="kind-${type}"]`), ...inOrder(parts).map(nodes)];
  const open = clicks.map((found) => [...found].filter((node) => !node.matches(DONE)));
  return open.find((found) => found.length) ?? frame.querySelectorAll("[data-confirm]:enabled");
}

/** The parts of a move as `[field, values]`, in the order of the clicks; of a placement each card and then its pile. */
function inOrder({ cards, ...parts }) {
  if (cards?.[0].pile) return cards.flatMap(({ card, pile }) => Object.entries({ card: [card], pile: [pile] }));
  const found = Object.entries(cards ? { ...parts, cards } : parts).map(([field, value]) => [field, [value].flat()]);
  return found.sort(([one], [other]) => (one in PLACES) - (other in PLACES));
}

function nodesOf(frame, free, type, field, value) {
  if (field in PLACES) return [...frame.querySelectorAll(PLACES[field](value))];
  const index = free.findIndex((node) => stands(node, `${type}.${field}`, field, value));
  return index < 0 ? [] : free.splice(index, 1);
}

/** Whether a piece stands for this part of a move. */
function stands({ dataset }, whole, field, value) {
  const [, key] = KEY.exec(dataset.key) ?? [];
  if (!key) return false;
  const [fields, picked] = JSON.parse(key);
  return (fields.includes(field) || fields.includes(whole)) && JSON.stringify(picked) === JSON.stringify(value);
}
