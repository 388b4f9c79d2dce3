// The prompt of a decision, as a friend would say it: what to do, then what is asked for next; and why.

import { capital, hasWords, t } from "../i18n.js";
import { nameAt, namesOf } from "../names.js";
import { bare, formInUse, next, swapped } from "../state/composer.js";

/** "Lay a card on a ground", "On which ground?", or the choice among kinds of move, with the actions that are left. */
export function promptOf({ state }, composition) {
  const { actions } = state.shown.view;
  const form = formInUse(composition);
  const begun = composition.picks.length > 0;
  if (!form && begun) return t("prompt.kind_for");
  if (!form) return actions ? t("prompt.actions", { n: actions }) : t("prompt.kind");
  const part = begun && next(composition);
  if (part && hasWords(`next.${part.field}`)) return t(`next.${part.field}`, { n: part.need });
  return capital(
    t(`${hasWords(`prompt.${form.type}`) ? "prompt" : "move"}.${form.type}`, {
      n: form.choose ?? next(composition)?.need ?? 1,
    }),
  );
}

/** "Chief instead of hunter 3": what the last pick took the place of, or null. */
export function swapOf({ state: { shown }, game }, composition) {
  const picks = swapped(composition);
  if (!picks) return null;
  const [taken, left] = picks.map(({ value }) => value);
  if (taken.card && taken.card === left.card) return capital(game.nameOf(shown, "keep", taken)); // another warrior leaves
  const [card, other] = picks.map(({ fields: [field], value }) =>
    value.card ? game.nameOf(shown, "card", value.card) : game.nameOf(shown, bare(field), value),
  );
  return capital(t("instead", { card, other }));
}

/** Why: what the table is about to do, and who else decides. */
export function reasonOf({ state }, composition) {
  const { live } = state;
  const form = formInUse(composition);
  const others = live.decisions.map(({ seat }) => seat).filter((seat) => seat !== live.seat);
  const { dealer } = live.view;
  const values = { dealer: dealer ? nameOf(live, dealer) : "", hunt: live.view.hunt };
  const key = form ? `why.${form.type}` : "why.kind";
  const why = hasWords(key) ? t(key, values) : "";
  return others.length ? `${why} ${t("moves.also", { names: namesOf(live, others) })}` : why;
}

const nameOf = (live, seat) => (seat === live.seat ? t("seat.you") : nameAt(live, seat));
