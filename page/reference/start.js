// Shows the document of the API. Nothing is asked of another address: no fonts, no telemetry, no proxy, no assistant.

const KEPT = "wintercount.account"; // the account of the page at /, if this browser has one
const COLOURED = matchMedia("(prefers-color-scheme: dark)");

const text = await (await fetch("/openapi.json")).text();
const token = JSON.parse(localStorage.getItem(KEPT) ?? "null")?.secret ?? "";

const configuration = () => ({
  content: JSON.parse(text),
  authentication: { preferredSecurityScheme: "token", securitySchemes: { token: { token } } },
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  hideModels: true, // what a body holds stands with each operation
  hideDarkModeToggle: true,
  forceDarkModeState: COLOURED.matches ? "dark" : "light",
  documentDownloadType: "direct",
  theme: "default", // its colours are replaced by those of style.css
});

if (!window.Scalar) {
  document.querySelector("#without").hidden = false;
  throw new Error("/docs/reference/scalar.js is not there");
}
const reference = window.Scalar.createApiReference("#reference", configuration());
COLOURED.addEventListener("change", () => reference.updateConfiguration(configuration()));

// What the library leaves without a name or out of a keyboard's reach, or calls what it is not.
const set = (name, value) => (element) => element.setAttribute(name, value);
const drop = (name) => (element) => element.removeAttribute(name);
const MENDED = {
  ".scalar-code-copy:not([aria-label])": set("aria-label", "Copy"),
  ".show-more[aria-label]": drop("aria-label"),
  ".custom-scroll:not([tabindex]), .endpoints:not([tabindex]), .cm-scroller[tabindex='-1']": set("tabindex", "0"),
  "button[role=none]": drop("role"),
  "button[class*=copy-button][aria-controls]": drop("aria-controls"),
  ".code-input-lite__editor[role=combobox]": set("role", "textbox"),
  ".cm-content:not([aria-label])": set("aria-label", "Text"),
  "input[role=combobox]:not([aria-expanded])": set("aria-expanded", "true"),
  "[role=dialog] main:not([role])": set("role", "presentation"),
};

function mend() {
  for (const [selector, change] of Object.entries(MENDED)) document.querySelectorAll(selector).forEach(change);
}

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
