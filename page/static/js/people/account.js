// Who I am here: a name for others to see, and an id by which a table can name me as its arbiter.

import { api } from "../api.js";
import { button, dialog, el, field, redraw } from "../dom.js";
import { loadMoreWords, t } from "../i18n.js";
import { canNotify, chooseCall } from "../effects/calling.js";
import { chosenCalls } from "../effects/sound.js";
import { portrait } from "../portraits.js";
import { showProblem } from "../problems.js";
import { playedAddress, profileAddress } from "../router.js";
import { account, ensureAccount } from "../session.js";
import { soundsAtTable, volume } from "../views/sounds.js";
import { notices } from "./reporting.js";

/** The dialog that tells it, or asks for a name first; `onAccount` is called when there is one. */
export async function showAccount(onAccount) {
  await loadMoreWords();
  const box = dialog(t("account.title"), t("close"), ...(account ? known() : [asking()]));

  function asking() {
    const name = el("input", { name: "name", maxlength: 40, required: true, autocomplete: "nickname" });
    const make = async (event) => {
      event.preventDefault();
      await ensureAccount(name.node.value.trim() || t("account.guest"));
      box.close();
      onAccount();
      showAccount(onAccount);
    };
    const go = el("button", { type: "submit", class: "primary", data: { account: "make" } }, t("account.make"));
    return el(
      "form",
      { class: "asking", on: { submit: make } },
      field(t("opening.name"), name),
      el("div", { class: "actions" }, go, leading("#/sign-in", "account.elsewhere")),
    );
  }
}

function known() {
  const told = el("div");
  api.get("/v1/players/me").then((me) => redraw(told.node, notices(me.notices)), showProblem);
  const copy = () => navigator.clipboard?.writeText(account.player);
  return [
    el("p", { class: "who" }, portrait(account), " ", el("strong", {}, el("bdi", {}, account.name))),
    told,
    el("p", { class: "hint" }, t("account.id_hint")),
    el(
      "div",
      { class: "actions" },
      el("code", { class: "player-id" }, account.player),
      button(t("account.copy"), copy),
    ),
    el(
      "p",
      { class: "actions" },
      leading(profileAddress(account.player), "people.profile"),
      leading(playedAddress({ player: account.player }), "played.title"),
      leading("#/settings", "account.settings"),
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
    const box = el("input", { type: "checkbox", name, disabled, checked: chosenCalls()[name], on: { change: choose } });
    return el("label", { class: "call" }, box, t(`calls.${name}`));
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
