// The plain: its land, and what lies in its middle: display, pile and discards, the horses that nobody has, and the tribes
// without a camp.

import { back, drawn } from "../../../cards.js";
import { button, dialog, el, svg } from "../../../dom.js";
import { pair, t } from "../../../i18n.js";
import { mark } from "../../../marks.js";
import { PARTS } from "../../../state/composer.js";
import { grass } from "../land.js";
import { row, section, told } from "../parts.js";
import { herd } from "./camp.js";

const { display: DISPLAY } = PARTS["plenty-coups"];
const WINTER = 10; // PC-3.2

export const isWinter = ({ round }) => round >= WINTER;

const TUFTS = "40 190, 176 172, 288 178, 560 240, 724 184, 84 300, 356 322, 650 318, 140 110, 420 96, 650 112";

/** The land as a picture that fills its place. */
export const land = () =>
  svg(
    "svg",
    { class: "field", viewBox: "0 0 800 400", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    svg("path", { class: "land-far", d: "M0 96c90-46 160-8 250-30s150-44 260-12 170 30 290-14V0H0z" }),
    svg("path", {
      class: "land-river",
      d: "M-10 282c120-40 210 24 330-14s180-76 300-40 120 30 200 6v16c-80 24-120 26-200 4s-180 2-300 40-210-22-330 6z",
    }),
    svg("path", { class: "land-grass", d: grass(TUFTS) }),
  );

/** What lies in the middle of the plain. */
export function middle(view, tools) {
  const shown = view.display.map((id, number) =>
    tools.at(`/view/display/${number}`, tools.piece(DISPLAY, id, drawn(id))),
  );
  const count = el("strong", {}, String(view.plain));
  const horses = told("plain-herd", t("plain.horses", { n: view.plain }), ...herd(view.plain), count);
  return el(
    "div",
    { class: "supply" },
    tools.at("/view/pile_count", heap("pile", t("heap.pile"), view.pile_count, view.pile)),
    section("display", t("display"), row(shown)),
    tools.at("/view/discards", heap("discards", t("heap.discards"), view.discards.length, view.discards)),
    tools.at("/view/plain", horses),
    view.neutral_tribes.length > 0 && tools.at("/view/neutral_tribes", neutral(view.neutral_tribes)),
  );
}

function neutral(tribes) {
  const names = tribes.map((tribe) => t(`tribe.${tribe}`)).join(", ");
  return told("neutral", t("tribes.neutral", { names }), t("tribes.neutral_short"), ...tribes.map(mark));
}

/** Cards on one another; those that may be seen are shown on request. */
function heap(name, title, count, cards) {
  const label = pair(title, count);
  const picture = el(
    "span",
    { class: "pile" },
    back("black", label),
    el("span", { class: "count", "aria-hidden": "true" }, String(count)),
  );
  const words = el("span", { class: "heap-title", "aria-hidden": "true" }, title);
  const props = { class: `heap-of heap-of-${name}` };
  if (!cards?.length) return el("span", props, picture, words);
  return button([picture, words], () => lookThrough(label, cards), { ...props, data: { key: name } });
}

/** Each face once, with how many there are. */
function lookThrough(title, cards) {
  const faces = [...new Set(cards)].map((id) => {
    const count = cards.filter((each) => each === id).length;
    return el("li", { class: "pile" }, drawn(id), count > 1 && el("span", { class: "count" }, String(count)));
  });
  dialog(title, t("close"), el("ul", { class: "cards looked-through" }, ...faces));
}
