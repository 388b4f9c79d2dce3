// House rules to choose from, as the game's rulings leave them open.

import { el, field, select } from "./dom.js";
import { t } from "./i18n.js";
import { optionWords, valueWords } from "./help-words.js";

/** The default of a house rule; `jsonOf` gives the values of the others. */
const usual = ({ default: first, other_defaults }, jsonOf) =>
  other_defaults.find(({ option, value }) => jsonOf(option) === JSON.stringify(value))?.default ?? first;

/** Whether a house rule is in force otherwise than by default. */
export const isUnusual = (option, inForce) => {
  const jsonOf = (name) => JSON.stringify(inForce[name]);
  return jsonOf(option.name) !== JSON.stringify(usual(option, jsonOf));
};

/** A folded list of the game’s house rules; what nobody touched follows the defaults of the others, as of an edition.
 * `changed()` gives those that were chosen otherwise than they would hold by default, or than `inForce` has them. */
export function houseRules(options, inForce = {}) {
  const open = options.filter((option) => option.values.length > 1);
  const first = open.map((option) => JSON.stringify(inForce[option.name] ?? option.default));
  const controls = open.map((option, index) => {
    const rows = option.values.map((value) => [JSON.stringify(value), valueWords(option.name, value)]);
    return select(option.name, rows, first[index]);
  });
  const at = (index) => controls[index]?.node?.value ?? first[index];
  const chosen = (name) => at(open.findIndex((option) => option.name === name));
  const now = () => open.map((option) => JSON.stringify(inForce[option.name] ?? usual(option, chosen)));
  let before = now();
  const labels = open.map(({ name, ruling }, index) =>
    field([`${optionWords(name)} `, el("span", { class: "ruling-of" }, `(${ruling})`)], controls[index]),
  );
  const follow = () => {
    const after = now();
    controls.forEach(({ node }, index) => {
      if (node.value === before[index]) node.value = after[index];
    });
    before = after;
  };
  return {
    node: el(
      "details",
      { class: "house-rules", on: { change: follow } },
      el("summary", {}, t("options.title")),
      el("div", { class: "fields" }, ...labels),
    ),
    changed: () =>
      Object.fromEntries(
        open.flatMap(({ name }, index) => (at(index) === before[index] ? [] : [[name, JSON.parse(at(index))]])),
      ),
  };
}
