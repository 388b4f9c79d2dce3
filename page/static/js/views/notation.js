// The notation of a table: all of it as one text, to be read and copied.

import { announce, button, dialog, el } from "../dom.js";
import { t } from "../i18n.js";
import { showProblem } from "../problems.js";
import { isOver } from "../state/table.js";

const ROWS = 16;

/** The button that shows the notation, as the page's reader may have it. */
export function notationButton({ state, act }) {
  return button(t("notation"), () => showNotation(state, act), { class: "quiet", data: { key: "notation" } });
}

async function showNotation(state, act) {
  try {
    open(await act.notation(), isOver(state) || state.live.transcribed, state.live.game);
  } catch (problem) {
    showProblem(problem, state.live.game);
  }
}

function open(text, over) {
  const area = el("textarea", { class: "notation", rows: ROWS, readonly: true, spellcheck: false, value: text });
  const copying = button(t("notation.copy"), copy, { class: "primary", data: { copy: "" } });
  dialog(
    t("notation.title"),
    t("close"),
    el("p", { class: "hint" }, t(over ? "notation.hint" : "notation.hint.running")),
    el("label", { class: "notation-text" }, el("span", { class: "unseen" }, t("notation.title")), area),
    el("div", { class: "actions" }, copying),
  );
  area.node.scrollTop = 0;

  /** Pages that came by http have no clipboard: there the text is marked, for the reader to copy. */
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      copying.node.textContent = t("notation.copied");
      announce(t("notation.copied"));
    } catch {
      area.node.focus();
      area.node.select();
      announce(t("notation.marked"));
    }
  }
}
