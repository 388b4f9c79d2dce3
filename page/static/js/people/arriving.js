// Whoever comes by the link of an invitation: sits down, looks, or declines.

import { api } from "../api.js";
import { asking, el, field } from "../dom.js";
import { t } from "../i18n.js";
import { addressOf, go } from "../router.js";
import { account, ensureAccount } from "../session.js";
import { doing } from "./parts.js";

/** Shows an invitation. */
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
    const name = el("input", {
      name: "name",
      value: account?.name ?? told.name,
      maxlength: 40,
      autocomplete: "nickname",
      readonly: account !== null,
    });
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
