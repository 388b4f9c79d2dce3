// The page's own words, as each language prints them. Sentences about events and rulings come from the API in the same
// language.

const LANGUAGES = ["en", "fr"];
const KEPT = "wintercount.language";

let words = {};
let more = null;
export let language = "en";

/** Loads the language that was chosen, or else the browser's, or else English. */
export async function loadLanguage() {
  const wished = [localStorage.getItem(KEPT), ...navigator.languages.map((name) => name.slice(0, 2))];
  language = wished.find((name) => LANGUAGES.includes(name)) ?? "en";
  words = await fetched(`/page/i18n/${language}.json`);
  more = null;
  document.documentElement.lang = language;
}

const fetched = async (address) => typeset(await (await fetch(address)).json(), language);

/** Loads the words of the views that few people ask for. */
export async function loadMoreWords() {
  more ??= fetched(`/page/i18n/later/${language}.json`);
  words = { ...words, ...(await more) };
}

export async function chooseLanguage(name) {
  localStorage.setItem(KEPT, name);
  await loadLanguage();
}

export const otherLanguage = () => LANGUAGES.find((name) => name !== language);

/** The words for a key; `{name}` is replaced, and `n` chooses between `key.one` and `key.other`. */
export function t(key, values = {}) {
  const plural = "n" in values ? `${key}.${new Intl.PluralRules(language).select(values.n)}` : key;
  const text =
    words[plural] ?? words[`${key}.other`] ?? words[key] ?? key.slice(key.indexOf(".") + 1).replaceAll("_", " ");
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether the page has words for a key; those of a game that it does not know are missing. */
export const hasWords = (key) => [key, `${key}.other`].some((each) => each in words);

/** A name and what it is, as the language puts the colon. */
export const pair = (name, value) => t("pair", { name, value });

/** What stands between a name and what follows it, where these are more than words. */
export const colon = () => pair("", "");

/** Several as the language lists them: "A, B and C"; a name that has a comma is quoted. */
export const together = (names) =>
  new Intl.ListFormat(locale()).format(names.map((name) => (name.includes(",") ? t("quoted", { name }) : name)));

export const capital = (text) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

/** How dates are written: as the browser's region has them, where it speaks the language that was chosen. */
export const locale = () => navigator.languages.find((name) => name.slice(0, 2) === language) ?? language;

/** A moment as people of this language write it. */
export const moment = (stamp) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(stamp));

const NARROW = "\u202f";

/** French as it is printed: ’ for the apostrophe, narrow no-break spaces before : ; ! ? » and after «. */
const french = (text) =>
  text
    .replace(/(?<=[\p{L}\d])'(?=[\p{L}\d{]|$)/gu, "’")
    .replace(/ (?=[:;!?»])/g, NARROW)
    .replace(/(?<=«) /g, NARROW);

const SETTERS = { fr: french };

/** A text, or the texts in lists and objects, as the language prints them. */
export function typeset(value, language) {
  const set = SETTERS[language];
  if (!set) return value;
  if (typeof value === "string") return set(value);
  if (Array.isArray(value)) return value.map((item) => typeset(item, language));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, typeset(item, language)]));
}
