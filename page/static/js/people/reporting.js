// Reporting a player, or what somebody wrote at a table, to whoever runs the service; and what its operators tell me.

import { api } from "../api.js";
import { asking, choice, dialog, el, field, redraw } from "../dom.js";
import { loadMoreWords, moment, t } from "../i18n.js";
import { doing, section } from "./parts.js";

const REASONS = ["abuse", "name", "collusion", "cheating", "stalling", "spam", "other"];
const LONGEST = 1000;

/** The dialog in which something is reported; `about` says what, as the API wants it. */
export async function report(about) {
  await loadMoreWords();
  const reason = choice("reason", REASONS, (name) => t(`report.${name}`), REASONS[0]);
  const text = el("textarea", { name: "text", rows: 4, maxlength: LONGEST });
  const form = asking(
    [field(t("report.reason"), reason), field(t("report.text"), text), el("p", { class: "hint" }, t("report.hint"))],
    doing(t("report.send"), send, { class: "primary", data: { report: "send" } }),
  );
  const box = dialog(t("report.title"), form);

  async function send() {
    await api.post("/v1/reports", { ...about, reason: reason.node.value, text: text.node.value.trim() });
    redraw(form.node, el("p", { role: "status", data: { report: "sent" } }, t("report.sent")));
    box.querySelector(".close").focus();
  }
}

/** What stands against an account; nothing where nothing does. */
export const notices = (rows) =>
  rows.length > 0 && section("notices", el("ul", { class: "plain" }, ...rows.map(notice)));

const notice = ({ type, at, reason, text }) =>
  el(
    "li",
    { data: { notice: type } },
    el("strong", {}, t(`report.${type}`)),
    ` ${moment(at)} · ${t(`report.${reason}`)}`,
    text && el("p", {}, el("q", {}, el("bdi", {}, text))),
  );
