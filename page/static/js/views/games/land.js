// The land that a table shows: a horizon above each of its places, and what grows or flows where cards are laid.

import { svg } from "../../dom.js";

const TUFT = "q-3-9-8-13m8 13q0-10 0-17m0 17q3-9 8-13";
const PINE = "l-9 0 7-9h-5l6-9h-4l5-10 5 10h-4l6 9h-5l7 9z";

const planted = (places, plant) =>
  places
    .split(", ")
    .map((place) => `M${place}${plant}`)
    .join("");

/** Tufts of grass at places: "x y, x y". */
export const grass = (places) => planted(places, TUFT);

const pines = (places) => planted(places, PINE);

// Each horizon leaves its picture as high as it entered it, so that pictures side by side are one land. `sun` is where it stands.
const HORIZONS = {
  plain: {
    sun: [225, 17],
    far: "M0 42c50-12 110-4 160-9s110-7 160 9v30H0z",
    near: "M0 54c70-8 150 4 220-2s80-2 100 2v18H0z",
    grass: "150 64, 176 70, 40 68",
  },
  river: {
    far: "M0 42c34-18 66-22 104-8s74-22 116-20 70 24 100 28v30H0z",
    near: "M0 54c60-8 90 6 150 2s110-12 170-2v18H0z",
    water: "M150 56c30-3 66-3 60 2s-66 4-76 9-8 5-10 7h62c10-6 68-10 72-16s-60-9-108-2z",
    pines: "20 60, 36 64",
  },
  hills: {
    far: "M0 42 34 22l22 14 44-30 38 28 26-14 50 20 42-28 64 30v30H0z",
    snow: "M100 6 84 17l9 1 6 5 8-6 9 1zM256 12l-13 9 8 1 6 5 8-6z",
    near: "M0 54c40-6 60-14 110-8s120 14 210 8v18H0z",
    pines: "128 60, 142 64",
  },
  forest: {
    far: "M0 42c30-10 60-14 100-10s60-14 110-10 80 12 110 20v30H0z",
    near: "M0 54c60-10 130 4 190-1s90-4 130 1v18H0z",
    pines: "16 58, 38 62, 62 58, 88 63, 232 60, 256 57, 280 62, 304 59",
  },
};

// What lies below the horizon, as far down as cards are laid.
const FIELDS = {
  plain: { contour: "M-4 110c60-18 150 16 310-8M-4 214c90 20 170-22 310-4M-4 316c70-20 190 14 310-10" },
  river: {
    water: "M186-4c-40 60 60 96 22 176s-88 92-58 150 20 60 10 84h64c16-36 0-62-14-104s64-96 84-156S218 60 250-4z",
  },
  hills: {
    contour:
      "M-4 96c70-40 120-10 176-26s90-40 132-20M-4 190c60-30 150 6 210-22s70-22 98-10M-4 290c90-40 120 10 190-12s80-24 118-10M-4 380c60-22 130 0 200-16s70-12 108-2",
  },
  forest: {
    pines: "14 60, 286 110, 10 330, 288 372",
  },
};

const DRAWN = ["far", "snow", "near", "water", "contour", "pines", "grass"]; // one over the other
const PLANTED = { pines, grass };

const parts = (land) =>
  DRAWN.filter((name) => land[name]).map((name) =>
    svg("path", { class: `land-${name}`, d: PLANTED[name]?.(land[name]) ?? land[name] }),
  );

/** A land without its place: `kind` is plain, river, hills or forest; the sun stands lower the later it is, from 0 to 1. */
export function horizon(kind, late = null) {
  const land = HORIZONS[kind];
  const sun = late === null ? land.sun : [24, 16 + 40 * late];
  return picture(
    "horizon",
    "0 0 320 72",
    late === null ? "xMidYMax slice" : "xMinYMax slice",
    sun && svg("circle", { class: "land-sun", cx: sun[0], cy: sun[1], r: 13 }),
    parts(land),
  );
}

export const field = (kind) => picture("field", "0 0 300 400", "xMidYMid slice", parts(FIELDS[kind]));

const picture = (name, viewBox, preserveAspectRatio, ...drawn) =>
  svg("svg", { class: name, viewBox, preserveAspectRatio, "aria-hidden": "true" }, ...drawn);
