// A finished game decided again under another house rule: where it first comes out otherwise, and the scores then.

import { api } from "./api.js";
import { el } from "./dom.js";
import { plainRefusal } from "./help.js";
import { t } from "./i18n.js";
import { seatName } from "./names.js";
import { problemWords } from "./problems.js";
import { addressOf } from "./router.js";
import { knownPlayer } from "./session.js";

/** What came of it, as an element. */
export async function decideAgain(page, option, value) {
  try {
    await knownPlayer();
    page.onAccount();
    const found = await api.post(`/v1/tables/${page.id}/readjudications`, { options: { [option]: value } });
    return el("div", { class: "again", role: "status" }, ...told(page, found));
  } catch (problem) {
    return el("p", { class: "refusal", role: "alert" }, problemWords(problem, page.live.game));
  }
}

function told(page, found) {
  if (!found.divergence) return [el("p", {}, t("again.same"))];
  const { divergence, stop } = found;
  const link = el("a", { href: addressOf(page.id, divergence.version, page.seat) }, t("again.event", { version: divergence.version }));
  return [
    el("p", {}, t("again.differs"), " ", link, "."),
    stop && el("p", {}, t("again.stop", { version: stop.version, seat: stop.seat, rule: stop.rule }), " ", plainRefusal(page.live.game, stop.rule)),
    scores(page, found),
    el("p", { class: "hint" }, t("again.counterfactual")),
  ];
}

function scores(page, found) {
  const then = new Map((found.scores_decided?.scores ?? []).map((row) => [row.seat, row.total]));
  const rows = (found.scores_recorded?.scores ?? []).map((row) =>
    el("tr", {}, el("th", { scope: "row" }, seatName(page.live.seats[row.seat - 1])), el("td", {}, String(row.total)), el("td", {}, String(then.get(row.seat) ?? "–"))),
  );
  const header = el("tr", {}, ...["score.seat", "again.recorded", found.over ? "again.decided" : "again.so_far"].map((key) => el("th", { scope: "col" }, t(key))));
  return el("table", {}, el("thead", {}, header), el("tbody", {}, ...rows));
}
