// A finished game decided again under another house rule: where it first comes out otherwise, and the scores then.

import { el, row, sheet } from "../dom.js";
import { plainRefusal } from "../help.js";
import { t } from "../i18n.js";
import { nameAt } from "../names.js";
import { problemWords } from "../problems.js";
import { addressOf } from "../router.js";

/** What came of it, as an element; nothing if it was not asked for. */
export function answerOf(state, answer) {
  if (!answer) return null;
  if (answer.waiting) return el("p", { class: "hint", role: "status" }, t("plot.loading"));
  if (answer.problem)
    return el("p", { class: "refusal", role: "alert" }, problemWords(answer.problem, state.live.game));
  return el("div", { class: "again", role: "status" }, ...told(state, answer.found));
}

function told(state, found) {
  if (!found.divergence) return [el("p", {}, t("again.same"))];
  const { divergence, stop } = found;
  const link = el(
    "a",
    { href: addressOf(state.id, divergence.version, state.seat) },
    t("again.event", { version: divergence.version }),
  );
  return [
    el("p", {}, t("again.differs"), " ", link, "."),
    stop &&
      el(
        "p",
        {},
        t("again.stop", { version: stop.version, seat: stop.seat, rule: stop.rule }),
        " ",
        plainRefusal(state.live.game, stop.rule),
      ),
    scores(state, found),
    el("p", { class: "hint" }, t("again.counterfactual")),
  ];
}

function scores(state, found) {
  const then = new Map((found.scores_decided?.scores ?? []).map((row) => [row.seat, row.total]));
  const rows = (found.scores_recorded?.scores ?? []).map(({ seat, total }) =>
    row(nameAt(state.live, seat), [String(total), String(then.get(seat) ?? "–")]),
  );
  const columns = ["score.seat", "again.recorded", found.over ? "again.decided" : "again.so_far"];
  return sheet(
    columns.map((key) => t(key)),
    rows,
  );
}
