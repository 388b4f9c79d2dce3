// What the pages about people are made of.

import { button, el } from "../dom.js";
import { locale, t } from "../i18n.js";
import { showProblem } from "../problems.js";

/** A section with its title. */
export const section = (key, ...children) =>
  el("section", { data: { section: key } }, el("h2", {}, t(`people.${key}`)), ...children);

/** What to do, or words if there is nothing. */
export const listed = (rows, none) =>
  rows.length ? el("ul", { class: "plain" }, ...rows) : el("p", { class: "empty" }, none);

/** A button that does something once at a time; a refusal is shown. */
export const doing = (label, act, props = {}) =>
  button(
    label,
    async ({ currentTarget: node }) => {
      node.disabled = true;
      try {
        await act();
      } catch (problem) {
        await showProblem(problem);
      } finally {
        node.disabled = false;
      }
    },
    props,
  );

/** Asks for a label and gives it to `send`, if one was given. */
export async function relabel(label, send) {
  const given = prompt(t("people.label"), label);
  if (given !== null) await send(given.trim().slice(0, 40));
}

/** What this device is called until somebody calls it otherwise: its browser and its system, as far as it says so. */
export function deviceName() {
  const found = (names) => names.find((name) => navigator.userAgent.includes(name));
  const browser = found(["Firefox", "Edg", "OPR", "Chrome", "Safari"]) ?? "";
  const system = found(["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"]) ?? "";
  return [browser, system].filter(Boolean).join(", ");
}

/** A day as people of this language write it. */
export const dayWords = (day) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
