// Signing in on this device: by a code of another one, a recovery code or a passkey. Of a passkey the service's options go
// to the browser, and what the browser makes of them goes back as JSON.

import { api } from "../api.js";
import { asking, el, field } from "../dom.js";
import { t } from "../i18n.js";
import { go, replace } from "../router.js";
import { account, adopt } from "../session.js";
import { deviceName, doing } from "./parts.js";

const PASSKEYS = "/v1/players/me/passkeys";

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

/** Whether this browser makes passkeys here: only at a secure page, and at none whose host is an address. */
export const hasPasskeys = () =>
  isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);

/** Makes a passkey for the account on this device. */
export async function makePasskey() {
  const { options } = await api.post(`${PASSKEYS}/options`);
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map((one) => ({ ...one, id: bytes(one.id) })),
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  await api.post(PASSKEYS, { passkey: told(credential, { clientDataJSON, attestationObject }), label: deviceName() });
}

/** What a passkey of this page signs, to sign in by it. */
async function signedByPasskey() {
  const { options } = await api.post("/v1/sign-ins/options");
  const credential = await navigator.credentials.get({
    publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: [] },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return told(credential, { clientDataJSON, authenticatorData, signature, userHandle });
}

const told = ({ id, rawId, type }, response) => ({
  id,
  rawId: text(rawId),
  type,
  clientExtensionResults: {},
  response: Object.fromEntries(Object.entries(response).map(([name, value]) => [name, text(value)])),
});

const bytes = (written) =>
  Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (value) =>
  btoa(String.fromCharCode(...new Uint8Array(value)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
