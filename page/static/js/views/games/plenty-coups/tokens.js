// Markers and cards that lie at a camp.

import { drawn } from "../../../cards.js";
import { el, svg } from "../../../dom.js";
import { glyph } from "../../../glyphs.js";
import { mark } from "../../../marks.js";

/** A raid/prestige marker: `raid` or `prestige` side up, or `away` for the place of one that stands on a raid. */
export const token = (side) =>
  svg(
    "svg",
    { viewBox: "0 0 24 24", class: `token token-${side}`, "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 10.5 }),
    SIDES[side] && glyph(SIDES[side], { x: 4, y: 4, size: 16 }),
  );

const SIDES = { raid: "warrior", prestige: "feather" };

/** Things that are told as one: pictures for the eye, and words for those who do not see them. */
export const told = (name, label, ...pictures) =>
  el("span", { class: name, role: "img", "aria-label": label }, ...pictures);

/** A card that lies beside a herd or behind a camp, with the mark of the tribe that it is meant for. */
export const besideCard = (picture, tribe) =>
  el("span", { class: "beside-card" }, picture, el("span", { class: "meant" }, mark(tribe)));

export const smallCards = (cards) => el("span", { class: "small-cards" }, ...cards.map((id) => drawn(id)));
