// The end of a game in the tray: what can be done now.

import { actions, button, el } from "../dom.js";
import { t } from "../i18n.js";
import { recordAddress, reviewAddress } from "../router.js";
import { share } from "../share.js";
import { NO_RESULT } from "./finale.js";

/** Another game with the same people, what is to be read about this one, the link, and the end over the table if it was put away. */
export function ending({ state, act }) {
  const look = () => act.turn("figures");
  return el(
    "div",
    { class: "ending" },
    actions(
      state.finale || NO_RESULT.has(state.live.closed)
        ? null
        : button(t("finale.open"), () => act.finale(true), { data: { key: "finale-open" } }),
      button(t("ending.figures"), look, { data: { key: "ending-figures" } }),
      state.live.transcribed ? null : reviewLink(state),
      el("a", { class: "quiet-link", href: recordAddress(state.id), data: { key: "ending-record" } }, t("record")),
      button(t("ending.share"), () => share(), { data: { key: "ending-share" } }),
      state.live.seat ? button(t("ending.rematch"), act.rematch, { class: "primary", data: { key: "rematch" } }) : null,
    ),
  );
}

/** What the decisions were worth; the record of a text proves nothing, so it is analysed elsewhere. */
const reviewLink = ({ id }) =>
  el("a", { class: "quiet-link", href: reviewAddress(id), data: { key: "decisions" } }, t("review.link"));
