// Inviting to a table by name: the dialog makes a link for each, and tells what became of it.

import { api } from "../api.js";
import { asking, dialog, el, field, redraw } from "../dom.js";
import { colon, loadMoreWords, t } from "../i18n.js";
import { invitationAddress } from "../router.js";
import { share } from "../share.js";
import { doing, listed } from "./parts.js";

/** The dialog about a table that waits for players. */
export async function invite(table) {
  await loadMoreWords();
  const path = `/v1/tables/${table}/invitations`;
  const name = el("input", { name: "name", maxlength: 40, required: true });
  const form = asking(
    [field(t("people.whom"), name)],
    doing(t("people.make_link"), make, { class: "primary", type: "submit", data: { make: "" } }),
  );
  const sent = el("div", {});
  dialog(t("people.invite"), t("close"), form, sent);
  await show();

  async function make() {
    if (!form.node.reportValidity()) return;
    const { id } = await api.post(path, { name: name.node.value.trim() });
    name.node.value = "";
    await show();
    await share(invitationAddress(id));
  }

  async function show() {
    const { invitations } = await api.get(path);
    redraw(sent.node, listed(invitations.map(row), t("people.none_invited")));
  }

  function row({ id: invitation, name: whom, state }) {
    const link = doing(t("people.share_link"), () => share(invitationAddress(invitation)), { class: "small" });
    const end = doing(t("people.withdraw"), () => api.delete(`/v1/invitations/${invitation}`).then(show), {
      class: "small",
    });
    const props = { data: { invitation, state } };
    return el("li", props, el("bdi", {}, whom), colon(), t(`people.state.${state}`), " ", link, " ", end);
  }
}
