// What the sentences of a game call its cards.

import { t } from "./i18n.js";
import { faceOf } from "./names.js";

const BARE = "plenty-coups"; // where a card without a number is called by its kind: horse, coup-stick
const LETTERS = "abcdefgh"; // of copies, where a game tells them apart so
const SHORT = /^[abx]\d+$/; // a card of Tomahawk
const LAND = /^T\d+$/; // a territory of Tomahawk

/** Whether an id in a payload is that of a card or tile of this game. */
export const cardsOf = (game) => (id) =>
  (game === "tomahawk" && (SHORT.test(id) || LAND.test(id))) ||
  (faceOf(id) !== undefined && (game === BARE || id.includes("-")));

/** What a card may be called in a sentence: by the words of the game, and by its id alone where it has no others. */
export function spoken(id, face) {
  if (LAND.test(id)) return [id];
  if (SHORT.test(id)) return [...(face ? [`${t(`card.${face.name}`)} ${id}`] : []), id];
  const { tribe, rank } = faceOf(id);
  if (tribe) return [`${t(`warrior.${tribe}`)} ${rank}`];
  const [, stem, rest = ""] = /^(.+?)(-\d[\d-]*)?$/.exec(id);
  const [number, copy] = rest.slice(1).split("-");
  const lettered = copy ? [`${number}${LETTERS[copy - 1]}`] : [];
  return [`card.${stem}`, `spoken.${stem}`].flatMap((key) =>
    [rest.slice(1), ...lettered].map((figure) => `${t(key)} ${figure}`.trim()),
  );
}
