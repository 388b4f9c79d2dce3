// The filters of games played: as the address has them, as the service is asked, and as they are chosen.

import { el, field, select } from "../dom.js";
import { pair, t } from "../i18n.js";
import { go, playedAddress } from "../router.js";
import { optionWords, useWords, valueWords } from "../words.js";
import { levelWords } from "./features.js";

const ALWAYS = ["game", "seats", "player", "rated"]; // the others are folded away until one is chosen
const FURTHER = ["level", "result", "options", "disputed", "since", "until"];
const RANGES = ["moves_from", "moves_to", "rating_from", "rating_to"];
const FILTERS = [...ALWAYS, ...FURTHER, ...RANGES];
const TRUTHS = ["true", "false"];

/** The filters in a query. */
export function filtersOf(query) {
  const given = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, given.get(name)]).filter(([, value]) => value));
}

/** The filters as the service takes them: days are those of the reader, and a result is that of somebody. */
export function asked({ since, until, result, ...others }) {
  return {
    ...others,
    ...(result && (others.player || others.level) ? { result } : {}),
    ...(since ? { since: startOf(since, 0) } : {}),
    ...(until ? { until: startOf(until, 1) } : {}),
  };
}

function startOf(day, later) {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** What the filters of a game need: the words of its house rules. */
export const loadFilters = ({ game }) => game && useWords(game);

/** The form that chooses filters. */
export function filterBar({ games, levels, filters }) {
  const nodes = { ...choosers(games, levels, filters), ...inputs(filters) };
  const of = (names) => names.map((name) => field(t(`played.${name}`), nodes[name]));
  const further = [...FURTHER, ...RANGES].filter((name) => nodes[name]);
  const form = el(
    "form",
    { class: "filters", role: "search", "aria-label": t("played.filters") },
    ...of(ALWAYS),
    el(
      "details",
      { open: further.some((name) => filters[name]) },
      el("summary", {}, t("played.further")),
      el("div", { class: "filters" }, ...of(further)),
    ),
  );
  form.addEventListener("change", ({ target }) => tell(form, target.name));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell(form);
  });
  return form;
}

/** Goes to where these filters stand in the address; another game has other house rules. */
function tell(form, changed) {
  const chosen = Object.fromEntries(new FormData(form));
  go(playedAddress(changed === "game" ? { ...chosen, options: "" } : chosen));
}

function choosers(games, levels, filters) {
  const rows = {
    game: games.map(({ id, title }) => [id, title]),
    seats: [...new Set(games.flatMap(({ players }) => players))].sort().map((count) => [String(count), String(count)]),
    rated: TRUTHS.map((each) => [each, t(`played.rated.${each}`)]),
    level: levels.map((level) => [level, levelWords(level)]),
    result: ["won", "lost"].map((each) => [each, t(`played.result.${each}`)]),
    disputed: TRUTHS.map((each) => [each, t(`played.disputed.${each}`)]),
    options: ruleRows(games.find(({ id }) => id === filters.game)),
  };
  const shown = Object.entries(rows).filter(([, found]) => found.length);
  return Object.fromEntries(
    shown.map(([name, found]) => [name, select(name, [["", t("lobby.any")], ...found], filters[name] ?? "")]),
  );
}

/** Each value of each house rule that a game lets choose. */
const ruleRows = (game) =>
  (game?.options ?? [])
    .filter(({ values }) => values.length > 1)
    .flatMap(({ name, values }) =>
      values.map((value) => [JSON.stringify({ [name]: value }), pair(optionWords(name), valueWords(name, value))]),
    );

function inputs(filters) {
  const input = (name, more) => [name, el("input", { name, value: filters[name] ?? "", ...more })];
  return Object.fromEntries([
    input("player", { type: "search", maxlength: 40 }),
    ...["since", "until"].map((name) => input(name, { type: "date" })),
    ...RANGES.map((name) => input(name, { type: "number", min: 0, max: 100000, step: 1 })),
  ]);
}
