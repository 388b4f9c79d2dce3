// Pictures of one colour, as on a winter count: a path each on a square of 48.

import { svg } from "./dom.js";

const FILLED = {
  bison:
    "M44 26c-1-5-6-7-12-8-5-1-9-7-16-5-5 1-8 5-9 9-4 2-5 7-3 11 1 3 4 4 6 2 2-1 2-3 4-3h3l1 8h4l1-8c4 1 8 1 11 0l1 8h4l1-11c1-1 2-2 2-3l2 5zM8 21c-4 0-6-4-4-8 1 3 3 4 6 4z",
  horse:
    "M5 18 13 8l1-4 3 3c5 2 8 7 9 11h9c6 0 8 4 8 9l2 9-3 1-3-7-1 13h-4l-2-11c-3 1-7 1-10 0l-2 11h-4V30c-3-3-4-6-4-10l-4 2z",
  caribou:
    "M6 23l6-5 3-5 3 2-1 4c4 2 6 3 9 3h10c4 0 6 3 6 7l1 14h-3l-3-10-1 10h-3l-1-10c-4 1-7 1-10 0l-1 10h-3l-1-11c-3-2-4-5-5-8l-4 2zM14 13C8 12 5 8 6 3c2 1 2 2 2 4l3-3c0 2-1 4-1 5l5 2zM18 13c5 1 10-2 11-8-2 0-3 1-3 3l-3-4c-1 2 0 4 0 6l-5 1z",
  eagle:
    "M1 13c9-2 15 1 20 7-1-5 0-8 3-9 3 1 4 4 3 9 5-6 11-9 20-7-3 2-4 5-7 6 0 2-3 3-6 3 0 2-3 3-6 3l3 11-7-4-7 4 3-11c-3 0-6-1-6-3-3 0-6-1-6-3-3-1-4-4-7-6z",
  tipi: "M24 8 7 42h12l5-12 5 12h12zM20 2l3 6h-1zM28 2l-3 6h1zM24 1h1v7h-1z",
  totem:
    "M16 4h16v9h12l-4 7h-8v22H16V20H8l-4-7h12zm4 4v3h3V8zm5 0v3h3V8zm-5 17v3h8v-3zm0 7v2h2v-2zm6 0v2h2v-2zm-6 5v2h8v-2z",
  tomahawk: "M11 45l-4-3 20-27-4-3 6-8c6 0 11 3 14 8-4 2-6 5-6 10l-6-4z",
  chief:
    "M7 29 .6 23.700l8-2.100L5.200 14l8.200 1.700.2-8.300 6.600 5L24 5l3.800 7.400 6.600-5 .2 8.300 8.200-1.700-3.500 7.600 8 2.100L41 29h-6a11 11 0 0 0-22 0zM24 22c5 0 8 4 8 10s-3 12-8 12-8-6-8-12 3-10 8-10z",
  matriarch:
    "M24 4c5 0 9 4 9 9 0 3-1 5-2 7 5 3 8 9 9 24H8c1-15 4-21 9-24-1-2-2-4-2-7 0-5 4-9 9-9zm0 22a6 6 0 1 0 .1 12 6 6 0 0 0-.1-12z",
  rainmaker:
    "M13 24c-5 0-9-3-9-8 0-4 3-7 7-7 2-4 6-6 10-6 5 0 9 3 10 7 7-1 13 2 13 8 0 4-4 6-8 6zM13 29l3 0-3 9h-3zM24 29h3l-4 13h-3zM35 29h3l-3 9h-3z",
  scout:
    "M24 12c10 0 17 6 21 12-4 6-11 12-21 12S7 30 3 24c4-6 11-12 21-12zm0 4a8 8 0 1 0 .1 16 8 8 0 0 0-.1-16zm0 4a4 4 0 1 1-.1 8 4 4 0 0 1 .1-8z",
  shaman:
    "M24 4l3 9 8-5-4 9 10 1-8 6 8 6-10 1 4 9-8-5-3 9-3-9-8 5 4-9-10-1 8-6-8-6 10-1-4-9 8 5zm0 14a6 6 0 1 0 .1 12 6 6 0 0 0-.1-12z",
  hunter: "M15 2c19 7 19 37 0 44l-1-3c13-8 13-30 0-38zM12 5h2v38h-2zM6 22h32v-5l9 7-9 7v-5H6l-4 4H0l3-6-3-6h2z",
  warrior:
    "M24 4a16 16 0 1 1 0 32 16 16 0 0 1 0-32zm0 4a12 12 0 1 0 0 24 12 12 0 0 0 0-24zm0 5 2 5 5 .5-4 3.500 1 5-4-3-4 3 1-5-4-3.500 5-.5zM14 34l-2 12-3-10zM24 37l2 9h-4zM34 34l2 12 3-10z",
  weapon: "M6 4l8 3 22 26 6 10-10-6L10 11zM42 4l-3 8-10 11-3-3L36 9zM20 27l3 3-9 10-8 4 3-7z",
  stick:
    "M14 46 27 14c2-6 8-9 12-6 4 2 4 8 0 10l-2-3c3-2 2-5-1-4-2 0-4 2-5 4L18 46zM29 20l10 6-3 3-9-5zM25 29l10 6-3 3-9-5z",
  thief:
    "M6 14h36v8c0 6-4 9-8 9s-7-3-10-7c-3 4-6 7-10 7s-8-3-8-9zm7 4c1 4 6 5 8 3-1-3-5-4-8-3zm22 0c-3-1-7 0-8 3 2 2 7 1 8-3z",
  hair: "M10 8c10-5 20-4 28 2l-4 5c2 9 0 18-5 29-1-7-2-14-4-19-1 7-3 13-7 17 0-9 0-18-3-26-1 5-3 8-6 10 1-7 2-12 1-18z",
  spirit: "M24 3l4 8 9-3-3 9 10 3-9 5 5 9-10-1-1 10-5-8-5 8-1-10-10 1 5-9-9-5 10-3-3-9 9 3z",
  change:
    "M24 6c8 0 15 5 17 12h5l-8 9-7-9h5c-2-4-7-7-12-7-6 0-10 3-12 7l-5-2C10 10 16 6 24 6zM24 42C16 42 9 37 7 30H2l8-9 7 9h-5c2 4 7 7 12 7 6 0 10-3 12-7l5 2c-3 6-9 10-17 10z",
  tree: "M24 2l10 13h-5l9 12h-6l9 11H27v8h-6v-8H7l9-11h-6l9-12h-5z",
  dusk: "M4 32h40v4H4zM10 28a14 14 0 0 1 28 0zM24 4l2 7h-4zM5 13l7 5-3 3zM43 13l-7 5 3 3zM12 39h24v4H12z",
  skull:
    "M24 4c10 0 17 6 17 15 0 6-3 10-7 12v7H14v-7c-4-2-7-6-7-12C7 10 14 4 24 4zM16 17a4 5 0 1 0 .1 10 4 5 0 0 0-.1-10zm16 0a4 5 0 1 0 .1 10 4 5 0 0 0-.1-10zm-8 9-2 5h4zM17 40h3v5h-3zM23 40h3v5h-3zM29 40h3v5h-3z",
  bolt: "M28 2 9 27h12l-4 19 21-27H25z",
  cloud: "M13 36c-6 0-10-4-10-9s4-9 9-9c1-6 6-10 12-10s11 4 12 10c6 0 10 4 10 9s-4 9-10 9z",
  plain:
    "M3 40h42v4H3zM10 38c0-8-1-14-6-20 7 4 9 11 9 20zM23 38c-1-12 0-20 4-30 0 12-1 20 0 30zM36 38c0-8 2-14 8-19-3 6-4 12-4 19z",
  forest: "M15 4l9 14h-4l7 12h-9v12h-6V30H3l7-12H6zM34 12l8 12h-3l6 10h-8v8h-5v-8h-5l3-4-3-6 1-1z",
  mountain: "M2 42 17 14l8 13 6-9 15 24zM17 20l-4 8 4-2 3 3 1-3z",
  puma: "M24 22c7 0 13 8 12 14-1 6-7 5-12 4-5 1-11 2-12-4-1-6 5-14 12-14zM9 15a4 6 0 1 1 .1 12A4 6 0 0 1 9 15zM39 15a4 6 0 1 1 .1 12 4 6 0 0 1-.1-12zM18 5a4 6 0 1 1 .1 12A4 6 0 0 1 18 5zM30 5a4 6 0 1 1 .1 12A4 6 0 0 1 30 5z",
  gathering:
    "M24 46C12 42 8 32 12 22c8 2 12 10 12 24zM24 46c12-4 16-14 12-24-8 2-12 10-12 24zM24 4a6 6 0 1 1-.1 12A6 6 0 0 1 24 4zM12 10a4 4 0 1 1-.1 8 4 4 0 0 1 .1-8zM36 10a4 4 0 1 1-.1 8 4 4 0 0 1 .1-8z",
  feather: "M42 4c2 14-3 26-14 31l-5-1-6 12h-4l7-14c-3-14 6-26 22-28zM36 12 23 30l1 1 15-17z",
  hand: "M9 10l13-4 9 31-13 4zM27 6h14v33h-8l-8-28z",
  "step-first": "M10 10h4v28h-4zM38 10v28L16 24z",
  "step-back": "M34 8v32L12 24z",
  "step-next": "M14 8v32l22-16z",
  "step-last": "M34 10h4v28h-4zM10 10v28l22-14z",
  "step-film": "M12 6v36l30-18z",
  "step-again": "M24 8V1L11 11l13 10v-7a11 11 0 1 1-11 11H7A17 17 0 1 0 24 8z",
  "step-pause": "M12 8h8v32h-8zM28 8h8v32h-8z",
};

const SAME = {
  sorcerer: "shaman",
  medicine_man: "shaman",
  buffalo: "bison",
  "coup-stick": "stick",
  "hide-thief": "thief",
  tepee: "tipi",
  great_spirit: "spirit",
  shifting_spirit: "change",
  sequoia_heart: "tree",
  dusk_dance: "dusk",
  windswept_skull: "skull",
  sky_power: "bolt",
  teasing_cloud: "cloud",
};

/** A glyph on a square of `size` whose corner is at x, y. */
export function glyph(name, { x = 0, y = 0, size = 48, ...props } = {}) {
  const path = svg("path", { d: FILLED[SAME[name] ?? name] ?? FILLED.warrior, "fill-rule": "evenodd" });
  return svg("g", { transform: `translate(${x} ${y}) scale(${size / 48})`, ...props }, path);
}

/** A glyph as a picture of its own, beside text. */
export const icon = (name, label) =>
  svg(
    "svg",
    {
      viewBox: "0 0 48 48",
      class: "icon",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    glyph(name),
  );
