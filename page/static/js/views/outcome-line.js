// The outcome of a ruling in one sentence: for a trial, which cards stand and fall; otherwise the sentence of the log.

import { t, together } from "../i18n.js";
import { cardName, nameAt } from "../names.js";
import { logLine } from "./log-line.js";

/** `event` is one of the log, or one that a remedy would lead to. */
export function outcomeLine(page, event) {
  const { turned_down: down, face_up_after: up } = event.payload;
  if (!down) return logLine(page, event).flat();
  const of = (seat, card) => t("dispute.card_of", { name: nameAt(page.state.live, seat), card: cardName(card) });
  const falls = down.map(({ seat, card }) => of(seat, card));
  const stands = (up?.cards ?? []).map((card) => of(up.seat, card));
  return [told("down", falls), " ", stands.length ? told("stands", stands) : t("dispute.nobody_stands")];
}

const told = (key, cards) => t(`dispute.${key}`, { n: cards.length, cards: together(cards) });
