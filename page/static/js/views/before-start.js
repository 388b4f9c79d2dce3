// A table that has not begun: who sits, who is missing, what was agreed on, and sitting down. The game begins by itself.

import { announce, asking, button, dialog, el, field, item, nameInput } from "../dom.js";
import { capital, pair, t } from "../i18n.js";
import { seatName } from "../piece-names.js";
import { isUnusual } from "../house-rules.js";
import { portrait } from "../portraits.js";
import { showProblem } from "../problems.js";
import { rangeWords } from "./seats.js";
import { seatAddress } from "../router.js";
import { account } from "../session.js";
import { share } from "../share.js";
import { optionWords, valueWords } from "../help-words.js";
import { clockWords } from "./clocks.js";

const isFree = (seat) => !seat.player && !seat.level;

export function waitingRoom(page) {
  const { live } = page.state;
  const free = live.seats.filter(isFree);
  return [
    el("h2", {}, t("waiting.title", { n: free.length })),
    el("p", {}, t("waiting.lead")),
    live.status === "open" && belongs(live) && inviting(page.state.id, free[0].seat),
    el("ul", { class: "waiting" }, ...live.seats.map((seat) => seatRow(page, seat))),
    el(
      "ul",
      { class: "agreed" },
      agreed("clock", pair(t("clock"), clockWords(live.clock))),
      agreed("rated", pair(t("played.rated"), t(`played.rated.${live.rated}`))),
      live.ratings && agreed("ratings", rangeWords(live.ratings)),
      live.arbiter && agreed("arbiter", t("waiting.arbiter", { player: live.arbiter })),
    ),
    page.game && page.state.options.length > 0 && houseRules(page.state.options, live),
  ];
}

const agreed = (name, words) => el("li", { data: { agreed: name } }, words);

/** A link for friends, and another for somebody by name. */
const inviting = (table, seat) =>
  el(
    "div",
    { class: "actions inviting" },
    button(t("game.invite"), () => share(seatAddress(table, seat)), { class: "primary", data: { invite: "link" } }),
    button(t("waiting.by_name"), () => byName(table), { class: "quiet", data: { invite: "name" } }),
  );

/** Few invite by name: what does is loaded when somebody wants it. */
const byName = async (table) => (await import("../people/index.js")).invite(table).catch(showProblem);

/** The house rules that differ from the usual ones; the others are folded. */
function houseRules(options, { options: agreedOn, seats }) {
  const inForce = { ...agreedOn, players: seats.length };
  const told = options.filter(({ name }) => name in inForce);
  const list = (rows) =>
    el("ul", {}, ...rows.map(({ name }) => item(pair(optionWords(name), valueWords(name, inForce[name])))));
  const own = told.filter((option) => isUnusual(option, inForce));
  const usual = told.filter((option) => !own.includes(option));
  return el(
    "section",
    { data: { rules: "" } },
    ...(own.length ? [el("h3", {}, t("options.title")), list(own)] : []),
    el(
      "details",
      { data: { key: "options" } },
      el("summary", {}, t(own.length ? "waiting.others" : "waiting.usual")),
      list(usual),
    ),
  );
}

const isSeated = ({ seats }) => account && seats.some(({ player }) => player === account.player);
const belongs = (live) => isSeated(live) || live.opened_by === account?.player;

function seatRow(page, seat) {
  const words = isFree(seat) ? t(seat.kept_for ? "waiting.kept" : "waiting.free") : seatName(seat);
  const name = el("strong", {}, t("waiting.seat", { number: seat.seat, name: words }));
  const own = account && seat.player === account.player && el("span", { class: "badge" }, t("seat.you"));
  return el("li", { class: isFree(seat) ? "free" : null }, portrait(seat, seat.seat), name, own, ...doable(page, seat));
}

function doable(page, seat) {
  const { live } = page.state;
  if (page.state.at || live.status !== "open") return [];
  if (account && seat.player === account.player)
    return [button(t("waiting.leave"), () => page.act.seatDo("delete", seat.seat))];
  if (!isFree(seat)) return [];
  const sit = button(t("waiting.sit"), () => sitDown(page, seat.seat), { class: "primary", data: { sit: seat.seat } });
  const ai = button(t("waiting.ai"), () => page.act.seatDo("post", seat.seat, { kind: "ai", level: "greedy" }));
  return [!isSeated(live) && sit, account && live.opened_by === account.player && ai].filter(Boolean);
}

/** Takes a seat at once under the name that one has, or asks for one. */
function sitDown(page, seat) {
  if (account) return page.act.sit(seat, account.name);
  return inviteTo(capital(t(`title.${page.state.live.game}`)), (name) => page.act.sit(seat, name));
}

/** Offers a visitor with a link its seat, or another one if that is taken. */
export function greet(page, seat) {
  const { live } = page.state;
  if (isSeated(live)) return;
  const isOpen = (each) => isFree(each) && [null, account?.player].includes(each.kept_for ?? null);
  const free = live.status === "open" ? live.seats.filter(isOpen) : [];
  const { seat: found } = free.find((each) => each.seat === seat) ?? free[0] ?? {};
  if (!found) announce(t("invitation.taken"));
  else inviteTo(capital(t(`title.${live.game}`)), (name) => page.act.sit(found, name));
}

/** The dialog of an invitation to a game, for somebody who has no name here yet; `sit(name)` is called when it is taken. */
function inviteTo(title, sit) {
  const readonly = account !== null;
  const name = nameInput(account?.name ?? "", { placeholder: t("account.guest"), readonly, autofocus: true });
  const take = () => {
    box.close();
    sit(name.node.value.trim());
  };
  const box = dialog(
    t("invitation.title", { title }),
    asking(
      [field(t("opening.name"), name), el("p", { class: "hint" }, t("invitation.hint"))],
      button(t("invitation.look"), () => box.close()),
      button(t("waiting.sit"), take, { type: "submit", class: "primary", data: { invited: "" } }),
    ),
  );
}
