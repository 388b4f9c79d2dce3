// Canonical JSON (docs/log.md): names in code point order, no white space, UTF-8 unescaped; there are no floats.

/** The text of a value. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort(byCodePoints);
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** JavaScript compares halves of characters: those beyond the first 65,536 would come before some that they follow. */
function byCodePoints(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(left.length, right.length); place++) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) return difference;
  }
  return left.length - right.length;
}
