// What happened, a sentence an event, the newest first; each leads to its moment.

import { isRuling } from "./chronicle.js";
import { button, el } from "./dom.js";
import { t } from "./i18n.js";
import { addressOf } from "./router.js";
import { undone } from "./timeline.js";

const SHOWN = 120;
const AHEAD = 5; // of the past, the events just behind the moment stand above it

export function eventList(page) {
  const { rows, first } = page.chronicle;
  const near = page.at ? rows.filter((event) => event.version <= page.at + AHEAD) : rows;
  const items = near.slice(-SHOWN).reverse().map((event) => {
    const now = event.version === page.version;
    const number = el("a", { href: addressOf(page.id, event.version, page.seat), class: "event-number", "aria-current": now ? "true" : null, data: { key: `event-${event.version}` } }, String(event.version));
    return el("li", { class: `event${isRuling(event) ? " ruling" : ""}${page.chronicle.undoing(event.version) ? " undone" : ""}${now ? " now" : ""}` }, number, el("span", {}, event.words || event.type, " ", undone(page, event.version)));
  });
  const earlier = first ? button(t("log.earlier"), async () => (await page.chronicle.whole(), page.draw()), { data: { key: "earlier" } }) : null;
  return [el("ol", { class: "event-list scroller", reversed: true, tabindex: "0", "aria-label": t("panel.events"), data: { scroll: "log", key: "log" } }, ...items), earlier];
}
