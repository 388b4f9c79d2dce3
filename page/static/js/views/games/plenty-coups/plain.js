// The land on which the camps stand, and what is on it that nobody has: horses, and tribes without a camp.

import { el, svg } from "../../../dom.js";
import { icon } from "../../../glyphs.js";
import { t } from "../../../i18n.js";
import { mark } from "../../../marks.js";
import { told } from "./tokens.js";

const WINTER = 10; // PC-3.2
const WIDTH = 800;
const HEIGHT = 400;
// Where tufts of grass stand: x and y of each.
const GRASS = [
  40, 190, 118, 236, 176, 172, 236, 214, 288, 178, 330, 240, 392, 168, 448, 226, 506, 186, 560, 240, 612, 172, 668, 218,
  724, 184, 768, 236, 84, 300, 214, 316, 356, 300, 474, 322, 600, 304, 740, 318, 140, 110, 420, 96, 650, 112,
];
const TUFT = "q-3-9-8-13m8 13q0-10 0-17m0 17q3-9 8-13";

export const isWinter = ({ round }) => round >= WINTER;

/** The land as a picture that fills its place. */
export const land = () =>
  svg(
    "svg",
    {
      class: "land-picture",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "xMidYMid slice",
      "aria-hidden": "true",
    },
    svg("path", { class: "land-far", d: "M0 96c90-46 160-8 250-30s150-44 260-12 170 30 290-14V0H0z" }),
    svg("path", {
      class: "land-river",
      d: "M-10 282c120-40 210 24 330-14s180-76 300-40 120 30 200 6v16c-80 24-120 26-200 4s-180 2-300 40-210-22-330 6z",
    }),
    svg("path", {
      class: "land-grass",
      d: grass(),
    }),
  );

const grass = () => GRASS.map((x, index) => (index % 2 ? "" : `M${x} ${GRASS[index + 1]}${TUFT}`)).join("");

/** The horses that nobody has, and the tribes that have no camp. */
export function grazing(view, tools) {
  const horses = Array.from({ length: view.plain }, () => icon("horse"));
  const label = t("plain.horses", { n: view.plain });
  return el(
    "div",
    { class: "open-plain" },
    tools.at(
      "/view/plain",
      told("plain-herd", label, el("span", { class: "horses" }, ...horses), el("strong", {}, String(view.plain))),
    ),
    view.neutral_tribes.length > 0 && tools.at("/view/neutral_tribes", neutral(view.neutral_tribes)),
  );
}

function neutral(tribes) {
  const names = tribes.map((tribe) => t(`tribe.${tribe}`)).join(", ");
  const label = t("tribes.neutral", { names });
  return told("neutral", label, el("span", {}, t("tribes.neutral_short")), ...tribes.map(mark));
}
