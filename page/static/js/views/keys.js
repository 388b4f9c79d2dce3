// The keys of a table: to its versions, to the film, and one step back in what is chosen.

import { composing, isOver, versionOf } from "../state/table.js";
import { keyTarget } from "../state/timeline.js";
import { goTo } from "./timeline.js";

/** Keys anywhere on the page, unless something that is focused needs them itself. */
export function onKey(page, event) {
  const busy = event.target.closest?.("input, select, textarea, dialog, [role=tab], .scroller");
  const onTrack = event.target.closest?.(".track");
  if (!page.state.shown || event.ctrlKey || event.metaKey || event.altKey || (busy && !onTrack)) return;
  if (event.key === "Escape" && composing(page.state)?.before) return page.act.undo();
  const onButton = event.target.closest?.("button, a, summary") != null;
  const target = keyTarget(event.key, versionOf(page.state), page.state.live.version, { onButton });
  const resting = target === "film" && !page.state.at && !isOver(page.state); // whoever plays sees no film by chance
  if (target === undefined || resting) return;
  event.preventDefault();
  if (target === "film") page.act.film();
  else goTo(page, target);
}
