// Learn from your mistakes: the decisions of a seat that lost most, one after the other, each to be tried again.

import { button, el } from "../dom.js";
import { start } from "../effects/quick-start.js";
import { t } from "../i18n.js";
import { nameAt } from "../piece-names.js";
import { mistakesOf } from "./figures.js";

const USUAL_LEVEL = "greedy"; // plays for whoever is not here

/** Where the mistakes of a seat are gone through from; nothing if none was found. */
export function learningLink(page, seat) {
  const [worst] = mistakesOf(page.analysis, seat);
  if (!worst) return null;
  const own = page.table.seat === seat;
  const words = own ? t("review.learn") : t("review.learn_of", { name: nameAt(page.table, seat) });
  const href = page.address({ learn: seat, at: worst.version });
  return el("a", { class: own ? "review-own" : null, href, data: { key: `learn-${seat}` } }, words);
}

/** Which mistake this is, with the way to the next; nothing while mistakes are not gone through. */
export function learningHead(page) {
  const { learn, at } = page.choice;
  if (!learn) return null;
  const found = mistakesOf(page.analysis, learn);
  const number = found.findIndex(({ version }) => version === at);
  const next = found[number + 1];
  const on = next
    ? el("a", { href: page.address({ at: next.version }), data: { key: "next-mistake" } }, t("review.next_mistake"))
    : t("review.last_mistake");
  const end = el("a", { href: page.address({ learn: null }), data: { key: "end-learning" } }, t("review.end_learning"));
  const words = number < 0 ? null : t("review.mistake_of", { number: number + 1, of: found.length });
  return el("p", { class: "review-learning" }, words && el("strong", {}, words), on, end);
}

/** The button that opens a branch before the decision, with oneself at its seat. */
export const tryAgain = (page) =>
  button(t("review.try_again"), () => page.tell(() => branch(page)), { data: { key: "try-again" } });

async function branch({ id, table, decision }) {
  const seats = table.seats.map(({ seat, level }) =>
    seat === decision.seat ? { kind: "me" } : { kind: "ai", level: level ?? USUAL_LEVEL },
  );
  await start(`/v1/tables/${id}/forks`, { version: decision.version - 1, options: {}, chance: "anew", seats });
}
