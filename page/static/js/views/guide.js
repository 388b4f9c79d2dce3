// The guide of a lesson, above the tray: what to know at this step, and the move to make. What it speaks of is outlined.

import { button, el } from "../dom.js";
import { language, t } from "../i18n.js";
import { composing } from "../state/table.js";
import { typeset } from "../typography.js";
import { logLine } from "./log-line.js";

const KEY = /^(?:target)?(\[.*\])\d*$/; // as `tools.js` names pieces and places that can be picked

/** The places of a move, which can be pointed at before they can be picked. */
const PLACES = {
  ground: (value) => `[data-path="/view/grounds/${value - 1}"]`,
  pile: (value) => `[data-path="/view/piles/${value - 1}"]`,
  target: (value) => `.camp.suit-${value}`,
};

/** The guide, or the way back to it. */
export function guide(page) {
  const { live, guided, guide: told, at, seat } = page.state;
  if (!live.lesson || !live.seat || at || seat) return null;
  if (!guided) return back(page);
  return told && el("section", { class: "guide", "aria-label": t("lesson") }, words(page, told), actions(page, told));
}

const back = ({ act }) =>
  button(t("lesson.back"), () => act.guide(true), { class: "quiet", data: { key: "lesson-back" } });

/** A paragraph of the lesson, which calls people by their seats, as a line of the log. */
const asLine = (page, text) => logLine(page, { type: "", words: typeset(text, language), payload: {} }).flat();

function words(page, { state, step, of, say }) {
  const title = state === "done" ? t("lesson.done") : t("lesson.step", { step, of });
  const said = state === "left" ? [t("lesson.left")] : say;
  return el(
    "div",
    { class: "guide-words", role: "status", tabindex: 0, "aria-label": title },
    el("h2", {}, title),
    ...said.map((paragraph) => el("p", {}, ...asLine(page, paragraph))),
  );
}

function actions(page, told) {
  const { act, state } = page;
  const leave = (words) => button(t(words), () => act.guide(false), { class: "quiet", data: { key: "lesson-leave" } });
  const buttons = {
    decide: () => [leave("lesson.leave"), doIt(page, told.move)],
    wait: () => [leave("lesson.leave")],
    left: () => [
      leave("lesson.alone"),
      button(t("takeback.ask"), () => act.contest("offers", { kind: "takeback", seat: state.live.seat }), {
        class: "primary",
        data: { key: "lesson-takeback" },
      }),
    ],
    done: () => [leave("lesson.close")],
  };
  return el("div", { class: "guide-actions" }, ...buttons[told.state]());
}

const doIt = ({ act, state }, move) =>
  button(t("lesson.do"), () => act.play(move), {
    class: "do-it primary",
    disabled: composing(state) === null,
    data: { key: "lesson-do" },
  });

const items = (value) => (Array.isArray(value) ? value : [value]);

/** The parts of a move by its fields: `[field, value]`; of a placement each card, and then its pile. */
const partsOf = ({ type: _, ...parts }) =>
  Object.entries(parts).flatMap(([field, value]) => items(value).flatMap((item) => partOf(field, item)));

const partOf = (field, item) => (field === "cards" && item.pile ? Object.entries(item) : [[field, item]]);

/** Outlines what a step speaks of, and more strongly the cards and places of its move. */
export function point(frame, { state }) {
  for (const node of frame.querySelectorAll(".shown, .to-play")) node.classList.remove("shown", "to-play");
  const { guide: told, guided, at, seat, live } = state;
  if (!live.lesson || !told || !guided || at || seat || told.state !== "decide") return;
  const shown = new Set(told.show.map((name) => `${live.game}/${name}`));
  for (const node of frame.querySelectorAll("[data-help]"))
    if (shown.has(node.dataset.help)) (node.closest(".heap-hand") ?? node).classList.add("shown");
  if (composing(state)) for (const node of nodesOf(frame, told.move)) node.classList.add("to-play");
}

function nodesOf(frame, move) {
  const free = [...frame.querySelectorAll(".piece[data-key]")];
  return partsOf(move).flatMap(([field, value]) => {
    const place = PLACES[field];
    if (place) return [...frame.querySelectorAll(place(value))];
    const index = free.findIndex((node) => stands(node, `${move.type}.${field}`, field, value));
    return index < 0 ? [] : free.splice(index, 1);
  });
}

/** Whether a piece stands for this part of a move. */
function stands({ dataset }, whole, field, value) {
  const [, key] = KEY.exec(dataset.key) ?? [];
  if (!key) return false;
  const [fields, picked] = JSON.parse(key);
  return (fields.includes(field) || fields.includes(whole)) && JSON.stringify(picked) === JSON.stringify(value);
}
