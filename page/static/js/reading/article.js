// A text in the little Markdown of the rules pages: headings, pictures on a line of their own, and ids of rules as links.

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { markdown, spans } from "../markdown.js";
import { ruleAddress } from "../router.js";
import { picture } from "./pictures.js";

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
