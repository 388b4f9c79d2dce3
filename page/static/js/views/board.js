// Boards that are looked at and nothing more, as no piece of them can be picked: a whole table, and beside each other the
// two outcomes of a ruling, of which only the places that differ are drawn.

import { el, made } from "../dom.js";
import { seatStrip } from "./seats.js";
import { Tools } from "./clickable-pieces.js";

/** All that the module of a game draws of a table's document, the seats among it. */
export function board(module, shown) {
  const tools = new Tools(shown, null, {});
  const stage = el("p", { class: "stage" }, ...module.facts(shown));
  const own = el("div", { class: "own-cards" }, ...module.hand(shown, tools));
  const parts = [stage, seatStrip(shown, module, tools), ...module.board(shown, tools), own];
  return el("div", { class: `play board board-${shown.game}` }, ...parts);
}

const PLACES = ".ground, .territory-pile, .plains, .seats > .seat"; // a seat only where the table itself looks the same

/** The two small boards of two views of a game; where both look the same, the place that the ruling's figures name. */
export function smallBoards({ state: { live }, game }, views, figures) {
  const [one, other] = views.map((view) => placesOf(game, { ...live, view, decisions: [], clock: null }));
  const twins = one.map((place, number) => [place, other[number]]);
  const differing = twins.filter(([here, there]) => !here.isEqualNode(there));
  const onTable = differing.filter(([place]) => !place.matches(".seat"));
  const lands = twins.filter(([place]) => place.matches(".ground, .territory-pile"));
  const pairs = [onTable, differing, [lands[(figures?.pile ?? figures?.ground) - 1]]].find(([first]) => first);
  if (!pairs) return null;
  const changed = pairs.flatMap(([here, there]) => otherwise(here, there));
  for (const node of changed) node.classList.add("changed");
  return [0, 1].map((side) =>
    el("div", {
      class: `play board small-board board-${live.game}`,
      ref: (node) => node?.replaceChildren(...pairs.map((pair) => framed(pair[side]))),
    }),
  );
}

/** The places of a board, without the names of its parts: both boards would have them. */
function placesOf(game, shown) {
  const tools = new Tools(shown, null, {});
  const board = made(el("div", {}, seatStrip(shown, game, tools), game.board(shown, tools)));
  for (const node of board.querySelectorAll("section[aria-label]")) node.removeAttribute("aria-label");
  return [...board.querySelectorAll(PLACES)];
}

/** The smallest parts of a place that look otherwise in the other outcome. */
function otherwise(here, there) {
  const twins = new Map([...there.querySelectorAll("[data-path]")].map((node) => [node.dataset.path, node]));
  const theirs = [...here.querySelectorAll("[data-path]")].filter(
    (node) => !node.isEqualNode(twins.get(node.dataset.path) ?? null),
  );
  const mine = theirs.map((node) => twins.get(node.dataset.path)).filter(Boolean);
  return [...theirs, ...mine].filter(
    (node) => ![...theirs, ...mine].some((each) => each !== node && node.contains(each)),
  );
}

/** A place within a copy of what it lies in, which its styles need. */
function framed(place) {
  const frame = place.parentElement.cloneNode(false);
  frame.removeAttribute("aria-label");
  frame.append(place);
  return frame;
}
