// The end of a game: who won, how each total came about, and what can be done now.

import { button, el } from "../dom.js";
import { t } from "../i18n.js";
import { mark } from "../marks.js";
import { seatName } from "../names.js";

/** The ranking with its winners, and the buttons for another game, a look back and the link. */
export function ending({ state, act, game }) {
  const { live } = state;
  const suitOf = game.suits(live);
  const ranked = [...live.scores.scores].sort((one, other) => one.rank - other.rank);
  const rows = ranked.map(({ seat, rank, total }) =>
    el(
      "li",
      { class: `suit-${suitOf(seat)}${rank === 1 ? " first" : ""}` },
      el("span", { class: "place" }, `${rank}.`),
      mark(suitOf(seat)),
      el("span", {}, seatName(live.seats[seat - 1])),
      el("strong", {}, String(total)),
    ),
  );
  const look = () => act.turn("figures");
  return el(
    "div",
    { class: "ending" },
    el("ol", { class: "ranking", "aria-label": t("ending.ranking") }, ...rows),
    el(
      "div",
      { class: "actions" },
      button(t("ending.figures"), look, { data: { key: "ending-figures" } }),
      button(t("ending.review"), () => act.travel(1), { data: { key: "review" } }),
      live.seat ? button(t("ending.rematch"), act.rematch, { class: "primary", data: { key: "rematch" } }) : null,
    ),
  );
}
