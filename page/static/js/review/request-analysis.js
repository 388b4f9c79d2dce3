// An analysis that is not there yet: what it is, the button that asks for it, how far it is, and how it is called off.

import { api } from "../api.js";
import { actions, button, el } from "../dom.js";
import { hasWords, t } from "../i18n.js";
import { problemWords } from "../problems.js";
import { account, ensureAccount } from "../session.js";
import { LUCK } from "./analysis.js";

const BEING_MADE = new Set(["waiting", "running", "done"]); // done, and about to be read

/** Whose words tell of an analysis of that kind. */
const wordsOf = ({ kind }) => (kind === LUCK ? "luck" : "review");

/** What is wrong, and what can be done about it. */
export function advice(problem) {
  const key = `review.advice.${problem.code}`;
  return [problemWords(problem), hasWords(key) ? ` ${t(key)}` : null].filter(Boolean);
}

/** What stands in the place of an analysis. */
export function asking(page) {
  const found = page.found[page.kind];
  const parts = BEING_MADE.has(found?.status) ? making(page, found) : offer(page, found);
  return el("section", { class: "review-asking", "aria-label": t(`review.kind.${page.kind}`) }, ...parts);
}

function offer(page, found) {
  const { kind } = page;
  const ask = button(t(`review.ask.${kind}`), () => page.tell(() => order(page)), {
    class: "primary",
    data: { key: "ask" },
  });
  return [
    el("p", {}, t(`${wordsOf(page)}.what`)),
    el("p", {}, t(`review.about.${kind}`)),
    found?.status === "failed" && el("p", { class: "refusal", role: "alert" }, t(`${wordsOf(page)}.failed`)),
    actions(ask),
    account ? null : el("p", { class: "hint" }, t("review.guest")),
  ];
}

async function order(page) {
  const { kind } = page;
  await ensureAccount();
  page.onAccount();
  page.found[kind] = await api.post(`/v1/tables/${page.id}/analysis`, { kind });
}

function making(page, { done, of, status }) {
  const cancel = button(t("review.cancel"), () => page.tell(() => callOff(page)), { data: { key: "cancel" } });
  const words = of === null ? t(`review.status.${status}`) : t(`${wordsOf(page)}.progress`, { done, of });
  return [
    el("p", { role: "status" }, words),
    el("progress", { max: of ?? 1, value: of === null ? null : done, "aria-label": t("review.making") }),
    el("p", {}, t("review.leave")),
    page.quiet && el("p", { class: "notice" }, t("review.quiet")),
    account && actions(cancel),
  ];
}

/** Calls it off; one that is over meanwhile is told as it stands then. */
async function callOff(page) {
  const { kind } = page;
  await api.delete(page.path(kind));
  page.found[kind] = null;
}
