// The timeline of a table: a slider over all that happened, rulings marked, and playing it like a film. It is in sight
// as soon as somebody looks back, by a key or the button of the bar, and when the game is over.

import { announce, button, el, svg } from "../dom.js";
import { icon } from "../glyphs.js";
import { t } from "../i18n.js";
import { addressOf } from "../router.js";
import { eventAt, undoing } from "../state/log.js";
import { composing, isOver, versionOf } from "../state/table.js";
import { keyTarget, marks } from "../state/timeline.js";
import { logLine, logLineText } from "./log-line.js";

export function timeline(page) {
  const { state, act } = page;
  if (!state.at && !isOver(state) && !state.live.transcribed) return null;
  const version = versionOf(state);
  const last = state.at ? state.live.version : version;
  const event = eventAt(state.log, version);
  const slider = el("input", {
    type: "range",
    min: 1,
    max: last,
    value: version,
    step: 1,
    "aria-label": t("time.slider"),
    "aria-valuetext": event ? logLineText(page, event) : `${version} / ${last}`,
    on: { input: ({ target }) => goTo(page, Number(target.value)) },
    data: { key: "slider" },
  });
  return el(
    "section",
    {
      class: `timeline${state.at ? " past" : ""}`,
      "aria-label": t("time"),
      on: { pointerenter: act.study, focusin: act.study },
    },
    el(
      "div",
      { class: "steps" },
      step(page, "first", 1, version <= 1),
      step(page, "back", version - 1, version <= 1),
      film(page),
      step(page, "next", version + 1, version >= last),
      step(page, "last", last, version >= last),
    ),
    el("div", { class: "track" }, markings(state, last), slider),
    el("p", { class: "version" }, `${version} / ${last}`),
    state.at && moment(page, version, event),
  );
}

function moment(page, version, event) {
  const told = event ? logLine(page, event).flat() : [];
  return el("p", { class: "moment" }, ...told, " ", undoneBadge(page.state, version), " ", verdictLink(page, version));
}

/** What an analysis found of the decision that led to a version: leads to it. */
function verdictLink({ state }, version) {
  const found = state.verdicts.find((each) => each.version === version);
  return found ? el("a", { class: "verdict-link", href: found.address }, found.badge()) : null;
}

const pressed = (name, picture, go, disabled = false) =>
  button(icon(picture), go, {
    class: "step",
    "aria-label": t(`time.${name}`),
    title: t(`time.${name}`),
    disabled,
    data: { key: `time-${name}` },
  });

const step = (page, name, to, off) => pressed(name, `step-${name}`, () => goTo(page, to), off);

const film = ({ state, act }) =>
  pressed(state.filming ? "pause" : "play", state.filming ? "step-pause" : "step-film", act.film);

/** Where a running game is looked back at from: a step before what happened last. */
export function lookBack(page) {
  const { state } = page;
  if (!state.shown?.view || state.at || isOver(state) || state.live.transcribed) return null;
  const props = { disabled: state.live.version < 2, data: { key: "look-back-in-time" } };
  return inBar("step-back", t("time.look_back"), () => goTo(page, state.live.version - 1), props);
}

/** A button of the bar: a picture, and its words where there is room. */
export const inBar = (picture, words, does, props) =>
  button([icon(picture), el("span", {}, words)], does, {
    class: "quiet look-back",
    "aria-label": words,
    title: words,
    ...props,
  });

/** From the past to the table as it stands. */
export function backToNow({ act }) {
  const back = () => (act.pause(), act.travel(null));
  return button(t("time.live"), back, { class: "primary", data: { key: "live" } });
}

function markings({ log, verdicts }, last) {
  const rows = log.rows.filter(({ version }) => version <= last);
  const found = marks(rows, last, verdicts);
  const mark = (name, props) => svg("rect", { class: name, y: 0, height: 10, ...props });
  const lost = ({ x, verdict, height }) =>
    mark(`verdict-mark verdict-mark-${verdict}`, { x, y: 10 - height, width: 4, height });
  return svg(
    "svg",
    { viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "marks", "aria-hidden": "true" },
    ...found.undone.map(({ x, width }) => mark("undone-mark", { x, width })),
    ...found.rulings.map(({ x, type }) => mark(`ruling-mark ruling-${type}`, { x, width: 2.5 })),
    ...found.verdicts.map(lost),
  );
}

/** Goes to a version, and tells those who hear the page what happened there. */
export async function goTo(page, version) {
  page.act.weigh();
  await page.act.travel(version);
  const event = eventAt(page.state.log, versionOf(page.state));
  announce(event ? logLineText(page, event) : "");
}

/** What was taken back stays readable, and leads to where that happened. */
export function undoneBadge({ log, id, seat }, version) {
  const by = undoing(log, version);
  return by && el("a", { class: "badge undone", href: addressOf(id, by.version, seat) }, t("time.undone"));
}

/**
 * Keys anywhere on the page, unless something that is focused needs them itself: to versions, to the film, and one step back
 * in what is chosen.
 */
export function onKey(page, event) {
  const busy = event.target.closest?.("input, select, textarea, dialog, [role=tab], .scroller");
  const onTrack = event.target.closest?.(".track");
  if (!page.state.shown || event.ctrlKey || event.metaKey || event.altKey || (busy && !onTrack)) return;
  if (event.key === "Escape" && composing(page.state)?.before) return page.act.undo();
  const onButton = event.target.closest?.("button, a, summary") != null;
  const target = keyTarget(event.key, versionOf(page.state), page.state.live.version, { onButton });
  const resting = target === "film" && !page.state.at && !isOver(page.state); // nobody starts a film by accident while playing
  if (target === undefined || resting) return;
  event.preventDefault();
  if (target === "film") page.act.film();
  else goTo(page, target);
}
