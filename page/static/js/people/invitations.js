// Who may take the seats of a table: those invited by name, each by a link, and those between certain ratings. And what
// somebody who comes by such a link sees.

import { api } from "../api.js";
import { asking, dialog, el, field, folded, nameInput, redraw } from "../dom.js";
import { colon, loadMoreWords, t } from "../i18n.js";
import { addressOf, go, invitationAddress } from "../router.js";
import { account, ensureAccount } from "../session.js";
import { share } from "../share.js";
import { doing, listed } from "./parts.js";

/** The dialog about a table that waits for players: it makes a link for each name, and tells what became of it. */
export async function invite(table) {
  await loadMoreWords();
  const path = `/v1/tables/${table}/invitations`;
  const name = el("input", { name: "name", maxlength: 40, required: true });
  const form = asking(
    [field(t("people.whom"), name)],
    doing(t("people.make_link"), make, { class: "primary", type: "submit", data: { make: "" } }),
  );
  const sent = el("div", {});
  dialog(t("people.invite"), form, sent);
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

/** Shows an invitation to somebody who came by its link, to sit down, to look or to decline. */
export async function arrive(page) {
  const path = `/v1/invitations/${encodeURIComponent(page.part)}`;
  const told = await api.post(`${path}/answer`, { state: "seen" });
  const table = await api.get(`/v1/tables/${told.table}`);
  const title = t("people.invited", { by: told.by_name ?? t("people.somebody"), game: t(`title.${table.game}`) });
  const free = table.seats.find((seat) => isFree(seat) && [null, seat.seat].includes(told.seat));
  const look = el("a", { href: addressOf(told.table) }, t("invitation.look"));
  if (table.status !== "open" || !free) return page.draw(title, el("p", {}, t("invitation.taken")), el("p", {}, look));
  page.draw(title, form(), el("p", {}, look));

  function form() {
    const name = nameInput(account?.name ?? told.name, { readonly: account !== null });
    const take = doing(t("waiting.sit"), () => sit(name.node.value.trim()), {
      type: "submit",
      class: "primary",
      data: { answer: "accepted" },
    });
    const decline = doing(t("people.decline"), refuse, { data: { answer: "declined" } });
    return asking([field(t("opening.name"), name)], take, decline);
  }

  async function sit(name) {
    await ensureAccount(name);
    page.onAccount();
    await api.post(`/v1/tables/${told.table}/seats/${free.seat}`, {
      arbiter: table.arbiter,
      invitation: told.id,
    });
    await api.post(`${path}/answer`, { state: "accepted" });
    go(addressOf(told.table));
  }

  async function refuse() {
    await api.post(`${path}/answer`, { state: "declined" });
    page.draw(title, el("p", { role: "status" }, t("people.declined")), el("p", {}, look));
  }
}

const isFree = (seat) => seat.kind === "open";

/** The fields for the ratings of the others, in the dialog that opens tables; `chosen()` is the range, null if it has no bound. */
export function choosingRange() {
  const [least, most] = ["least", "most"].map((name) =>
    el("input", { type: "number", name, min: 0, max: 9999, step: 50, inputmode: "numeric" }),
  );
  const settled = el("input", { type: "checkbox", name: "settled" });
  const node = folded(
    t("ranges.title"),
    el(
      "div",
      { class: "fields" },
      field(t("ranges.least"), least),
      field(t("ranges.most"), most),
      field(t("ranges.no_provisional"), settled),
    ),
    el("p", { class: "hint" }, t("ranges.hint")),
  );
  const points = ({ value }) => (value === "" ? null : Number(value));
  const chosen = () => {
    const range = { least: points(least.node), most: points(most.node), provisional: !settled.node.checked };
    return range.least === null && range.most === null && range.provisional ? null : range;
  };
  return { node, chosen };
}
