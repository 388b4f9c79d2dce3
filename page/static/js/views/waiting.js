// A table that has not begun: who sits, and who may still sit down.

import { announce, button, el } from "../dom.js";
import { capital, pair, t } from "../i18n.js";
import { inviteTo } from "../invitation.js";
import { seatName } from "../names.js";
import { showProblem } from "../problems.js";
import { portrait } from "../portraits.js";
import { rangeWords } from "../ranges.js";
import { seatAddress } from "../router.js";
import { account } from "../session.js";
import { clockWords } from "./clocks.js";
import { share } from "../share.js";
import { optionWords, valueWords } from "../words.js";

export function waitingRoom(page) {
  const { live } = page.state;
  const free = live.seats.filter((seat) => !seat.player && !seat.level).length;
  return [
    el("h2", {}, t("waiting.title", { n: free })),
    el("p", {}, t("waiting.lead")),
    el("p", { class: "hint", data: { clock: "" } }, pair(t("clock"), clockWords(live.clock))),
    page.game && houseRules(live.options),
    live.ratings && el("p", { class: "hint", data: { ratings: "" } }, rangeWords(live.ratings)),
    live.arbiter ? el("p", { class: "hint" }, t("waiting.arbiter", { player: live.arbiter })) : null,
    free &&
      belongs(live) &&
      button(t("waiting.by_name"), () => byName(page.state.id), { class: "quiet", data: { invite: "name" } }),
    el("ul", { class: "waiting" }, ...live.seats.map((seat) => seatRow(page, seat))),
  ];
}

const houseRules = (options) =>
  el(
    "details",
    { data: { key: "options" } },
    el("summary", {}, t("options.title")),
    el(
      "ul",
      {},
      ...Object.entries(options).map(([name, value]) => el("li", {}, pair(optionWords(name), valueWords(name, value)))),
    ),
  );

const belongs = ({ opened_by: opener, seats }) =>
  account && [opener, ...seats.map(({ player }) => player)].includes(account.player);

/** Few invite by name: what does is loaded when somebody wants it. */
const byName = async (table) => (await import("../people/index.js")).invite(table).catch(showProblem);

function seatRow(page, seat) {
  const name = el("strong", {}, t("waiting.seat", { number: seat.seat, name: seatName(seat) }));
  return el("li", {}, portrait(seat, seat.seat), name, ...doable(page, seat));
}

function doable(page, seat) {
  const { live } = page.state;
  if (page.state.at || live.status !== "open") return [];
  const mine = account?.player;
  const seated = live.seats.some((each) => each.player === mine && mine);
  if (seat.player === mine && mine) return [button(t("waiting.leave"), () => page.act.seatDo("delete", seat.seat))];
  if (seat.player || seat.level) return [];
  const invite = button(t("waiting.invite"), () => share(seatAddress(page.state.id, seat.seat)), {
    class: "quiet",
    data: { invite: seat.seat },
  });
  const sit = button(t("waiting.sit"), () => sitDown(page, seat.seat), { class: "primary", data: { sit: seat.seat } });
  const ai = button(t("waiting.ai"), () => page.act.seatDo("post", seat.seat, { kind: "ai", level: "greedy" }));
  return [!seated && sit, live.opened_by === mine && ai, !seat.kept_for && invite].filter(Boolean);
}

/** Takes a seat at once under the name that one has, or asks for one. */
function sitDown(page, seat) {
  if (account) return page.act.sit(seat, account.name);
  return inviteTo(seatOf(page, seat), (name) => page.act.sit(seat, name));
}

const seatOf = ({ state }, seat) => ({ title: capital(t(`title.${state.live.game}`)), seat });

/** Whoever comes by the address of a seat is asked to sit down there, or told that somebody else has. */
export function greet(page, seat) {
  const { live } = page.state;
  const wanted = live.seats[seat - 1];
  const mine = account && live.seats.some(({ player }) => player === account.player);
  if (!wanted || mine) return;
  if (live.status !== "open" || wanted.player || wanted.level) announce(t("invitation.taken"));
  else inviteTo(seatOf(page, seat), (name) => page.act.sit(seat, name));
}
