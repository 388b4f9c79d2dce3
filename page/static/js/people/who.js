// A name, taken or changed; and whether its person has chosen to stay.

import { api } from "../api.js";
import { asking, el, field } from "../dom.js";
import { t } from "../i18n.js";
import { profileAddress } from "../router.js";
import { account, ensureAccount, rename } from "../session.js";
import { doing, section } from "./parts.js";

/** The form of the name, which makes an account where there is none; `then` is called with the name taken. */
export function naming(then) {
  const input = el("input", {
    name: "name",
    value: account?.name ?? "",
    maxlength: 40,
    required: true,
    autocomplete: "nickname",
  });
  const send = async () => {
    if (!input.node.reportValidity()) return;
    const name = input.node.value.trim();
    if (account) rename((await api.put("/v1/players/me/name", { name })).name);
    else await ensureAccount(name);
    await then();
  };
  const take = doing(t("account.make"), send, { type: "submit", class: "primary", data: { name: "take" } });
  return asking([field(t("opening.name"), input)], take);
}

/** The section about the name. */
export function who(page, { id, guest }) {
  const hint = el("p", { class: "hint", data: { guest } }, t(guest ? "people.guest" : "people.name_hint"));
  const form = naming(() => {
    page.onAccount(account);
    return page.again();
  });
  return section("who", hint, form, el("a", { href: profileAddress(id) }, t("people.profile")));
}
