// The devices and programs that have a token, and the ways to sign in on another one.

import { api } from "../api.js";
import { actions, dialog, el, item } from "../dom.js";
import { moment, t } from "../i18n.js";
import { account } from "../session.js";
import { share } from "../share.js";
import { dayWords, doing, listed, relabel, section } from "./parts.js";
import { hasPasskeys, makePasskey } from "./signing-in.js";

const ME = "/v1/players/me";
const FIRST = "first"; // what the service calls the token that comes with an account

/** The sections about tokens, recovery codes and passkeys. */
export const devices = (page, tokens, codes, passkeys) => [
  section(
    "devices",
    listed(
      tokens.map((token) => tokenRow(page, token)),
      t("people.nothing"),
    ),
    el("p", {}, doing(t("people.show_code"), showCode, { class: "primary", data: { show: "code" } })),
  ),
  section(
    "recovery",
    el("p", { class: "hint" }, t("people.recovery_hint")),
    el(
      "p",
      {},
      t("people.codes_left", { n: codes.left }),
      " ",
      doing(t("people.new_codes"), () => showCodes(page), { data: { show: "codes" } }),
    ),
  ),
  section(
    "passkeys",
    listed(
      passkeys.map((one) => passkeyRow(page, one)),
      t("people.no_passkeys"),
    ),
    adding(page),
  ),
];

const usedWords = (day) => (day ? t("people.used", { day: dayWords(day) }) : t("people.unused"));

/** A button that gives what is kept at a path another label. */
const renaming = (page, path, label) =>
  doing(t("people.rename"), () => relabel(label, (given) => api.put(path, { label: given }).then(page.again)), {
    class: "small",
  });

function tokenRow(page, { id: token, label, scopes, at, used_on: used }) {
  const path = `${ME}/tokens/${token}`;
  const mine = token === account.token;
  const name = renaming(page, path, label);
  const end =
    !mine &&
    doing(t("people.revoke"), () => api.delete(path).then(page.again), { class: "small", data: { revoke: token } });
  const told = `${scopes.map((scope) => t(`scope.${scope}`)).join(", ")} · ${moment(at)} · ${usedWords(used)}`;
  return el(
    "li",
    { data: { token } },
    el("strong", {}, label === FIRST ? t("people.first") : label || token),
    mine && ` (${t("people.here")})`,
    ` ${told} `,
    name,
    " ",
    end,
  );
}

function passkeyRow(page, { id: passkey, label, at, used_on: used }) {
  const path = `${ME}/passkeys/${encodeURIComponent(passkey)}`;
  const name = renaming(page, path, label);
  const end = doing(t("people.remove"), () => api.delete(path).then(page.again), { class: "small" });
  return el(
    "li",
    { data: { passkey } },
    el("strong", {}, label || passkey),
    ` ${moment(at)} · ${usedWords(used)} `,
    name,
    " ",
    end,
  );
}

function adding(page) {
  if (!hasPasskeys()) return el("p", { class: "hint" }, t("people.insecure"));
  const add = doing(t("people.add_passkey"), () => makePasskey().then(page.again), { data: { add: "passkey" } });
  return el("p", {}, add);
}

/** A code for another device, and the link that has it. */
async function showCode() {
  const { code, seconds } = await api.post(`${ME}/sign-in-codes`);
  dialog(
    t("people.show_code"),
    el("p", {}, t("people.code_hint", { minutes: seconds / 60 })),
    el("p", { class: "who" }, el("code", { class: "sign-in-code" }, code)),
    actions(doing(t("people.share_link"), () => share(`#/sign-in/${code}`))),
  );
}

async function showCodes(page) {
  if (!confirm(t("people.new_codes_sure"))) return;
  const { codes } = await api.post(`${ME}/recovery-codes`);
  await page.again();
  const list = el("ul", { class: "recovery-codes" }, ...codes.map((code) => item(el("code", {}, code))));
  dialog(t("people.recovery"), el("p", {}, t("people.codes_once")), list);
}
