// Drawing, by Preact. Everything that is shown goes through text nodes and attributes: markup is never parsed.

import { t } from "./i18n.js";
import { h, options, render } from "./vendor/preact.js";

// The element that stands for what was drawn, as `node` of what `el` returned.
options.diffed = (drawn) => (drawn.node = drawn.__e);

/** What Preact takes; it would write what is missing as an empty attribute. */
function propsOf({ on = {}, data = {}, ...attributes }) {
  const props = {};
  for (const [name, value] of Object.entries(attributes))
    if (value != null && (value !== false || name === "spellcheck")) props[name] = value;
  for (const [name, listener] of Object.entries(on)) props[`on${name}`] = listener;
  for (const [name, value] of Object.entries(data))
    props[`data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`] = value;
  return props;
}

/**
 * An element to be drawn: `on` holds listeners, `data` the data attributes; what is null or false is left out. It is known
 * again by `data.key` among its neighbours: focus, scroll and what is open stay.
 */
export const el = (tag, props = {}, ...children) =>
  h(tag, { key: props.data?.key, ...propsOf(props) }, ...children.map((child) => (child === "" ? null : child)));

/** The same for SVG. */
export const svg = el;

/** Adds classes, listeners, data and children to an element before it is drawn. */
export function extend(element, { class: name, ...props }, ...children) {
  const { class: own, children: before } = element.props;
  Object.assign(element.props, propsOf(props), { class: [own, name].filter(Boolean).join(" ") || null });
  if (children.length) element.props.children = [before, ...children];
  return element;
}

/** A button that says what it does. */
export const button = (label, onClick, props = {}) =>
  el("button", { type: "button", on: { click: onClick }, ...props }, label);

/** Draws what is given in a container, and changes there only what is otherwise than before. */
export const redraw = (container, ...children) => render(children, container);

/** The element itself, out of the page: to be measured, compared, or shown where nothing is drawn. */
export function made(element) {
  redraw(document.createDocumentFragment(), element);
  return element.node;
}

/** A dialog of the browser's own: focus stays inside, Escape closes it, and so does going elsewhere; it is gone then. */
export function dialog(title, ...children) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const leave = () => node.close();
  const gone = () => {
    removeEventListener("hashchange", leave);
    node.remove();
  };
  const close = button("×", leave, { class: "quiet close", "aria-label": t("close") });
  const head = el("header", {}, el("h2", { id }, title), close);
  const node = made(el("dialog", { "aria-labelledby": id, on: { close: gone } }, head, children));
  addEventListener("hashchange", leave);
  document.body.append(node);
  node.showModal();
  return node;
}

/** What is read aloud, and not seen. */
export const unseen = (text) => el("span", { class: "unseen" }, text);

/** An item of a list. */
export const item = (...children) => el("li", {}, ...children);

/** What is folded below its words. */
export const folded = (words, ...children) => el("details", {}, el("summary", {}, words), ...children);

/** Buttons and links beside each other. */
export const actions = (...children) => el("div", { class: "actions" }, ...children);

/** A section that its heading names; `name` is its class. */
export function titled(name, title, ...children) {
  const id = `${name.replaceAll(" ", "-")}-title`;
  return el("section", { class: name, "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

/** A row of a table: its heading, and its cells. */
export const row = (heading, cells) =>
  el("tr", {}, el("th", { scope: "row" }, heading), ...cells.map((cell) => el("td", {}, cell)));

/** A table by the headings of its columns and its rows. */
export const sheet = (columns, rows, caption = null) =>
  el(
    "table",
    {},
    caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...columns.map((heading) => el("th", { scope: "col" }, heading)))),
    el("tbody", {}, ...rows),
  );

/** Where somebody gives the name that others will see. */
export const nameInput = (value, props) =>
  el("input", { name: "name", value, maxlength: 40, autocomplete: "nickname", ...props });

/** A control with its label above it. */
export const field = (label, control) => el("label", {}, el("span", {}, label), control);

/** A choice among rows of a value and its words. */
export const select = (name, rows, chosen) =>
  el("select", { name }, ...rows.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));

/** The same among values that all have their words in one way. */
export const choice = (name, values, wordsOf, chosen) =>
  select(
    name,
    values.map((value) => [value, wordsOf(value)]),
    chosen,
  );

/** A box to tick, with its words. */
export const tick = (words, props, name = "ask") =>
  el("label", { class: name }, el("input", { type: "checkbox", ...props }), words);

/** Buttons of which one is pressed: `press(value)` is called for another. */
export const pressing = (label, name, values, { key, wordsOf, chosen, press }) =>
  el(
    "div",
    { class: name, role: "group", "aria-label": label },
    ...values.map((value) =>
      button(wordsOf(value), () => press(value), {
        "aria-pressed": String(value === chosen),
        data: { key: `${key}-${value}` },
      }),
    ),
  );

/** A form that its buttons answer; Enter presses the one that submits. */
export const asking = (fields, ...buttons) =>
  el("form", { class: "asking", on: { submit: (event) => event.preventDefault() } }, ...fields, actions(...buttons));

/** Tells people who do not look at the screen what has happened, and shows it for some milliseconds if there is no other sign. */
export function announce(text, shownMs = 0) {
  const node = document.getElementById("announcer");
  node.textContent = text;
  node.className = shownMs ? "toast" : "unseen";
  if (shownMs) setTimeout(() => (node.className = "unseen"), shownMs);
}

/** Gives a class to these elements of a part of the page, and takes it from its others. */
export function classify(frame, name, nodes) {
  const wanted = new Set(nodes);
  for (const node of frame.querySelectorAll(`.${name}`)) if (!wanted.delete(node)) node.classList.remove(name);
  for (const node of wanted) node.classList.add(name);
}
