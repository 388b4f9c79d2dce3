// The pictures of the rules pages, as the text itself writes them: `table BM-R7b`, the table at which a case of the
// register begins; or pieces in rows, `scout-1@1 > sorcerer-1@2@down | =3 ~9`, each by its id and whose it is. Behind `=`
// stand words, behind `~` what is struck out; `warrior.9.4` is a card of Tomahawk by its number and its locks of hair.

import { api } from "../api.js";
import { board } from "../views/board.js";
import { card, drawn, fallen } from "../cards.js";
import { el, redraw } from "../dom.js";
import { helpData } from "../words.js";
import { t } from "../i18n.js";
import { faceOf } from "../names.js";
import { gameModule } from "../views/games/index.js";

/** The picture of a game that such a source tells. */
export function picture(game, source) {
  if (source.startsWith("table ")) return tableNode(game, source.slice(6));
  const rows = source.split("|").map((row) => row.trim().split(" "));
  return el("div", { class: "picture" }, ...rows.map((row) => el("p", {}, ...row.map((part) => partOf(game, part)))));
}

function tableNode(game, name) {
  const box = el("div", { class: "picture case-board" });
  const asked = [gameModule(game), api.get(`/v1/games/${game}/cases/${name}`)];
  Promise.all(asked)
    .then(([module, { outcomes }]) => redraw(box.node, board(module, tableOf(game, outcomes[0].moments[0]))))
    .catch(() => box.node.remove()); // its words stay
  return box;
}

function partOf(game, part) {
  if (part === ">") return el("span", { class: "picture-arrow" }, "→");
  if (part.startsWith("=")) return el("strong", {}, part.slice(1));
  if (part.startsWith("~")) return el("s", {}, part.slice(1));
  const [id, suit, state] = part.split("@");
  const [glyph, rank, hair] = id.split(".");
  const face = faceOf(id) ?? { glyph, rank, hair: Number(hair), hero: glyph !== "warrior" };
  const node = state ? fallen(id, suit) : faceOf(id) ? drawn(id, suit) : card(face, suit);
  return el("span", { class: "piece", data: helpData(game, faceOf(id) ? id : glyph) }, node);
}

/** The document of a table at a moment of a case, as far as a board needs it: nobody sits there, nothing is to be decided. */
export function tableOf(game, { view }) {
  const seats = (view.seats ?? view.camps).map((_, index) => ({
    seat: index + 1,
    name: t("register.seat", { number: index + 1 }),
    player: null,
    level: null,
  }));
  const { options, scores } = view;
  return { id: "", game, version: 0, view, seats, decisions: [], seat: null, scores, options };
}
