// What happened, the newest first: a group a move, a sentence an event, each leading to its moment. Draws are folded.

import { button, el } from "../dom.js";
import { t } from "../i18n.js";
import { seatName } from "../names.js";
import { portrait } from "../portraits.js";
import { addressOf } from "../router.js";
import { folded, groupsOf } from "../state/groups.js";
import { isRuling, undoing } from "../state/log.js";
import { versionOf } from "../state/table.js";
import { logLine } from "./log-line.js";
import { undoneBadge } from "./timeline.js";

const SHOWN = 120;
const AHEAD = 5; // of the past, the events just behind the moment stand above it

export function eventList(page) {
  const { state, act } = page;
  const { rows, first } = state.log;
  const until = state.at ? state.at + AHEAD : state.playout ? state.shown.version : Infinity;
  const near = rows.filter((event) => event.version <= until).slice(-SHOWN);
  const groups = groupsOf(near).map((group) => groupOf(page, group));
  const earlier = first ? button(t("log.earlier"), act.whole, { data: { key: "earlier" } }) : null;
  const props = {
    class: "event-list scroller",
    tabindex: "0",
    "aria-label": t("panel.events"),
    data: { key: "log" },
  };
  return [el("ol", props, ...groups.reverse()), earlier];
}

function groupOf(page, { key, seat, rows }) {
  const { live } = page.state;
  const suit = seat && page.game.suits(live)(seat);
  const sitting = live.seats[seat - 1];
  const name = seat ? [portrait(sitting, suit), seatName(sitting)] : [t("log.table")];
  const items = folded(rows).reverse();
  return el(
    "li",
    { class: `event-group${seat ? ` suit-${suit}` : ""}`, data: { key, group: key } },
    el("p", { class: "event-by" }, ...name),
    el("ol", { reversed: true }, ...items.map((each) => (Array.isArray(each) ? quiet(page, each) : item(page, each)))),
  );
}

/** Draws and shuffles in a row: their number, and on request each. */
function quiet(page, rows) {
  const inside = rows.some((event) => event.version === versionOf(page.state)) && page.state.at;
  return el(
    "li",
    { class: "event-fold", data: { key: `fold-${rows[0].version}` } },
    el(
      "details",
      { data: { key: `fold-${rows[0].version}` }, open: Boolean(inside) },
      el("summary", {}, t("log.quiet", { n: rows.length })),
      el("ol", { reversed: true }, ...[...rows].reverse().map((event) => item(page, event))),
    ),
  );
}

function item(page, event) {
  const { state } = page;
  const now = event.version === versionOf(state);
  const undone = undoing(state.log, event.version);
  const number = el(
    "a",
    {
      href: addressOf(state.id, event.version, state.seat),
      class: "event-number",
      "aria-current": now ? "true" : null,
      data: { key: `event-${event.version}` },
    },
    String(event.version),
  );
  const name = `event${isRuling(event) ? " ruling" : ""}${undone ? " undone" : ""}${now ? " now" : ""}`;
  const words = el("span", {}, ...logLine(page, event).flat(), " ", undoneBadge(state, event.version));
  return el("li", { class: name, data: { key: `item-${event.version}` } }, number, words);
}
