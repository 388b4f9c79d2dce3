// What each piece and place of a table is: they bear its name in the help of the game (`data-help`), which `popover.js`
// shows.

import { dialog, el, item } from "../dom.js";
import { helpData, helpFor, loadHelp } from "../help-words.js";
import { t } from "../i18n.js";
import { faceOf } from "../piece-names.js";
import { helpWords } from "../popover.js";

const HUNTING = {
  ".ground-head h2": "ground",
  ".heap-hand > h2": "hand",
  ".heap-party > summary, .heap-party > h2": "party",
  ".heap-reserve > summary, .heap-reserve > h2": "reserve",
  ".heap-pile > summary, .heap-pile > h2": "pile",
  ".piece:has(> .fallen)": "fallen",
  ".side-sum": "sum",
};
const PLACES = {
  manitou: HUNTING,
  "big-manitou": HUNTING,
  tomahawk: {
    ".land-forest": "forest",
    ".land-mountain": "mountain",
    ".land-plain": "plain",
    ".picto-puma": "puma",
    ".picto-gathering": "gathering",
    ".territory-pile .below": "pile",
    ".heap-hand > h2": "hand",
    ".heap-hand .pile": "heap.pile",
    ".piece.covered, .free-place": "slot",
  },
  "plenty-coups": {
    ".camp:not([data-camp-shared]) h2": "camp",
    "[data-camp-shared] h2": "shared",
    ".herd": "herd",
    ".plain-herd": "plain",
    ".neutral": "neutral",
    ".prestige": "marker.prestige",
    ".extra": "extra",
    ".raid": "raid",
    ".beside .alliance": "alliance",
    ".beside .proposal": "proposal",
    ".beside .gift": "gift",
    ".beside .disdain": "disdain",
    ".supply .display > h2": "display",
    ".heap-of-pile": "pile",
    ".heap-of-discards": "discards",
    ".stage .winter": "winter",
    ".heap-hand > h2": "hand",
    ".tribe-choice": "camp",
  },
};

/** Names every piece and place that is drawn, so that its help can be shown. */
export function explain(frame, page) {
  const { game } = page.state.shown;
  const names = new Map();
  const name = (where, nameOf) => {
    for (const node of frame.querySelectorAll(where)) if (!names.get(node)) names.set(node, nameOf(node));
  };
  for (const [where, place] of Object.entries(PLACES[game] ?? {})) name(where, () => place);
  name(".play .piece, .moves .piece, .seat-details .card", (node) => kindOf(page, node));
  for (const [node, told] of names) {
    const { help } = told ? helpData(game, told) : {};
    if (!help) delete node.dataset.help;
    else if (node.dataset.help !== help) node.dataset.help = help;
  }
}

/** All that is drawn, each kind once, with what it is and does: for whoever points at nothing. */
export async function explainAll({ frame, state }) {
  const { game } = state.shown;
  await loadHelp(game);
  const names = [...frame.querySelectorAll("[data-help]")].map(({ dataset }) => dataset.help.split("/")[1]);
  const told = names.map((name) => helpFor(game, name)).filter(Boolean);
  const kinds = [...new Map(told.map((help) => [help.name, help])).values()];
  const items = kinds.map((help) => item(...helpWords(help)));
  dialog(t("help.all"), el("ul", { class: "help-list" }, ...items));
}

/** What a card shows: its kind, by its id or as the table's document tells it. */
function kindOf({ state, game }, node) {
  const key = (node.dataset.card ? node : node.querySelector("[data-card]"))?.dataset.card;
  if (!key) return node.querySelector(".back") ? "back" : null;
  const id = key.slice(key.indexOf(":") + 1);
  return (faceOf(id) ?? game.face?.(state.shown, id))?.glyph ?? null;
}
