// Settings of an account: its name, devices, ways back to it, what others see, quotas, what is kept of its person, and its
// end.

import { api } from "../api.js";
import { asking, el, field, item, made, nameInput, tick } from "../dom.js";
import { t } from "../i18n.js";
import { go, profileAddress } from "../router.js";
import { account, ensureAccount, forget, rename } from "../session.js";
import { devices } from "./devices.js";
import { doing, listed, section } from "./parts.js";
import { notices } from "./reporting.js";

const ME = "/v1/players/me";

/** Shows the settings, or where to sign in. */
export async function settings(page) {
  if (!account)
    return page.draw(t("people.settings"), el("p", {}, el("a", { href: "#/sign-in" }, t("people.sign_in"))));
  const names = ["", "/tokens", "/recovery-codes", "/passkeys", "/profile", "/blocks", "/quotas"];
  const [me, { tokens }, codes, { passkeys }, shown, { blocks }, { quotas }] = await Promise.all(
    names.map((name) => api.get(ME + name)),
  );
  page.draw(
    t("people.settings"),
    notices(me.notices) || "",
    who(page, me),
    ...devices(page, tokens, codes, passkeys),
    seen(shown),
    blocks.length > 0 && section("blocks", listed(blocks.map((row) => blockRow(page, row)))),
    section("quotas", listed(quotas.filter(({ used }) => used).map(quotaRow), t("people.nothing"))),
    ending(page),
  );
}

/** What everybody may see; each choice is sent at once. */
function seen(shown) {
  const choice = (name) => {
    const choose = async ({ target }) => {
      shown[name] = target.checked;
      Object.assign(shown, await api.put(`${ME}/profile`, shown).catch(() => ({ [name]: !target.checked })));
      target.checked = shown[name];
    };
    return tick(t(`people.${name}`), { name, checked: shown[name], on: { change: choose } });
  };
  return section("shown", el("p", { class: "hint" }, t("people.shown_hint")), ...Object.keys(shown).map(choice));
}

const blockRow = (page, { player, name }) =>
  item(
    el("bdi", {}, name ?? t("people.somebody")),
    " ",
    doing(t("people.unblock"), () => api.delete(`${ME}/blocks/${player}`).then(page.again), { class: "small" }),
  );

const quotaRow = ({ name, used, most }) => item(t("people.quota", { what: t(`people.quota.${name}`), used, most }));

/** The form of the name, which makes an account where there is none; `then` is called with the name taken. */
export function naming(then) {
  const input = nameInput(account?.name ?? "", { required: true });
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

/** The section about the name, and whether its person has chosen to stay. */
function who(page, { id, guest }) {
  const hint = el("p", { class: "hint", data: { guest } }, t(guest ? "people.guest" : "people.name_hint"));
  const form = naming(() => {
    page.onAccount(account);
    return page.again();
  });
  return section("who", hint, form, el("a", { href: profileAddress(id) }, t("people.profile")));
}

/** The section about one's own data, which can be taken along, and about the end of the account. */
function ending(page) {
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
