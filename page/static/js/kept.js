// What this browser keeps for the page. People and other programs may change it, so nothing relies on its form.

/** The object that a kept text is; null for no text, and for anything else. */
export function objectIn(text) {
  try {
    const found = JSON.parse(text);
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}
