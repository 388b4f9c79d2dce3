// What runs between camps, drawn over the plain as soon as it is known where they stand. The camps tell it in words.

import { redraw, svg } from "../../../dom.js";
import { lanes, links } from "./links.js";

const HEAD = { width: 9, length: 13 };

const draws = new WeakMap();
const resized = new ResizeObserver((rows) => rows.forEach(({ target }) => draws.get(target)?.()));

/** The lanes of a view, over the land and under the camps; they are drawn again whenever the scene's size changes. */
export function lanesOf(view) {
  const ref = (layer) => {
    if (!layer) return;
    const scene = layer.parentElement;
    const draw = () => scene.isConnected && redraw(layer, drawn(scene, view, links(view)));
    draws.set(scene, draw);
    resized.observe(scene);
    draw();
  };
  return svg("svg", { class: "lanes", "aria-hidden": "true", ref });
}

function drawn(scene, view, found) {
  const at = boxIn(scene);
  const camps = [...scene.querySelectorAll("[data-camp]")];
  const places = new Map(
    camps.map((camp) => [camp.dataset.camp, { ...at(camp.firstElementChild), far: camp.closest(".far") !== null }]),
  );
  const heads = view.raids.map((_, index) => at(scene.querySelector(`[data-path="/view/raids/${index}"]`)));
  return lanes(found, places, heads).map((lane) => LANES[lane.kind](lane));
}

/** Where a part of the scene lies in it. */
function boxIn(scene) {
  const origin = scene.getBoundingClientRect();
  return (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { left: left - origin.left, top: top - origin.top, width, height };
  };
}

const line = (lane, name) => svg("path", { class: name, d: lane.d });

const LANES = {
  raid: (lane) =>
    svg("g", { class: `lane lane-raid suit-${lane.from}` }, line(lane, "edge"), line(lane, "way"), arrow(lane.head)),
  alliance: (lane) =>
    svg(
      "g",
      { class: "lane lane-alliance" },
      svg("g", { class: `suit-${lane.from}` }, line(lane, "edge"), line(lane, "way")),
      svg("g", { class: `suit-${lane.to}` }, line(lane, "braid")),
    ),
  proposal: (lane) => open(lane, "lane-proposal"),
  gift: (lane) => open(lane, "lane-gift"),
};

/** What waits for an answer: a broken line to a ring. */
const open = (lane, name) =>
  svg(
    "g",
    { class: `lane ${name} suit-${lane.from}` },
    line(lane, "edge"),
    line(lane, "way"),
    svg("circle", { class: "ring", cx: lane.head.x, cy: lane.head.y, r: 5 }),
  );

function arrow({ x, y, far }) {
  const back = y + (far ? HEAD.length : -HEAD.length);
  return svg("path", { class: "head", d: `M${x} ${y}L${x - HEAD.width} ${back}H${x + HEAD.width}Z` });
}
