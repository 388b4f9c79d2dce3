// The help of whatever bears `data-help="game/piece"`: by pointer, by focus, by holding. Escape takes it away.

import { el, made } from "./dom.js";
import { icon } from "./glyphs.js";
import { helpFor, loadHelp } from "./help.js";
import { t } from "./i18n.js";

const POINTED_MS = 400;
const HELD_MS = 500;
const NEAR_PX = 10;
const GAP_PX = 8;

const state = { pressed: null, bubble: null, target: null, timer: null, held: false, from: null };

/** Watches the whole page; called once. */
export function watchHelp() {
  const listen = (name, listener, options) => document.addEventListener(name, listener, options);
  listen("pointerover", (event) => event.pointerType !== "touch" && wait(bearer(event.target), POINTED_MS));
  listen("focusin", (event) => event.target.matches(":focus-visible") && wait(bearer(event.target), POINTED_MS));
  listen("focusout", hide);
  listen("keydown", (event) => event.key === "Escape" && hide());
  listen("pointerdown", press);
  listen("pointermove", (event) => state.from && far(event) && release());
  listen("pointerup", release);
  listen("pointercancel", release);
  listen("contextmenu", (event) => state.held && event.preventDefault());
  listen("click", swallow, true);
  addEventListener("scroll", hide, true);
}

const bearer = (node) => (node instanceof Element ? node.closest("[data-help]") : null);

/** What is pointed at or focused; the bubble itself may be pointed at too, so that it can be read at leisure, but not at a table. */
function wait(target, ms) {
  clearTimeout(state.timer);
  if (target === state.target || (!target && state.bubble?.matches(":hover"))) return;
  hide();
  const pressed = target?.dataset.help === state.pressed; // whoever plays a piece goes on: it is drawn anew below the pointer
  if (!pressed) state.pressed = null;
  if (target && !pressed) state.timer = setTimeout(() => show(target), ms);
}

function press(event) {
  state.held = false;
  state.pressed = bearer(event.target)?.dataset.help ?? null;
  if (event.pointerType !== "touch") return hide();
  const target = bearer(event.target);
  hide();
  if (!target) return;
  state.from = event;
  state.timer = setTimeout(() => {
    state.held = true;
    show(target);
  }, HELD_MS);
}

const far = (event) => Math.hypot(event.clientX - state.from.clientX, event.clientY - state.from.clientY) > NEAR_PX;

function release() {
  state.from = null;
  if (!state.held) clearTimeout(state.timer);
}

/** Who held a piece wanted to read, not to play it. */
function swallow(event) {
  if (!state.held) return;
  state.held = false;
  event.preventDefault();
  event.stopPropagation();
}

function hide() {
  clearTimeout(state.timer);
  state.target?.removeAttribute("aria-describedby");
  state.bubble?.remove();
  state.bubble = state.target = null;
}

async function show(target) {
  const [game, piece] = target.dataset.help.split("/");
  await loadHelp(game);
  const help = helpFor(game, piece);
  if (!help || !target.isConnected) return;
  hide();
  state.target = target;
  const props = {
    class: target.closest(".table-page") ? "help-bubble through" : "help-bubble",
    role: "tooltip",
    id: "help-bubble",
    popover: "manual",
  };
  state.bubble = made(el("div", props, helpWords(game, help), ofThisOne(target)));
  (target.closest("dialog, main") ?? document.body).append(state.bubble); // within a landmark, as all content is
  state.bubble.showPopover?.();
  place(state.bubble, target.getBoundingClientRect());
  target.setAttribute("aria-describedby", state.bubble.id);
}

/** What a picture tells of itself, besides what holds for all of its kind. */
function ofThisOne(target) {
  const told = target.role === "img" && target.ariaLabel;
  return told && el("p", { class: "help-told" }, told);
}

/** The name of a piece, what it does and whom it beats. */
export function helpWords(game, help) {
  const beaten = (help.beats ?? []).map((kind) => el("li", {}, icon(kind), " ", helpFor(game, kind)?.name ?? kind));
  const beats = beaten.length ? [el("p", { class: "help-beats" }, t("help.beats")), el("ul", {}, ...beaten)] : [];
  return [el("strong", {}, help.name), el("p", {}, help.text), ...beats];
}

/** Above the piece where there is room, else below; never out of sight. */
function place(bubble, at) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(Math.max(GAP_PX, at.left + (at.width - width) / 2), innerWidth - width - GAP_PX);
  const above = at.top - height - GAP_PX;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above > GAP_PX ? above : Math.min(at.bottom + GAP_PX, innerHeight - height - GAP_PX)}px`;
}
