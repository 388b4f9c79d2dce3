// Pieces that travel from where they were drawn to where they are drawn now; the pieces themselves stay where they are,
// and can be pressed at once. Figures change when the pieces have arrived.

import { el, made } from "../dom.js";
import { flights } from "../state/catch-up.js";

const OWN_MS = 190;
const LONGEST_MS = 460;
const WAY = "cubic-bezier(.3, .1, .2, 1)";
const WIDTHS = { card: 90, tile: 72 }; // of what flies, before it is scaled
const LOW = 0.35; // a seat's line is wide and low: a piece that goes there becomes small

const FIGURES = ".seat-total, .side-total, .sign > span, .herd strong, .box-score td";

let holding = null; // until figures change
let layer = null; // what flew last lies in it unseen until the next flight: to take it away would lay out the page once more

/** The figures that are drawn, by node, and the pieces: `{key, node, copy, at, place, fallen}`; `place` is the part of the table that they lie in. */
export const drawnIn = (frame) => ({
  figures: new Map(figures(frame).map((node) => [node, node.textContent])),
  pieces: pieces(frame).map((piece) => ({
    ...piece,
    copy: copyOf(piece.node),
    at: piece.node.getBoundingClientRect(),
  })),
});

const figures = (frame) => [...frame.querySelectorAll(FIGURES)];

const pieces = (frame) =>
  [...frame.querySelectorAll(".box-board [data-card], .own-cards [data-card]")]
    .filter((node) => !node.closest("details:not([open]), .kept-free"))
    .map((node) => ({ key: node.dataset.card, node, place: placeOf(node), fallen: node.classList.contains("fallen") }));

/** In an element of its own: a picture that is moved itself is laid out anew. */
function copyOf(node) {
  const copy = made(el("div", {}));
  copy.append(node.cloneNode(true));
  delete copy.firstElementChild.dataset.card;
  return copy;
}

/** A list of the document, whatever its index: within it pieces move up without a flight. */
const placeOf = (node) => node.closest("[data-path]")?.dataset.path.replace(/\/\d+$/, "") ?? "";

/** Lets everything that was drawn elsewhere `before` travel to its place; `event` says who acted. */
export function travel(frame, { pieces: before, figures: stood }, event, ms) {
  const after = pieces(frame);
  const duration = event ? Math.min(LONGEST_MS, ms * 0.75) : OWN_MS;
  const found = flights(before, after, event).map(({ from, to, seat }) => {
    const [start, end] = [before[from], after[to]];
    const line = (!start || !end) && seat && frame.querySelector(`[data-seat="${seat}"] summary`);
    const flies = start && end ? start.place !== end.place : line;
    return { start, end, line, ghost: flies && (end ? copyOf(end.node) : start.copy) };
  });
  const isMoving = found.some(({ ghost, start }) => ghost || !start);
  hold(frame, isMoving ? figures(frame).filter((node) => node.textContent !== stood.get(node)) : [], stood, duration);
  layer?.remove();
  layer = made(el("div", { class: "flights", "aria-hidden": "true" }));
  layer.append(...found.flatMap(({ ghost }) => ghost || []));
  document.body.append(layer);
  const boxes = found.map(({ end, line }) =>
    [end, { node: line || null }].map((each) => each?.node?.getBoundingClientRect()),
  );
  found.forEach((flight, index) => fly(flight, boxes[index], duration));
}

/** Shows of some figures what stood there, until the pieces have arrived. */
function hold(frame, changed, stood, duration) {
  const release = () => frame.querySelectorAll("[data-before]").forEach((node) => delete node.dataset.before);
  clearTimeout(holding);
  release();
  for (const node of changed) node.dataset.before = stood.get(node) ?? "";
  holding = setTimeout(release, duration);
}

function fly({ start, end, ghost }, [at, line], duration) {
  const piece = end?.node.closest(".piece") ?? end?.node;
  if (start && end && !start.fallen && end.fallen) turn(piece, duration);
  if (ghost) carry(ghost, start?.at ?? line, at ?? line, duration);
  if (end && ghost) piece.animate({ visibility: ["hidden", "hidden"] }, { duration });
  if (end && !start && !ghost) piece.animate({ opacity: [0, 1] }, { duration });
}

const turn = (node, duration) =>
  node.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration, easing: "ease-out" });

/** A copy of a piece flies over everything; the piece shows itself when the copy has arrived. */
function carry(ghost, from, to, duration) {
  const width = WIDTHS[ghost.firstElementChild.classList[0]];
  const at = (box) => {
    const scale = box.width > box.height * 1.5 ? LOW : box.width / width;
    return `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%) scale(${scale})`;
  };
  const [first, last] = [from, to].map((box) => ({ transform: at(box), opacity: 1 }));
  ghost.animate([first, { ...last, offset: 0.999 }, { ...last, opacity: 0 }], { duration, easing: WAY, fill: "both" });
}
