// The head of a table: what it is, whether it is followed live, and with whose eyes it is looked at.

import { button, el } from "./dom.js";
import { icon } from "./glyphs.js";
import { t } from "./i18n.js";
import { seatName } from "./names.js";
import { rulesAddress, verifyAddress } from "./router.js";

export function head(page) {
  const { live } = page;
  const state = page.connection === "ended" ? "ended" : page.connection;
  return el(
    "header",
    { class: "table-head" },
    el("h1", {}, t(`title.${live.game}`)),
    el("span", { class: `connection ${state}`, role: "status" }, t(`connection.${state}`)),
    el("div", { class: "table-tools" }, eyes(page), el("a", { class: "quiet-link", href: rulesAddress(live.game), target: "_blank" }, t("rules.link")), el("a", { class: "quiet-link", href: verifyAddress(live.table) }, t("verify")), ...page.lineage.tools(), button([icon("change"), t("share")], () => share(), { class: "quiet", data: { key: "share" } })),
    page.lineage.draw(),
  );
}

/** The eyes that one may borrow: every seat's once the game is over, and before for the arbiter of an open dispute. */
function eyes(page) {
  const { live } = page;
  if (!live.view || !(page.over || page.court.mayLook)) return null;
  const own = live.seat ? t("eyes.own") : t("eyes.spectator");
  const seats = live.seats.map((seat) => [seat.seat, t("eyes.seat", { number: seat.seat, name: seatName(seat) })]);
  const options = [["", own], ...seats].map(([value, text]) => el("option", { value, selected: value === (page.seat ?? "") }, text));
  const choose = (event) => page.lookAs(Number(event.target.value) || null);
  return el("label", { class: "eyes", title: page.over ? null : t("eyes.told") }, el("span", {}, t("eyes")), el("select", { on: { change: choose }, data: { key: "eyes" } }, ...options));
}

async function share() {
  await navigator.clipboard?.writeText(location.href);
  document.getElementById("announcer").textContent = t("shared");
}
