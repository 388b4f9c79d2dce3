// The name of an account, and whether its person has chosen to stay.

import { api } from "../api.js";
import { el, field } from "../dom.js";
import { t } from "../i18n.js";
import { profileAddress } from "../router.js";
import { account, rename } from "../session.js";
import { doing, section } from "./parts.js";

/** The section about the name. */
export function who(page, { id, name, guest }) {
  const input = el("input", { name: "name", value: name, maxlength: 40, required: true, autocomplete: "nickname" });
  const form = el(
    "form",
    { class: "asking", on: { submit: (event) => event.preventDefault() } },
    field(t("opening.name"), input),
    el(
      "div",
      { class: "actions" },
      doing(t("account.make"), send, { type: "submit", class: "primary", data: { name: "take" } }),
    ),
  );
  const hint = el("p", { class: "hint", data: { guest } }, t(guest ? "people.guest" : "people.name_hint"));
  return section("who", hint, form, el("a", { href: profileAddress(id) }, t("people.profile")));

  async function send() {
    if (!form.node.reportValidity()) return;
    rename((await api.put("/v1/players/me/name", { name: input.node.value.trim() })).name);
    page.onAccount(account);
    await page.again();
  }
}
