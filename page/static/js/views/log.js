// What happened, the newest first: a block a turn, a sentence each that leads to its moment. Draws are folded. In the
// past it ends with the moment that is looked at.

import { button, el } from "../dom.js";
import { t } from "../i18n.js";
import { addressOf } from "../router.js";
import { groupsOf, isQuiet, undoing } from "../state/log.js";
import { versionOf } from "../state/table.js";
import { logLine } from "./log-line.js";
import { undoneBadge } from "./timeline.js";

const SHOWN = 120;

export function eventList(page) {
  const { state, act } = page;
  const { rows, first } = state.log;
  const near = rows.filter(({ type, version }) => version <= versionOf(state) && type !== "SeatTaken").slice(-SHOWN);
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
  const suit = seat && page.game.suits(page.state.live)(seat);
  const told = rows.filter((event) => !isQuiet(event)).reverse();
  return el(
    "li",
    { class: `event-group${seat ? ` suit-${suit}` : ""}`, data: { key, group: key } },
    el("ol", { reversed: true }, ...told.map((event) => item(page, event)), quiet(page, rows.filter(isQuiet))),
  );
}

/** The draws and shuffles of a turn: their number, and on request each. */
function quiet(page, rows) {
  if (!rows.length) return null;
  return el(
    "li",
    { class: "event-fold", data: { key: `fold-${rows[0].version}` } },
    el(
      "details",
      { data: { key: `fold-${rows[0].version}` }, open: rows.some(({ version }) => version === page.state.at) },
      el("summary", {}, t("log.quiet", { n: rows.length })),
      el("ol", { reversed: true }, ...[...rows].reverse().map((event) => item(page, event))),
    ),
  );
}

function item(page, event) {
  const { state } = page;
  const { version } = event;
  const now = version === versionOf(state);
  const undone = undoing(state.log, version);
  const sentence = el(
    "a",
    {
      href: addressOf(state.id, version, state.seat),
      "aria-current": now ? "true" : null,
      data: { key: `event-${version}` },
    },
    ...logLine(page, event).flat(),
  );
  const name = `event${undone ? " undone" : ""}${now ? " now" : ""}`;
  return el("li", { class: name, data: { key: `item-${version}` } }, sentence, " ", undoneBadge(state, version));
}
