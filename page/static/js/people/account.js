// Who I am here: a name for others to see, and an id by which a table can name me as its arbiter.

import { api } from "../api.js";
import { actions, button, dialog, el, redraw, tick } from "../dom.js";
import { loadMoreWords, t } from "../i18n.js";
import { canNotify, chooseCall, chosenCalls } from "../effects/sounds.js";
import { showProblem } from "../problems.js";
import { playedAddress, profileAddress } from "../router.js";
import { account } from "../session.js";
import { soundsAtTable, volume } from "../views/sounds.js";
import { notices } from "./reporting.js";
import { naming } from "./settings.js";

/** The dialog about it; `onAccount` is called when there is an account, or another name. */
export async function showAccount(onAccount) {
  await loadMoreWords();
  const isNew = account === null;
  const form = naming(() => {
    box.close();
    onAccount();
    return isNew && showAccount(onAccount);
  });
  const rest = isNew ? [el("p", {}, leading("#/sign-in", "account.elsewhere"))] : known();
  const box = dialog(t("account.title"), form, ...rest);
}

function known() {
  const told = el("div");
  api.get("/v1/players/me").then((me) => redraw(told.node, notices(me.notices)), showProblem);
  const copy = () => navigator.clipboard?.writeText(account.player);
  return [
    told,
    el("p", { class: "hint" }, t("account.id_hint")),
    actions(el("code", { class: "player-id" }, account.player), button(t("account.copy"), copy)),
    el(
      "p",
      { class: "actions" },
      leading(profileAddress(account.player), "people.profile"),
      leading(playedAddress({ player: account.player }), "played.title"),
      leading("#/settings", "people.settings"),
    ),
    calls(),
  ];
}

/** A link out of the dialog. */
const leading = (href, key) =>
  el("a", { href, on: { click: ({ target }) => target.closest("dialog").close() } }, t(key));

/** How to be called when it is one's turn. */
function calls() {
  const refused = el("p", { class: "hint", role: "status" }, canNotify() ? "" : t("calls.cannot"));
  const choice = (name, disabled) => {
    const choose = async ({ target }) => {
      const wished = target.checked;
      target.checked = await chooseCall(name, wished);
      refused.node.textContent = wished && !target.checked ? t("calls.refused") : "";
    };
    return tick(t(`calls.${name}`), { name, disabled, checked: chosenCalls()[name], on: { change: choose } }, "call");
  };
  return el(
    "fieldset",
    { class: "calls" },
    el("legend", {}, t("calls")),
    choice("sound", false),
    choice("notice", !canNotify()),
    refused,
    soundsAtTable(),
    volume(),
  );
}
