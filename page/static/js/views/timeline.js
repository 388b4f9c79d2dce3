// The timeline of a table: a slider over all versions, rulings marked, and playing it like a film.

import { announce, button, el, svg } from "../dom.js";
import { icon } from "../glyphs.js";
import { t } from "../i18n.js";
import { addressOf } from "../router.js";
import { eventAt, undoing } from "../state/log.js";
import { versionOf } from "../state/table.js";
import { marks } from "../state/timeline.js";
import { logLine, logLineText } from "./log-line.js";
import { replayButton } from "./playout.js";

export function timeline(page) {
  const { state, act } = page;
  const version = versionOf(state);
  const last = state.live.version;
  const event = eventAt(state.log, version);
  const label = t("time.position", { version, last });
  const go = (to) => goTo(page, to);
  const slider = el("input", {
    type: "range",
    min: 1,
    max: last,
    value: version,
    step: 1,
    "aria-label": t("time.slider"),
    "aria-valuetext": `${label} ${event ? logLineText(page, event) : ""}`,
    on: { input: ({ target }) => go(Number(target.value)) },
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
      step("first", 1, version <= 1, go),
      step("back", version - 1, version <= 1, go),
      film(page),
      step("next", version + 1, version >= last, go),
      step("last", last, version >= last, go),
    ),
    el("div", { class: "track" }, markings(state, last), slider),
    el(
      "p",
      { class: "position" },
      replayButton(page),
      el("span", { class: "version" }, label),
      state.at ? live(page) : null,
    ),
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

const step = (name, to, off, go) =>
  button(icon(`step-${name}`), () => go(to), {
    class: "step",
    "aria-label": t(`time.${name}`),
    title: t(`time.${name}`),
    disabled: off,
    data: { key: `time-${name}` },
  });

function film({ state, act }) {
  const name = state.filming ? "pause" : "play";
  const picture = icon(state.filming ? "step-pause" : "step-film");
  return button(picture, act.film, {
    class: "step film",
    "aria-label": t(`time.${name}`),
    title: t(`time.${name}`),
    data: { key: "film" },
  });
}

function live({ act }) {
  const back = () => {
    act.pause();
    act.travel(null);
  };
  return button(t("time.live"), back, { class: "primary small", data: { key: "live" } });
}

function markings({ log, verdicts }, last) {
  const { undone, rulings, verdicts: lost } = marks(log.rows, last, verdicts);
  const spans = undone.map(({ x, width }) => svg("rect", { x, y: 0, width, height: 10, class: "undone-mark" }));
  const strokes = rulings.map(({ x, type }) =>
    svg("rect", { x, y: 0, width: 2.5, height: 10, class: `ruling-mark ruling-${type}` }),
  );
  const losses = lost.map(({ x, verdict, height }) =>
    svg("rect", { x, y: 10 - height, width: 4, height, class: `verdict-mark verdict-mark-${verdict}` }),
  );
  return svg(
    "svg",
    { viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "marks", "aria-hidden": "true" },
    ...spans,
    ...strokes,
    ...losses,
  );
}

/** Goes to a version, and tells those who hear the page what happened there. */
export async function goTo(page, version) {
  page.act.weigh();
  await page.act.travel(version);
  const event = eventAt(page.state.log, versionOf(page.state));
  announce(event ? logLineText(page, event) : "");
}

/** What was undone stays readable, and says which event undid it. */
export function undoneBadge({ log, id, seat }, version) {
  const by = undoing(log, version);
  if (!by) return null;
  return el(
    "a",
    { class: "badge undone", href: addressOf(id, by.version, seat) },
    t("time.undone", { version: by.version }),
  );
}
