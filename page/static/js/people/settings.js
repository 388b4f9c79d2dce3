// Settings of an account: its name, devices, ways back to it, what others see, quotas, and its end.

import { api } from "../api.js";
import { el, item, tick } from "../dom.js";
import { t } from "../i18n.js";
import { account } from "../session.js";
import { devices } from "./devices.js";
import { ending } from "./ending.js";
import { listed, doing, section } from "./parts.js";
import { notices } from "./reporting.js";
import { who } from "./who.js";

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
