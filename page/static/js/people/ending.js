// Taking along what is kept of a person, and the end of the account.

import { api } from "../api.js";
import { el, made } from "../dom.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { account, forget } from "../session.js";
import { doing, section } from "./parts.js";

const ME = "/v1/players/me";

/** The section about one's own data. */
export function ending(page) {
  return section(
    "data",
    el("p", {}, doing(t("people.export"), take, { data: { take: "export" } })),
    el("p", { class: "hint" }, t("people.erase_hint")),
    el("p", {}, doing(t("people.erase"), erase, { data: { erase: "" } })),
  );

  async function erase() {
    if (!confirm(t("people.erase_sure", { name: account.name }))) return;
    await api.delete(ME);
    forget();
    page.onAccount();
    go("#/");
  }
}

/** Saves all pages of the export as a file. */
async function take() {
  const whole = await api.get(`${ME}/export`);
  while (whole.next) {
    const { tables, next } = await api.get(`${ME}/export?cursor=${encodeURIComponent(whole.next)}`);
    whole.tables.push(...tables);
    whole.next = next;
  }
  const url = URL.createObjectURL(new Blob([JSON.stringify(whole, null, 1)], { type: "application/json" }));
  made(el("a", { href: url, download: "wintercount.json" })).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
