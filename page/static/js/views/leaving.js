// Leaving a game: to resign, to abort it or to call it a draw; and an offer that waits for an answer.

import { actions, button, el } from "../dom.js";
import { t } from "../i18n.js";
import { nameAt, namesOf } from "../piece-names.js";
import { account } from "../session.js";
import { isOver } from "../state/table.js";

/** The ways to leave, in the menu of a table; each asks first. */
export function ways({ state: { live }, act }) {
  if (live.transcribed || live.status === "finished") return [];
  const runs = live.status === "running" && live.seat !== null;
  const people = live.seats.filter(({ kind }) => kind === "player").length;
  const opens = account?.player === live.opened_by;
  const offer = (kind) => () => act.contest("offers", { kind, seat: live.seat });
  return [
    runs && people > 1 && way("draw", offer("draw")),
    (runs || opens) && way("abort", offer("abort")),
    runs && way("resign", () => act.contest(`seats/${live.seat}/resign`, {})),
  ];
}

const way = (name, leave) =>
  button(t(`leaving.${name}`), () => confirm(t(`leaving.${name}_sure`)) && leave(), {
    class: "quiet",
    data: { key: `leaving-${name}` },
  });

/** The offer that waits, above the table. */
export function offerNotice({ state, act }) {
  const { live } = state;
  if (!live.offer || isOver(state)) return null;
  const { id, kind, seat, missing } = live.offer;
  const named = (number) => nameAt(live, number);
  const mine = missing.includes(live.seat);
  const answer = (agrees) => act.contest(`offers/${id}/answer`, { seat: live.seat, agrees });
  const answers = [true, false].map((agrees) => {
    const key = agrees ? "offer.agree" : "offer.refuse";
    return button(t(key), () => answer(agrees), {
      class: agrees ? "primary" : null,
      data: { key, offer: `${agrees}` },
    });
  });
  const waits = mine ? null : ` ${t("offer.missing", { names: namesOf(live, missing) })}`;
  return el(
    "section",
    { class: "notice-row", "aria-label": t("offer") },
    el("p", {}, t(`offer.${kind}`, { name: named(seat) }), waits),
    mine ? actions(...answers) : null,
  );
}
