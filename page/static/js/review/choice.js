// What the address of a review chooses: the kind of analysis, a decision, whose mistakes are gone through, whose eyes.

export const OF_DECISIONS = ["quick", "deep"]; // the more thorough one last
export const LUCK = "luck";
export const KINDS = [...OF_DECISIONS, LUCK];

const whole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) || null : null);

/** The choice that a query names; what it names wrongly is not chosen. */
export function choiceOf(query) {
  const given = new URLSearchParams(query);
  const kind = given.get("kind");
  return {
    kind: KINDS.includes(kind) ? kind : null,
    at: whole(given.get("at")),
    learn: whole(given.get("learn")),
    eyes: whole(given.get("eyes")),
  };
}
