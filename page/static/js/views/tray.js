// The tray below the table, always in sight: what I have to do and why, my own cards, the parts of the move, Confirm.
// When it is not my turn it says whose it is and what happened last.

import { button, el } from "../dom.js";
import { capital, t } from "../i18n.js";
import { namesOf } from "../names.js";
import * as composer from "../state/composer.js";
import { hasMoved } from "../state/log.js";
import { composing, isAtEnd, isOver } from "../state/table.js";
import { ending } from "./ending.js";
import { won } from "./finale.js";
import { logLine } from "./log-line.js";
import { caption, skipButton } from "./playout.js";
import { missing, promptOf, reasonOf } from "./prompts.js";
import { backToNow } from "./timeline.js";

/** The tray; `own` are the cards of one's own that the game draws. */
export function tray(page, tools, own) {
  const { state } = page;
  const composition = composing(state);
  const mine = composition !== null;
  const words = mine ? deciding(page, composition) : waiting(page);
  const controls = mine ? composeControls(page, tools, composition) : waitControls(page);
  return el(
    "section",
    {
      class: `moves${mine ? " mine" : ""}`,
      "aria-label": t("moves"),
      data: { decision: composition?.decision.id },
    },
    el("div", { class: "prompt" }, ...words.filter(Boolean)),
    own && el("div", { class: "own-cards" }, own),
    el("div", { class: "controls" }, ...controls.filter(Boolean)),
  );
}

function deciding(page, composition) {
  const reason = reasonOf(page, composition);
  return [el("h2", {}, promptOf(page, composition)), reason && el("p", { class: "hint why" }, reason)];
}

/** Whom the table waits for, and what happened last. */
function waiting(page) {
  const { state } = page;
  if (state.sending || state.laid) return sending(page);
  if (state.playout?.frame) return caption(page);
  const over = isAtEnd(state);
  const last =
    state.at || over || state.live.paused
      ? null
      : state.log.rows.findLast(({ version }) => version <= state.shown.version);
  return [
    el("p", { class: "waiting-for" }, over ? won(state.live) : waitingFor(state)),
    last && el("p", { class: "last-word" }, ...logLine(page, last).flat()),
  ];
}

function waitingFor({ at, live, shown }) {
  if (at) return t("moves.past");
  if (live.transcribed) return t("transcribed.ends");
  if (live.paused) return t("moves.paused");
  const seats = shown.decisions.map(({ seat }) => seat);
  return seats.length ? t("moves.waiting", { names: namesOf(live, seats) }) : t("moves.nobody");
}

/** A move on its way; when it got lost it is kept, and offered to be sent again. */
function sending({ state }) {
  if (!state.sending?.lost) return [el("p", { class: "waiting-for" }, t("moves.sending"))];
  return [
    el("p", { class: "waiting-for lost", role: "alert" }, t("moves.lost")),
    el("p", { class: "hint" }, t("moves.lost_why")),
  ];
}

function waitControls(page) {
  const { state, act } = page;
  if (state.sending?.lost) {
    return [
      button(t("moves.forget"), act.forget, { class: "quiet", data: { key: "forget" } }),
      button(t("moves.resend"), act.resend, { class: "primary", data: { key: "resend" } }),
    ];
  }
  if (state.at) return [backToNow(page)];
  if (state.playout) return [skipButton(page)];
  return [isAtEnd(state) ? ending(page) : null, takeback(page)];
}

/** The button that asks to take one's last move back, where there is a move of one's own. */
function takeback({ state, act }) {
  const { live, at, seat, log } = state;
  if (!live.seat || !hasMoved(log, live.seat) || isOver(state) || at || seat || live.paused || live.offer) return null;
  const ask = () => act.contest("offers", { kind: "takeback", seat: live.seat });
  return button(t("takeback.ask"), ask, { class: "quiet", data: { key: "takeback" } });
}

function composeControls(page, tools, composition) {
  const form = composer.formInUse(composition);
  return [
    composition.forms.length > 1 && kinds(page, composition),
    form && slots(page, composition),
    ...(form ? form.fields.filter((field) => !offered(composition, form, tools, field)) : []).map((field) =>
      choices(page, composition, form, field),
    ),
    confirmation(page, composition),
  ];
}

function kinds({ act }, composition) {
  const form = composer.formInUse(composition);
  const buttons = composer.kinds(composition).map((kind) =>
    button(capital(t(`move.${kind.type}`)), () => act.choose(kind.type), {
      class: "kind",
      "aria-pressed": String(kind === form),
      data: { key: `kind-${kind.type}` },
    }),
  );
  return el("div", { class: "kinds", role: "group", "aria-label": t("moves.kind") }, ...buttons);
}

/** The parts of a move, each with what is picked for it; a click empties it and aims the next pick at it. */
function slots(page, composition) {
  const found = composer.slots(composition);
  if (composer.formInUse(composition).how !== "listed" || !found.length) return null;
  return el(
    "div",
    { class: "slots", role: "group", "aria-label": t("moves.slots") },
    ...found.map((slot) => slotOf(page, slot)),
  );
}

function slotOf({ state, act, game }, { field, values, implied, active }) {
  const named = values.map((value) => game.nameOf(state.shown, field, value)).join(", ");
  const label = t(`field.${field}`);
  return button(
    [el("span", { class: "fact-label" }, label), " ", el("strong", {}, named || "…")],
    () => act.aim(field),
    {
      class: `slot${active ? " active" : ""}${implied ? " implied" : ""}`,
      title: t("moves.change", { field: label }),
      data: { key: `slot-${field}`, slot: field },
    },
  );
}

/** Whether the drawing offers every value of the field that may still be picked. */
function offered(composition, form, tools, field) {
  const open = composer.values(form, field).filter((value) => composer.status(composition, [field], value) === "can");
  return form.how !== "listed" || open.every((value) => tools.offers(form, field, value));
}

function choices({ state, act, game }, composition, form, field) {
  const known = (value) =>
    composer.picks(composition, [field], value) || composer.status(composition, [field], value) !== "cannot";
  const values = composer.values(form, field).filter(known);
  if (values.length < 2) return null; // what is filled in stands among the parts of the move
  const buttons = values.map((value) => {
    const picked = composer.picks(composition, [field], value) > 0;
    const name = game.nameOf(state.shown, field, value);
    return button(name, () => act[picked ? "unpick" : "pick"]([field], value), {
      class: "choice",
      "aria-pressed": String(picked),
      data: { key: `choice-${field}-${JSON.stringify(value)}` },
    });
  });
  const label = t(`field.${field}`);
  return el(
    "div",
    { class: "choices", role: "group", "aria-label": label },
    el("span", { class: "fact-label" }, label),
    ...buttons,
  );
}

/** Start over, Confirm, and beside a Confirm that is disabled what is missing. */
function confirmation({ act }, composition) {
  const move = composer.ready(composition);
  const lacking = move ? null : missing(composition);
  const confirm = button(t("move.confirm"), () => act.play(move), {
    class: "primary",
    disabled: move === null,
    title: lacking,
    "aria-describedby": lacking ? "missing" : null,
    data: { key: "confirm", confirm: "" },
  });
  return el(
    "div",
    { class: "actions" },
    lacking && el("span", { class: "missing", id: "missing", role: "status" }, lacking),
    composer.begun(composition) && button(t("move.clear"), act.clear, { class: "quiet", data: { key: "clear" } }),
    confirm,
  );
}
