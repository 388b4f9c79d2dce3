// The prompt of a decision: what I have to do, why it is asked, and what is still missing.

import { capital, hasWords, t } from "../i18n.js";
import { nameAt, namesOf } from "../names.js";
import { formInUse, slots } from "../state/composer.js";

/** "Choose 7 cards for your party", "Lay a card on a ground", or the choice among kinds of move. */
export function promptOf({ state }, composition) {
  const form = formInUse(composition);
  if (!form) return t(composition.waiting ? "prompt.kind_for" : "prompt.kind", { n: state.shown.view.actions ?? 0 });
  return capital(t(`prompt.${form.type}`, { n: form.choose ?? 1 }));
}

/** Why: what the table is about to do, and who else decides. */
export function reasonOf({ state }, composition) {
  const { live } = state;
  const form = formInUse(composition) ?? composition.forms[0];
  const others = live.decisions.map(({ seat }) => seat).filter((seat) => seat !== live.seat);
  const { dealer } = live.view;
  const values = { dealer: dealer ? nameOf(live, dealer) : "", hunt: live.view.hunt, actions: live.view.actions };
  const key = formInUse(composition) ? `why.${form.type}` : "why.kind";
  const why = hasWords(key) ? t(key, values) : "";
  return others.length ? `${why} ${t("moves.also", { names: namesOf(live, others) })}` : why;
}

const nameOf = (live, seat) => (seat === live.seat ? t("seat.you") : nameAt(live, seat));

/** "Still missing: 2 cards", "Still missing: the ground". */
export function missing(composition) {
  if (!formInUse(composition)) return t("missing.kind");
  const lacking = slots(composition).filter(({ need }) => need > 0);
  if (lacking.length > 1 && lacking.every(({ field }) => field === "pile"))
    return t("missing", { parts: t("missing.pile", { n: lacking.length }) });
  const parts = lacking.map(({ field, need }) => t(`missing.${field}`, { n: need }));
  return parts.length ? t("missing", { parts: parts.join(", ") }) : t("missing.choice");
}
