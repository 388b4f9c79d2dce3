// What happened, a sentence an event, the newest first; each leads to its moment.

import { button, el } from "../dom.js";
import { t } from "../i18n.js";
import { addressOf } from "../router.js";
import { isRuling, undoing } from "../state/log.js";
import { versionOf } from "../state/table.js";
import { undoneBadge } from "./timeline.js";

const SHOWN = 120;
const AHEAD = 5; // of the past, the events just behind the moment stand above it

export function eventList({ state, act }) {
  const { rows, first } = state.log;
  const near = state.at ? rows.filter((event) => event.version <= state.at + AHEAD) : rows;
  const items = near
    .slice(-SHOWN)
    .reverse()
    .map((event) => item(state, event));
  const earlier = first ? button(t("log.earlier"), act.whole, { data: { key: "earlier" } }) : null;
  const props = {
    class: "event-list scroller",
    reversed: true,
    tabindex: "0",
    "aria-label": t("panel.events"),
    data: { scroll: "log", key: "log" },
  };
  return [el("ol", props, ...items), earlier];
}

function item(state, event) {
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
  return el("li", { class: name }, number, el("span", {}, event.words, " ", undoneBadge(state, event.version)));
}
