// A ruling is contested: which rule, how it should be read instead, and why.

import { button, dialog, el, field } from "../dom.js";
import { pair, t } from "../i18n.js";
import { reading } from "../words.js";

const LONGEST = 1000;

/** The dialog in which a dispute is opened. */
export function contest(page, ruling) {
  const readings = ruling.rules.flatMap(readingsOf);
  const likely = Math.max(
    0,
    readings.findIndex(({ options }) => Object.keys(options).length),
  );
  const chosen = el("select", { name: "reading" }, ...groups(ruling.rules, readings));
  chosen.value = likely;
  const claim = el("textarea", { name: "claim", rows: 3, maxlength: LONGEST, required: true });
  const send = button(t("dispute.open_now"), submit, { class: "primary", data: { contest: "" } });
  const form = el(
    "form",
    { class: "asking", on: { submit: (event) => event.preventDefault() } },
    field(t("dispute.reading"), chosen),
    field(t("dispute.claim"), claim),
  );
  const box = dialog(
    t("dispute.title", { version: ruling.version }),
    t("close"),
    form,
    el("p", { class: "hint" }, t(`dispute.hint.${page.state.live.disputes.by}`)),
    el("div", { class: "actions" }, send),
  );

  async function submit() {
    if (!form.reportValidity()) return;
    send.disabled = true;
    const { rule, options } = readings[Number(chosen.value)];
    const remedy = Object.keys(options).length ? { reading: options } : { correction: 1 };
    const body = { seat: page.state.live.seat, version: ruling.version, rule, claim: claim.value.trim(), remedy };
    if (await page.act.contest("disputes", body)) box.close();
    else send.disabled = false;
  }
}

/** Every other reading of a rule, the nearest at hand first; last, that it was applied wrongly. */
function readingsOf(rule) {
  const others = rule.options.flatMap((option) =>
    option.values
      .filter((value) => value !== option.in_force)
      .map((value) => ({ rule: rule.id, options: { [option.option]: value } })),
  );
  return [...others, { rule: rule.id, options: {} }];
}

function groups(rules, readings) {
  return rules.map((rule) => {
    const rows = readings
      .map((reading, index) => ({ ...reading, index }))
      .filter((reading) => reading.rule === rule.id);
    return el(
      "optgroup",
      { label: rule.id },
      ...rows.map(({ options, index }) =>
        el("option", { value: index }, reading(options) || pair(rule.id, t("dispute.misapplied"))),
      ),
    );
  });
}
