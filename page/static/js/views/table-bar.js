// The bar of a table: what it is, whether it is followed live, with whose eyes it is looked at, and what can be done.

import { button, choice, el, extend, field, select, tick } from "../dom.js";
import { capital, t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { playedAddress, profileAddress, recordAddress, reviewAddress, rulesAddress } from "../router.js";
import { account, isArbiter } from "../session.js";
import { share } from "../share.js";
import { SPEEDS } from "../state/catch-up.js";
import { isOver, openDisputes } from "../state/table.js";
import { explainAll } from "./piece-help.js";
import { ways } from "./leaving.js";
import { forkButton } from "./branch.js";
import { replayButton } from "./catch-up.js";
import { soundsAtTable, volume } from "./sounds.js";
import { lookBack } from "./timeline.js";

export function head(page) {
  const { state, game } = page;
  const { live, shown, connection } = state;
  const facts = shown?.view && game ? game.facts(shown) : [];
  return el(
    "header",
    { class: "table-head" },
    el("h1", {}, capital(t(`title.${live.game}`))),
    el("p", { class: "stage" }, live.forked_from && el("span", { class: "badge" }, t("fork.badge")), ...facts),
    live.transcribed
      ? el("span", { class: "transcribed", title: t("transcribed.hint") }, t("transcribed"))
      : el(
          "span",
          { class: `connection ${connection}`, role: "status" },
          connection === "lost" && t("connection.lost"),
        ),
    el(
      "div",
      { class: "table-tools" },
      eyes(page),
      replayButton(page),
      lookBack(page),
      rulesLink(live.game),
      menu(page),
      drawerButton(page),
    ),
  );
}

const rulesLink = (game) =>
  el("a", { class: "quiet-link", href: rulesAddress(game), target: "_blank" }, t("rules.link"));

function menu(page) {
  const { id, live } = page.state;
  const record = el("a", { class: "quiet-link", href: recordAddress(id), data: { key: "record" } }, t("record"));
  const review = isOver(page.state) && !live.transcribed && live.view;
  const decisions = review && el("a", { class: "quiet-link", href: reviewAddress(id) }, t("review.link"));
  const link = button(t("share"), () => share(), { class: "quiet", data: { key: "share" } });
  const settings = [asking(page), pace(page), soundsAtTable(), volume()];
  const deeds = [whatIsWhat(page), forkButton(page), link, ...ways(page)];
  const content = el("div", { class: "menu-list" }, settings, deeds, decisions, record, elsewhere(live));
  return el("details", { class: "menu", data: { key: "menu" } }, el("summary", {}, t("menu")), content);
}

/** The ways to other pages: on a phone a table has no others. */
function elsewhere({ game, seats }) {
  const { player } = account ?? {};
  const pages = {
    lobby: "#/",
    ...(player && { "people.profile": profileAddress(player) }),
    "played.title": playedAddress({ player }),
    "lobby.leaders": playedAddress({ game, seats: seats.length }),
  };
  return Object.entries(pages).map(([key, href]) => el("a", { class: "quiet-link", href, data: { key } }, t(key)));
}

/** What lies on the table, in words: laid cards and tiles take no focus, so nobody has to pass them by keys. */
const whatIsWhat = (page) =>
  page.state.shown?.view &&
  button(t("help.all"), () => explainAll(page), { class: "quiet", data: { key: "what-is-what" } });

/** The setting that asks before a card is laid. */
function asking({ state, act }) {
  const change = (event) => act.setAsk(event.target.checked);
  return tick(t("moves.ask"), { checked: state.ask, on: { change }, data: { key: "ask" } });
}

/** How fast others' moves are played out. */
function pace({ state, act }) {
  const change = (event) => act.setSpeed(event.target.value);
  const speeds = choice("pace", Object.keys(SPEEDS), (name) => t(`catchUp.${name}`), state.speed);
  const chooser = extend(speeds, { on: { change }, data: { key: "pace" } });
  return extend(field(t("catchUp.speed"), chooser), { class: "pace" });
}

function drawerButton({ state, act }) {
  const { drawer } = state;
  return button(t(drawer ? "drawer.close" : "drawer.open"), () => act.drawer(!drawer), {
    class: "quiet drawer-button",
    "aria-expanded": String(drawer),
    "aria-controls": "drawer",
    data: { key: "drawer" },
  });
}

/** Whether I may look through seats: when the game is over, where a text tells it, or as the arbiter while a dispute is open that I decide. */
const mayLook = (state) =>
  isOver(state) ||
  state.live.transcribed ||
  (isArbiter(state.live) && state.live.disputes?.by === "arbiter" && openDisputes(state).length > 0);

/** The eyes that one may borrow. */
function eyes({ state, act }) {
  const { live, seat } = state;
  if (!live.view || !mayLook(state)) return null;
  const own = live.seat ? t("eyes.own") : t("eyes.spectator");
  const seats = live.seats.map((each) => [each.seat, nameAt(live, each.seat)]);
  const change = (event) => act.lookAs(Number(event.target.value) || null);
  const chooser = extend(select("eyes", [["", own], ...seats], seat ?? ""), { on: { change }, data: { key: "eyes" } });
  return extend(field(t("eyes"), chooser), { class: "eyes", title: isOver(state) ? null : t("eyes.told") });
}
