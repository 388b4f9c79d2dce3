// Between which ratings somebody may be who takes an open seat, in words.

import { t } from "./i18n.js";

/** A range in words: `1400–1600`, `1400+`. */
export function rangeWords({ least, most, provisional }) {
  const bounds = most === null ? `${least ?? 0}+` : `${least ?? 0}–${most}`;
  return t("ranges.words", { range: bounds }) + (provisional ? "" : t("ranges.settled"));
}
