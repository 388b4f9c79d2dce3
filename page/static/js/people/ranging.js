// Between which ratings the others may be: a part of the dialog that opens tables.

import { el, field, folded } from "../dom.js";
import { t } from "../i18n.js";

/** The fields; `chosen()` is the range, or null if nothing is bounded. */
export function choosingRange() {
  const [least, most] = ["least", "most"].map((name) =>
    el("input", { type: "number", name, min: 0, max: 9999, step: 50, inputmode: "numeric" }),
  );
  const settled = el("input", { type: "checkbox", name: "settled" });
  const node = folded(
    t("ranges.title"),
    el(
      "div",
      { class: "fields" },
      field(t("ranges.least"), least),
      field(t("ranges.most"), most),
      field(t("ranges.no_provisional"), settled),
    ),
    el("p", { class: "hint" }, t("ranges.hint")),
  );
  const points = ({ value }) => (value === "" ? null : Number(value));
  const chosen = () => {
    const range = { least: points(least.node), most: points(most.node), provisional: !settled.node.checked };
    return range.least === null && range.most === null && range.provisional ? null : range;
  };
  return { node, chosen };
}
