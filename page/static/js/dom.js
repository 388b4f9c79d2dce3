// Making elements. Everything that is shown goes through text nodes and attributes: markup is never parsed.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `on` holds listeners, `data` the data attributes; what is null or false is left out. */
export const el = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children);

/** The same for SVG. */
export const svg = (tag, props = {}, ...children) => fill(document.createElementNS(SVG, tag), props, children);

function fill(node, { on = {}, data = {}, ...attributes }, children) {
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  for (const [name, value] of Object.entries(data)) if (value != null) node.dataset[name] = value;
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false && child !== ""));
  return node;
}

/** A button that says what it does. */
export const button = (label, onClick, props = {}) =>
  el("button", { type: "button", on: { click: onClick }, ...props }, label);

// A click needs the same element under press and release, a slider its handle: what is held is drawn anew when let go.
const held = { node: null, waiting: new Map() };

function letGo() {
  held.node = null;
  setTimeout(() => held.waiting.forEach((children, container) => redraw(container, children))); // the click comes first
}

addEventListener("pointerdown", (event) => (held.node = event.target), true);
addEventListener("keydown", (event) => event.key === " " && (held.node = event.target), true);
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, letGo, true);
addEventListener("blur", letGo); // of the window
addEventListener("keyup", (event) => event.key === " " && letGo(), true);

/** Draws anew; whoever had the focus keeps it if an element with the same key is there again. */
export function redraw(container, ...children) {
  if (container.contains(held.node)) return void held.waiting.set(container, children);
  held.waiting.delete(container);
  const key = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const open = new Set(keyed(container, "details[open]").keys());
  const scrolled = [...container.querySelectorAll("[data-scroll]")].map((node) => [
    node.dataset.scroll,
    grownAbove(node),
    node.scrollLeft,
  ]);
  container.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const [name, node] of keyed(container, "details")) if (open.has(name)) node.open = true;
  for (const [name, topOf, left] of scrolled) {
    const node = container.querySelector(`[data-scroll="${name}"]`);
    node?.scrollTo({ top: topOf(node), left, behavior: "instant" });
  }
  if (key) focusAgain(container, key);
}

/** Where to scroll to in the node drawn anew: a list that grows at its head stays at what is read, or at its head. */
function grownAbove({ scrollTop, scrollHeight, dataset }) {
  const anchored = dataset.grows === "head" && scrollTop > 0;
  return (node) => (anchored ? scrollTop + node.scrollHeight - scrollHeight : scrollTop);
}

const keyed = (container, selector) =>
  new Map([...container.querySelectorAll(`${selector}[data-key]`)].map((node) => [node.dataset.key, node]));

function focusAgain(container, key) {
  const again = keyed(container, "").get(key);
  if (!again) container.tabIndex = -1; // what was focused is gone: the next Tab goes on from here
  (again ?? container).focus({ preventScroll: true });
}

/** A dialog of the browser's own: focus stays inside, Escape closes it, and so does going elsewhere; it is gone then. */
export function dialog(title, closeLabel, ...children) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const close = button("×", () => node.close(), { class: "quiet close", "aria-label": closeLabel });
  const head = el("header", {}, el("h2", { id }, title), close);
  const leave = () => node.close();
  const gone = () => {
    removeEventListener("hashchange", leave);
    node.remove();
  };
  const node = el("dialog", { "aria-labelledby": id, on: { close: gone } }, head, children);
  addEventListener("hashchange", leave);
  document.body.append(node);
  node.showModal();
  return node;
}

/** A control with its label above it. */
export const field = (label, control) => el("label", {}, el("span", {}, label), control);

/** A choice among rows of a value and its words. */
export const select = (name, rows, chosen) =>
  el("select", { name }, ...rows.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));

/** Asks for some words; `send(text)` says whether they were taken, else the dialog stays. */
export function askText(title, { close, label, confirm, send }) {
  const text = el("textarea", { name: "text", rows: 3, maxlength: 1000, required: true });
  const form = el(
    "form",
    { class: "asking", on: { submit: (event) => event.preventDefault() } },
    el("label", {}, el("span", {}, label), text),
  );
  const go = button(confirm, submit, { class: "primary", data: { send: "" } });
  const box = dialog(title, close, form, el("div", { class: "actions" }, go));

  async function submit() {
    if (!form.reportValidity()) return;
    go.disabled = true;
    if (await send(text.value.trim())) box.close();
    else go.disabled = false;
  }
}

/** Tells people who do not look at the screen what has happened, and shows it for some milliseconds if there is no other sign. */
export function announce(text, shownMs = 0) {
  const node = document.getElementById("announcer");
  node.textContent = text;
  node.className = shownMs ? "toast" : "unseen";
  if (shownMs) setTimeout(() => (node.className = "unseen"), shownMs);
}
