// A table that has not begun: who sits, and who may still sit down.

import { button, el } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";
import { account } from "../session.js";

export function waitingRoom(page) {
  const { live } = page.state;
  const free = live.seats.filter((seat) => !seat.player && !seat.ai).length;
  return [
    el("h2", {}, t("waiting.title", { n: free })),
    el("p", {}, t("waiting.lead")),
    live.arbiter ? el("p", { class: "hint" }, t("waiting.arbiter", { player: live.arbiter })) : null,
    el("ul", { class: "waiting" }, ...live.seats.map((seat) => seatRow(page, seat))),
  ];
}

function seatRow(page, seat) {
  const name = el("strong", {}, t("waiting.seat", { number: seat.seat, name: seatName(seat) }));
  return el("li", {}, mark(seat.seat), name, ...doable(page, seat));
}

function doable(page, seat) {
  const { live } = page.state;
  if (page.state.at || live.status !== "open") return [];
  const mine = account?.player;
  const seated = live.seats.some((each) => each.player === mine && mine);
  if (seat.player === mine && mine) return [button(t("waiting.leave"), () => page.act.seatDo("delete", seat.seat))];
  if (seat.player || seat.ai) return [];
  const sit = button(t("waiting.sit"), () => page.act.sit(seat.seat), { class: "primary", data: { sit: seat.seat } });
  const ai = button(t("waiting.ai"), () => page.act.seatDo("post", seat.seat, { level: "greedy" }));
  return [!seated && sit, live.opened_by === mine && ai].filter(Boolean);
}
