// Loading a game: a text in notation, pasted or from a file, is shown as a table that no record proves.

import { api } from "./api.js";
import { actions, button, dialog, el, field, folded, item } from "./dom.js";
import { start } from "./effects/quick-start.js";
import { moment, t } from "./i18n.js";
import { showProblem } from "./problems.js";
import { addressOf } from "./router.js";
import { account } from "./session.js";

const ROWS = 12;
const MOST_CHARACTERS = 60_000; // as the service takes

/** The dialog into which a text is pasted; below it those that were loaded before. */
export async function loadGame() {
  const loaded = account ? await api.get("/v1/transcripts").catch(() => null) : null;
  const text = el("textarea", {
    name: "text",
    class: "notation",
    rows: ROWS,
    maxlength: MOST_CHARACTERS,
    required: true,
    spellcheck: false,
    placeholder: "[Format 1]",
  });
  const file = el("input", { type: "file", name: "file", accept: ".txt,text/plain", on: { change: read } });
  const shared = el("input", { type: "checkbox", name: "public" });
  const refusal = el("p", { class: "refusal", role: "alert" });
  const form = el(
    "form",
    { class: "asking", on: { submit: send } },
    field(t("loading.text"), text),
    field(t("loading.file"), file),
    el("label", { class: "ask" }, shared, t("loading.public")),
    refusal,
    actions(button(t("loading.show"), null, { type: "submit", class: "primary", data: { load: "" } })),
  );
  dialog(t("loading.title"), el("p", { class: "hint" }, t("loading.hint")), form, before(loaded));

  async function read() {
    const [chosen] = file.node.files;
    if (chosen) text.node.value = await chosen.text();
  }

  async function send(event) {
    event.preventDefault();
    refusal.node.textContent = "";
    try {
      const visibility = shared.node.checked ? "public" : "private";
      await start("/v1/transcripts", { text: text.node.value, visibility });
    } catch (problem) {
      if (problem.code === "notation_refused") refused(problem);
      else showProblem(problem);
    }
  }

  /** What is wrong with the text, and where: the place is marked. */
  function refused({ message, line, column }) {
    refusal.node.textContent = t("loading.refused", { detail: message });
    const lines = text.node.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    text.node.focus();
    text.node.setSelectionRange(start, start + 1);
  }
}

/** The texts that I have loaded before. */
function before(loaded) {
  if (!loaded?.transcripts.length) return null;
  const rows = loaded.transcripts.map(({ id, game, at }) => {
    const link = el("a", { href: addressOf(id) }, t(`title.${game}`));
    const gone = () => one.node.remove();
    const remove = () => api.delete(`/v1/transcripts/${id}`).then(gone, showProblem);
    const one = item(link, ` ${moment(at)} `, button(t("loading.delete"), remove, { class: "small" }));
    return one;
  });
  return folded(t("loading.before", { n: rows.length }), el("ul", {}, ...rows));
}
