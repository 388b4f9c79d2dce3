// Pieces that travel from where they were drawn to where they are drawn now; the pieces themselves stay where they are,
// and can be pressed at once.

import { el, made } from "../dom.js";
import { flights } from "../state/playout.js";

const OWN_MS = 190;
const LONGEST_MS = 460;
const WAY = "cubic-bezier(.3, .1, .2, 1)";

/** The pieces that can be seen: `{key, node, at, place, fallen}`; `place` is the part of the table that they lie in. */
export const piecesIn = (frame) =>
  [...frame.querySelectorAll(".box-board [data-card], .own-cards [data-card]")]
    .map((node) => ({
      key: node.dataset.card,
      node,
      at: node.getBoundingClientRect(),
      place: placeOf(node),
      fallen: isFallen(node),
    }))
    .filter(({ at }) => at.width);

/** A list of the document, whatever its index: within it pieces move up without a flight. */
const placeOf = (node) => node.closest("[data-path]")?.dataset.path.replace(/\/\d+$/, "") ?? "";

const isFallen = (node) => node.classList.contains("fallen");

/** Lets everything that was drawn elsewhere `before` travel to its place; `event` says who acted. */
export function travel(frame, before, event, ms) {
  const after = piecesIn(frame);
  const duration = event ? Math.min(LONGEST_MS, ms * 0.75) : OWN_MS;
  const layer = made(el("div", { class: "flights", "aria-hidden": "true" }));
  document.body.append(layer);
  const moves = flights(before, after, event).flatMap((flight) => fly(frame, layer, before, after, flight, duration));
  Promise.allSettled(moves.map(({ finished }) => finished)).then(() => layer.remove());
}

function fly(frame, layer, before, after, { from, to, seat }, duration) {
  const [start, end] = [before[from], after[to]];
  if (start && end) return crossed(layer, start, end, duration);
  const line = seat && frame.querySelector(`[data-seat="${seat}"] summary`)?.getBoundingClientRect();
  if (end) return line ? carried(layer, end, line, end.at, duration) : [appear(end.node, duration)];
  return line ? carried(layer, start, start.at, line, duration) : [];
}

function crossed(layer, start, end, duration) {
  const turned = !start.fallen && end.fallen ? [turn(end.node, duration)] : [];
  return start.place === end.place ? turned : [...turned, ...carried(layer, end, start.at, end.at, duration)];
}

const appear = (node, duration) => node.animate([{ opacity: 0 }, { opacity: 1 }], { duration });

const turn = (node, duration) =>
  node.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration, easing: "ease-out" });

/** A copy of a piece flies over everything; the piece shows itself when the copy has arrived. */
function carried(layer, { node }, from, to, duration) {
  const ghost = node.cloneNode(true);
  const size = Math.max(from.height > from.width ? from.width : 0, to.height > to.width ? to.width : 0) || to.width;
  delete ghost.dataset.card;
  ghost.style.width = `${Math.min(size, node.getBoundingClientRect().width || size)}px`;
  layer.append(ghost);
  const { width, height } = ghost.getBoundingClientRect();
  const at = (box) => `translate(${box.left + (box.width - width) / 2}px, ${box.top + (box.height - height) / 2}px)`;
  const path = [
    { transform: `${at(from)} scale(${scale(from, width)})` },
    { transform: `${at(to)} scale(${scale(to, width)})` },
  ];
  const flight = ghost.animate(path, { duration, easing: WAY, fill: "both" });
  const hidden = node.isConnected ? [node.animate([{ opacity: 0 }, { opacity: 0 }], { duration })] : [];
  flight.finished.then(
    () => ghost.remove(),
    () => ghost.remove(),
  );
  return [flight, ...hidden];
}

/** A seat's line is wide and low: a piece that goes there becomes small. */
const scale = (box, width) => (box.width > box.height * 1.5 ? 0.35 : box.width / width);
