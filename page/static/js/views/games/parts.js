// What the tables of all games have: rows of cards, piles, facts.

import { back } from "../../cards.js";
import { el } from "../../dom.js";
import { icon } from "../../glyphs.js";
import { pair, t } from "../../i18n.js";

/** A heading with what belongs to it. */
export const section = (name, title, ...content) =>
  el("section", { class: name, "aria-label": title }, el("h2", {}, title), ...content);

/** Cards side by side; the class tells their number, by which they overlap where room is short. */
export const row = (cards, name = "cards") =>
  el("div", { class: `${name} n-${Math.min(cards.length, MOST)}` }, ...cards);

const MOST = 24;

/** Pictures with one label, which is read aloud and shown when they are pointed at. */
export const told = (name, label, ...pictures) =>
  el("span", { class: name, role: "img", "aria-label": label, title: label }, ...pictures);

/** Face-down cards as one back with their number. */
export const pile = (suit, count, label) =>
  count ? told("pile", pair(label, count), back(suit), el("span", { class: "count" }, String(count))) : null;

/** A small fact: a word and its figure. */
export const fact = (label, value, name = "") =>
  el(
    "span",
    { class: `fact ${name}` },
    el("span", { class: "fact-label" }, label),
    " ",
    el("strong", {}, String(value)),
  );

/** A small sign with its number, if it has one; `label` says both in words. */
export const sign = (name, label, value = "", kind = "") =>
  told(`sign ${kind}`, label, icon(name), el("span", {}, String(value)));

/** The sign of a figure of the scores. */
export const figure = (name, key, value, kind) => sign(name, pair(t(`score.${key}`), value), value, kind);
