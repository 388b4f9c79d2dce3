// The tray below the table, always in sight: what I have to do, my own cards, what they may be for, and in its last line
// why. When it is not my turn it says whose it is and what happened last.

import { button, el } from "../dom.js";
import { capital, hasWords, t } from "../i18n.js";
import { nameAt, namesOf } from "../piece-names.js";
import { bare, formInUse, next, swapped } from "../state/composer.js";
import * as composer from "../state/composer.js";
import { hasMoved } from "../state/log.js";
import { composing, isAtEnd, isOver } from "../state/table.js";
import { ending, won } from "./game-end.js";
import { logLine } from "./log-line.js";
import { caption, skipButton } from "./catch-up.js";
import { backToNow } from "./timeline.js";

/** The tray; `own` are the cards of one's own that the game draws. */
export function tray(page, tools, own) {
  const { state } = page;
  const composition = composing(state);
  const mine = composition !== null;
  const words = mine ? [el("h2", {}, promptOf(page, composition)), undo(page, composition)] : waiting(page);
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

/** The line below the tray: why a click did nothing, what it has replaced, or why something is asked. */
export function lineOf(page) {
  const { state } = page;
  const composition = composing(state);
  if (!composition) return null;
  if (state.refusal) return el("p", { class: "refused", role: "alert" }, state.refusal);
  const swap = swapOf(page, composition);
  return swap ? el("p", { class: "swap", role: "status" }, swap) : el("p", {}, reasonOf(page, composition));
}

/** Whom the table waits for, and what happened last. */
function waiting(page) {
  const { state } = page;
  if (state.sending || state.laid) return sending(page);
  if (state.catchUp?.frame) return caption(page);
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
  if (state.catchUp) return [skipButton(page)];
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
  const byWords = form ? form.fields.filter((field) => !offered(composition, form, tools, field)) : [];
  return [
    kinds(page, composition),
    ...byWords.map((field) => choices(page, composition, form, field)),
    verb(page, composition, form),
  ];
}

function kinds({ act }, composition) {
  const buttons = composer
    .kinds(composition)
    .map(({ type }) =>
      button(capital(t(`move.${type}`)), () => act.choose(type), { class: "kind", data: { key: `kind-${type}` } }),
    );
  return buttons.length > 0 && el("div", { class: "kinds", role: "group", "aria-label": t("moves.kind") }, ...buttons);
}

/** Whether the drawing offers every value of the field that may still be picked. */
function offered(composition, form, tools, field) {
  const open = composer.values(form, field).filter((value) => composer.status(composition, [field], value) === "can");
  return form.how === "placement" || open.every((value) => tools.offers(form, field, value));
}

function choices({ state, act, game }, composition, form, field) {
  const known = (value) =>
    composer.picks(composition, [field], value) || composer.status(composition, [field], value) !== "cannot";
  const values = composer.values(form, field).filter(known);
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

const undo = ({ act }, { before }) =>
  before && button(t("move.undo"), act.undo, { class: "undo quiet", title: t("move.undo_key"), data: { key: "undo" } });

/** Where the move does not go with its last part: the verb that sends it. */
function verb({ act }, composition, form) {
  const move = composer.ready(composition);
  if (!form || !(form.weighed || move)) return null;
  const words = t(`${hasWords(`send.${form.type}`) ? "send" : "move"}.${form.type}`);
  return button(capital(words), () => act.play(move), {
    class: "primary",
    disabled: move === null,
    data: { key: "confirm", confirm: "" },
  });
}

/** The prompt of a decision, as a friend would say it: "Lay a card on a ground", "On which ground?", or the choice among kinds of move, with the actions that are left. */
function promptOf({ state }, composition) {
  const { actions } = state.shown.view;
  const form = formInUse(composition);
  const begun = composition.picks.length > 0;
  if (!form && begun) return t("prompt.kind_for");
  if (!form) return actions ? t("prompt.actions", { n: actions }) : t("prompt.kind");
  const part = begun && next(composition);
  if (part && hasWords(`next.${part.field}`)) return t(`next.${part.field}`, { n: part.need });
  return capital(
    t(`${hasWords(`prompt.${form.type}`) ? "prompt" : "move"}.${form.type}`, {
      n: form.choose ?? next(composition)?.need ?? 1,
    }),
  );
}

/** "Chief instead of hunter 3": what the last pick took the place of, or null. */
function swapOf({ state: { shown }, game }, composition) {
  const picks = swapped(composition);
  if (!picks) return null;
  const [taken, left] = picks.map(({ value }) => value);
  if (taken.card && taken.card === left.card) return capital(game.nameOf(shown, "keep", taken)); // another warrior leaves
  const [card, other] = picks.map(({ fields: [field], value }) =>
    value.card ? game.nameOf(shown, "card", value.card) : game.nameOf(shown, bare(field), value),
  );
  return capital(t("instead", { card, other }));
}

/** Why: what the table is about to do, and who else decides. */
function reasonOf({ state }, composition) {
  const { live } = state;
  const form = formInUse(composition);
  const others = live.decisions.map(({ seat }) => seat).filter((seat) => seat !== live.seat);
  const { dealer } = live.view;
  const values = { dealer: dealer ? nameOf(live, dealer) : "", hunt: live.view.hunt };
  const key = form ? `why.${form.type}` : "why.kind";
  const why = hasWords(key) ? t(key, values) : "";
  return others.length ? `${why} ${t("moves.also", { names: namesOf(live, others) })}` : why;
}

const nameOf = (live, seat) => (seat === live.seat ? t("seat.you") : nameAt(live, seat));
