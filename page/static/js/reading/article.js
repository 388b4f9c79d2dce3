// A text in the little Markdown of the rules pages: headings, pictures on a line of their own, and ids of rules as links.

import { api } from "../api.js";
import { card, drawn, fallen } from "../cards.js";
import { el, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { markdown, spans } from "../markdown.js";
import { faceOf } from "../piece-names.js";
import { ruleAddress } from "../router.js";
import { board } from "../views/board.js";
import { gameModule } from "../views/games/index.js";
import { helpData } from "../help-words.js";

const PICTURE = /^!\[([^\]]*)\]\((.+)\)$/;
const HEADING = /^(#{1,2}) (.*)$/;
const RULE = /(\[[A-Z]{2}-[\dR][\d.]*[a-z]?\])/;

/** The sections of a text: each a heading and what stands below it, first the title with the lead. */
export function sections(text) {
  const found = [];
  for (const block of text.trim().split(/\n{2,}/)) {
    const heading = HEADING.exec(block);
    if (heading) found.push({ title: heading[2], level: heading[1].length, blocks: [] });
    else found.at(-1).blocks.push(block);
  }
  return found.map((each, number) => ({ ...each, id: `part-${number}` }));
}

/** The elements of a section. */
export function blocks(section, game) {
  return section.blocks.flatMap((block) => {
    const found = PICTURE.exec(block);
    return found ? [figure(picture(game, found[2]), found[1])] : linked(markdown(block), game);
  });
}

export const heading = (section) =>
  el(`h${section.level}`, { id: section.id, tabindex: "-1" }, ...spans(section.title));

const figure = (drawing, caption) => el("figure", {}, drawing, el("figcaption", {}, caption));

/** Rule ids in the text become links to what the rule says. */
function linked(node, game) {
  if (typeof node === "string") return parts(node, game);
  if (Array.isArray(node)) return node.map((each) => linked(each, game));
  if (node?.props) node.props.children = linked(node.props.children, game);
  return node;
}

const parts = (text, game) =>
  text
    .split(RULE)
    .filter(Boolean)
    .map((part) => (RULE.test(part) ? ruleLink(game, part.slice(1, -1)) : part));

/** A link to a rule. */
export const ruleLink = (game, id) =>
  el("a", { class: "rule-link", href: ruleAddress(game, id), "aria-label": t("rules.rule", { id }) }, id);

/**
 * A picture of a game, as the text itself writes it: `table BM-R7b`, the table at which a case of the register begins; or
 * pieces in rows, `scout-1@1 > sorcerer-1@2@down | =3 ~9`, each by its id and whose it is. Behind `=` stand words, behind
 * `~` what is struck out; `warrior.9.4` is a card of Tomahawk by its number and its locks of hair.
 */
function picture(game, source) {
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
