// What hangs over the page: the help of whatever bears `data-help="game/piece"`, and menus. Help comes by pointer, by focus,
// by touch; at a table it is a line of the tray, elsewhere a bubble, for which one waits. Escape takes both away.

import { el, made, redraw } from "./dom.js";
import { helpFor, loadHelp } from "./help-words.js";

const POINTED_MS = 400;
const HELD_MS = 500;
const NEAR_PX = 10;
const GAP_PX = 8;
const MENUS = "details:is(.menu, .seat-more)[open]";

const state = { bubble: null, target: null, timer: null, held: false, touched: false, from: null };

/** Watches the whole page for what has help; called once. */
export function watchHelp() {
  const listen = (name, listener, options) => document.addEventListener(name, listener, options);
  listen("pointerover", (event) => event.pointerType !== "touch" && wait(bearer(event.target)));
  listen("focusin", (event) => event.target.matches(":focus-visible") && wait(bearer(event.target)));
  listen("focusout", () => state.touched || hide()); // what was touched may be drawn anew
  listen("keydown", (event) => event.key === "Escape" && hide());
  listen("pointerdown", press);
  listen("pointermove", (event) => state.from && far(event) && release());
  listen("pointerup", release);
  listen("pointercancel", release);
  listen("contextmenu", (event) => state.held && event.preventDefault());
  listen("click", swallow, true);
  addEventListener("scroll", ({ target }) => target.id === "help-line" || hide(), true);
}

const bearer = (node) => (node instanceof Element ? node.closest("[data-help]") : null);

const lineFor = (target) => target?.closest(".table-page") && document.getElementById("help-line");

/** What is pointed at or focused; the bubble itself may be pointed at too, so that it can be read at leisure. */
function wait(target) {
  if (target === state.target || (!target && state.bubble?.matches(":hover"))) return;
  hide();
  if (target) state.timer = setTimeout(() => show(target), lineFor(target) ? 0 : POINTED_MS);
}

function press(event) {
  state.held = false;
  state.touched = event.pointerType === "touch";
  const target = bearer(event.target);
  if (!state.touched) return lineFor(target) || hide();
  hide();
  if (!target) return null;
  if (lineFor(target)) show(target);
  state.from = event;
  state.timer = setTimeout(() => {
    state.held = true;
    show(target);
  }, HELD_MS);
  return null;
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

/** Hides the help. */
export function hide() {
  clearTimeout(state.timer);
  clear();
}

function clear() {
  state.target?.removeAttribute("aria-describedby");
  state.bubble?.remove();
  const line = document.getElementById("help-line");
  if (line) redraw(line);
  state.bubble = state.target = null;
}

async function show(target) {
  const [game, piece] = target.dataset.help.split("/");
  const line = lineFor(target);
  await loadHelp(game);
  const help = helpFor(game, piece);
  if (!help || !(line ?? target).isConnected) return;
  clear();
  state.target = target;
  const words = [...helpWords(help), ofThisOne(target)];
  if (line) redraw(line, words);
  else float(target, words);
  target.setAttribute("aria-describedby", (line ?? state.bubble).id);
}

function float(target, words) {
  const props = { class: "help-bubble", role: "tooltip", id: "help-bubble", popover: "manual" };
  state.bubble = made(el("div", props, ...words));
  (target.closest("dialog, main") ?? document.body).append(state.bubble); // within a landmark, as all content is
  state.bubble.showPopover?.();
  place(state.bubble, target.getBoundingClientRect());
}

/** What a picture tells of itself, besides what holds for all of its kind. */
function ofThisOne(target) {
  const told = target.role === "img" && target.ariaLabel;
  return told && el("p", { class: "help-told" }, told);
}

/** The name of a piece and what it does. */
export const helpWords = (help) => [el("strong", {}, help.name), el("p", {}, help.text)];

/** Above the piece where there is room, else below; never out of sight. */
function place(bubble, at) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(Math.max(GAP_PX, at.left + (at.width - width) / 2), innerWidth - width - GAP_PX);
  const above = at.top - height - GAP_PX;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above > GAP_PX ? above : Math.min(at.bottom + GAP_PX, innerHeight - height - GAP_PX)}px`;
}

/** Lets Escape and clicks elsewhere close open menus; the focus goes back to their button. Called once. */
export function watchMenus() {
  document.addEventListener("click", ({ target }) => closeMenus((menu) => menu.contains(target)), true);
  document.addEventListener(
    "keydown",
    ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && closeMenus(),
  );
}

function closeMenus(isKept = () => false) {
  for (const menu of document.querySelectorAll(MENUS)) {
    if (isKept(menu)) continue;
    const { activeElement } = document;
    menu.open = false;
    if (activeElement.tabIndex < 0 || menu.contains(activeElement)) menu.firstElementChild.focus();
  }
}
