// House rules to choose from, as the game's rulings leave them open.

import { el, field, select } from "./dom.js";
import { t } from "./i18n.js";
import { optionWords, valueWords } from "./words.js";

/** A folded list of the game's house rules; `changed()` gives those that were chosen otherwise than `inForce` has them. */
export function houseRules(options, inForce = {}) {
  const open = options.filter((option) => option.values.length > 1);
  const now = (option) => JSON.stringify(inForce[option.name] ?? option.default);
  const controls = open.map((option) => {
    const rows = option.values.map((value) => [JSON.stringify(value), valueWords(option.name, value)]);
    return select(option.name, rows, now(option));
  });
  const labels = open.map(({ name, ruling }, index) =>
    field([`${optionWords(name)} `, el("span", { class: "ruling-of" }, `(${ruling})`)], controls[index]),
  );
  return {
    node: el(
      "details",
      { class: "house-rules" },
      el("summary", {}, t("options.title")),
      el("div", { class: "fields" }, ...labels),
    ),
    changed: () =>
      Object.fromEntries(
        open.flatMap((option, index) =>
          controls[index].value === now(option) ? [] : [[option.name, JSON.parse(controls[index].value)]],
        ),
      ),
  };
}
