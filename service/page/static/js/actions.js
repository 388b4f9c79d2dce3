// What I have to do now, in words and buttons; whatever the drawing does not offer can be chosen here.

import { button, el } from "./dom.js";
import { pair, t } from "./i18n.js";
import { seatName } from "./names.js";

// Moves with a sentence of their own on how they are put together.
const HINTED = new Set(["play_card", "play_extra_card", "move_hunter", "discard_tile", "take_tiles", "choose_specials", "choose_tribe"]);

/** The panel below the table. */
export function actions(page, tools, composer) {
  const back = page.court.takebackButton();
  const content = composer ? deciding(page, tools, composer) : [el("p", { class: "waiting-for" }, waitingFor(page))];
  return el("section", { class: `moves${composer ? " mine" : ""}`, "aria-label": t("moves"), data: { decision: composer?.decision.decision } }, ...content, back);
}

/** Whom the table waits for. */
function waitingFor(page) {
  if (page.at) return t("moves.past");
  const { live } = page;
  if (page.busy) return t("plot.loading");
  if (page.over) return t("moves.over");
  if (live.paused) return t("moves.paused");
  const names = live.decisions.map((decision) => seatName(live.seats[decision.seat - 1]));
  return names.length ? t("moves.waiting", { names: names.join(", ") }) : t("moves.nobody");
}

function deciding(page, tools, composer) {
  const { form } = composer;
  return [
    el("h2", {}, t("moves.yours"), others(page)),
    composer.forms.length > 1 && el("div", { class: "kinds", role: "group", "aria-label": t("moves.kind") }, ...composer.kinds.map((kind) => kindButton(page, composer, kind))),
    form && form.fields.length > 0 && el("p", { class: "hint", role: "status" }, hint(form)),
    ...(form ? form.fields.filter((field) => !offered(form, tools, field)).map((field) => choices(page, tools, form, field)) : []),
    form && confirmation(page, composer),
  ];
}

/** During a secret choice: who else has still to choose. */
function others(page) {
  const names = page.live.decisions.filter((decision) => decision.seat !== page.live.seat).map((decision) => seatName(page.live.seats[decision.seat - 1]));
  return names.length ? el("span", { class: "hint" }, " ", t("moves.also", { names: names.join(", ") })) : null;
}

function kindButton(page, composer, kind) {
  const choose = () => {
    composer.choose(kind);
    return kind.fields.length === 0 ? page.play(kind.ready()) : page.draw();
  };
  return button(t(`move.${kind.type}`), choose, { class: "kind", "aria-pressed": String(kind === composer.form), data: { key: `kind-${kind.type}` } });
}

function hint(form) {
  const progress = form.progress();
  if (!progress) return t(HINTED.has(form.type) ? `hint.${form.type}` : "hint.other");
  const { chosen, needed } = progress;
  return chosen === needed ? t("moves.complete", { n: needed }) : t("moves.missing", { n: needed - chosen, chosen, needed });
}

/** Whether the drawing offers every value of the field that may still be picked. */
function offered(form, tools, field) {
  return form.values(field).every((value) => tools.offers(field, value) || !form.may(field, value) || (field === "pile" && form.card == null));
}

function choices(page, tools, form, field) {
  const values = form.values(field).filter((value) => form.may(field, value) || form.picks(field, value));
  if (!values.length) return null;
  const buttons = values.map((value) => {
    const picked = form.picks(field, value) > 0;
    const name = page.game.nameOf(page.shown, field, value);
    return button(name, () => tools.act([field], value, picked), { class: "choice", "aria-pressed": String(picked), data: { key: `choice-${field}-${name}` } });
  });
  const label = t(`field.${field}`);
  return el("div", { class: "choices", role: "group", "aria-label": label }, el("span", { class: "fact-label" }, label), ...buttons);
}

function confirmation(page, composer) {
  const move = composer.form.ready();
  const begun = composer.form.picked?.length || composer.form.progress()?.chosen || composer.forms.length > 1;
  const words = move ? pair(t(`move.${move.type}`), told(page, move)) : "";
  return el(
    "div",
    { class: "actions" },
    begun ? button(t("move.clear"), () => (composer.clear(), page.draw()), { class: "quiet", data: { key: "clear" } }) : null,
    move && Object.keys(move).length > 1 && el("span", { class: "told" }, words),
    button(t("move.confirm"), () => page.play(move), { class: "primary", disabled: move === null, data: { key: "confirm", confirm: "" } }),
  );
}

function told(page, { type: _, ...parts }) {
  const values = Object.entries(parts).flatMap(([field, value]) => (Array.isArray(value) ? value : [value]).map((item) => page.game.nameOf(page.shown, field, item)));
  return values.join(" · ");
}
