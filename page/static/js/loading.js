// Loading a game: a text in notation, pasted or from a file, is shown as a table that no record proves.

import { api } from "./api.js";
import { button, dialog, el, field } from "./dom.js";
import { moment, t } from "./i18n.js";
import { showProblem } from "./problems.js";
import { addressOf, go } from "./router.js";
import { account, ensureAccount } from "./session.js";

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
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", class: "primary", data: { load: "" } }, t("loading.show")),
    ),
  );
  const box = dialog(
    t("loading.title"),
    t("close"),
    el("p", { class: "hint" }, t("loading.hint")),
    form,
    before(loaded),
  );

  async function read() {
    const [chosen] = file.node.files;
    if (chosen) text.node.value = await chosen.text();
  }

  async function send(event) {
    event.preventDefault();
    refusal.node.textContent = "";
    try {
      await ensureAccount();
      const visibility = shared.node.checked ? "public" : "private";
      const { id } = await api.post("/v1/transcripts", { text: text.node.value, visibility });
      box.close();
      go(addressOf(id));
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
  const rows = loaded.transcripts.map((row) => {
    const item = el(
      "li",
      {},
      el(
        "a",
        { href: addressOf(row.id), on: { click: () => item.node.closest("dialog").close() } },
        t(`title.${row.game}`),
      ),
      ` ${moment(row.at)} `,
      button(t("loading.delete"), () => remove(row.id, item), { class: "small" }),
    );
    return item;
  });
  return el("details", {}, el("summary", {}, t("loading.before", { n: rows.length })), el("ul", {}, ...rows));
}

async function remove(table, item) {
  try {
    await api.delete(`/v1/transcripts/${table}`);
    item.node.remove();
  } catch (problem) {
    showProblem(problem);
  }
}
