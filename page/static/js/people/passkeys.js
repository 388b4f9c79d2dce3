// Passkeys: the service's options go to the browser, and what the browser makes of them goes back as JSON.

import { api } from "../api.js";
import { deviceName } from "./parts.js";

const PATH = "/v1/players/me/passkeys";

/** Whether this browser makes passkeys here: only at a secure page, and at none whose host is an address. */
export const hasPasskeys = () =>
  isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);

/** Makes a passkey for the account on this device. */
export async function makePasskey() {
  const { options } = await api.post(`${PATH}/options`);
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map((one) => ({ ...one, id: bytes(one.id) })),
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  await api.post(PATH, { passkey: told(credential, { clientDataJSON, attestationObject }), label: deviceName() });
}

/** What a passkey of this page signs, to sign in by it. */
export async function signedByPasskey() {
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
