// Signing in on this device: by a code of another one, a recovery code or a passkey.

import { api } from "../api.js";
import { asking, el, field } from "../dom.js";
import { t } from "../i18n.js";
import { go, replace } from "../router.js";
import { account, adopt } from "../session.js";
import { deviceName, doing } from "./parts.js";
import { hasPasskeys, signedByPasskey } from "./passkeys.js";

/** The form; the code of a link stands in it already, and no longer in the address. */
export function signIn(page) {
  if (page.part) replace("#/sign-in");
  const code = el("input", {
    name: "code",
    value: page.part ?? "",
    maxlength: 40,
    autocomplete: "one-time-code",
    spellcheck: false,
    required: true,
  });
  const byCode = doing(t("people.sign_in"), () => form.node.reportValidity() && enter({ code: code.node.value }), {
    class: "primary",
    type: "submit",
    data: { sign: "code" },
  });
  const byPasskey = hasPasskeys() && doing(t("people.by_passkey"), withPasskey, { data: { sign: "passkey" } });
  const form = asking([field(t("people.code"), code)], byCode, byPasskey);
  const replaced = account && el("p", { class: "hint" }, t("people.replaces", { name: account.name }));
  page.draw(t("people.sign_in"), el("p", {}, t("people.sign_in_hint")), replaced, form);

  async function withPasskey() {
    await enter({ passkey: await signedByPasskey() });
  }

  async function enter(proof) {
    adopt(await api.post("/v1/sign-ins", { ...proof, label: deviceName() }));
    page.onAccount();
    go("#/settings");
  }
}
