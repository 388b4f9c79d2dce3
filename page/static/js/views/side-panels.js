// Beside the table: what happened, the rulings, the figures; one of them at a time.

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { disputeList } from "./disputes.js";
import { eventList } from "./log.js";
import { plot } from "./score-graph.js";
import { rulings } from "./rulings.js";

const CONTENTS = { events: eventList, rulings, figures: plot, disputes: disputeList };

/** The names of the panels; disputes only where the table has them. */
const namesOf = ({ live }) => Object.keys(CONTENTS).filter((name) => name !== "disputes" || live.disputes);

export function panels(page) {
  const { panel } = page.state;
  const tabs = namesOf(page.state).map((name) => tab(page, name));
  const body = el(
    "div",
    { class: `panel panel-${panel}`, role: "tabpanel", id: "panel", "aria-labelledby": `tab-${panel}` },
    CONTENTS[panel](page),
  );
  return el(
    "section",
    { class: "panels", "aria-label": t("panels") },
    el("div", { class: "tabs", role: "tablist", "aria-label": t("panels") }, ...tabs),
    body,
  );
}

function tab(page, name) {
  const chosen = name === page.state.panel;
  const props = {
    role: "tab",
    id: `tab-${name}`,
    "aria-selected": String(chosen),
    "aria-controls": "panel",
    tabindex: chosen ? "0" : "-1",
  };
  const on = { click: () => show(page, name), keydown: (event) => key(page, event, name) };
  return el("button", { type: "button", ...props, data: { key: `tab-${name}` }, on }, t(`panel.${name}`));
}

function show({ act }, name) {
  act.turn(name);
  if (name === "figures") act.readFigures();
  if (name !== "events") act.whole();
}

function key(page, event, name) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const names = namesOf(page.state);
  const next = names.at((names.indexOf(name) + step) % names.length);
  show(page, next);
  queueMicrotask(() => document.getElementById(`tab-${next}`)?.focus());
}
