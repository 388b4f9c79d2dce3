// What statistics tell, in groups and in words: features and their values.

import { t } from "../i18n.js";
import { optionWords, valueWords, words } from "../words.js";

export const YES = "yes";
const YES_OR_NO = [YES, "no"];

/** The groups of features that there are: openings, what a seat has at the end, house rules, how games end. */
export function groupsOf(features) {
  const groups = { opening: [], ending: [], option: [], game: [] };
  for (const feature of features) groups[groupOf(feature)].push(feature);
  return Object.entries(groups).filter(([, rows]) => rows.length);
}

function groupOf({ of, values }) {
  if (of !== "seat") return of;
  return values.every(({ value }) => YES_OR_NO.includes(value)) ? "ending" : "opening";
}

/** Who holds a seat. */
export const levelWords = (level) => t(["people", "bots"].includes(level) ? `stat.${level}` : `level.${level}`);

/** What a feature is called. */
export const featureWords = ({ of, name }) => (of === "option" ? optionWords(name) : t(`stat.feature.${name}`));

/** What a value of a feature is called. */
export function wordsOf({ of, name }, value) {
  if (of === "option") return value === "other" ? t("stat.other") : valueWords(name, JSON.parse(value));
  return (WORDS[name] ?? plain)(value);
}

const plain = (value) => {
  if (YES_OR_NO.includes(value)) return t(`stat.${value}`);
  return /^\d+$/.test(value) ? value : words(value);
};

/** A party: how many of each kind of card. */
const party = (value) =>
  value
    .split(" ")
    .map((each) => each.split(":"))
    .map(([kind, number]) => `${number} × ${words(kind)}`)
    .join(", ");

const WORDS = {
  first_party: party,
  first_ground: (number) => t("stat.ground", { number }),
  winners: (number) => t("stat.winners", { n: Number(number) }),
};
