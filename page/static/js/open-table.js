// Opening a table: against AI in two clicks, for a guest too, or with open seats for others.

import { api } from "./api.js";
import { actions, button, choice, dialog, el, extend, field, folded } from "./dom.js";
import { start as openTable } from "./effects/quick-start.js";
import { loadMoreWords, t } from "./i18n.js";
import { levelHint, levelsOf, LIKED_LEVEL, likedPlayers } from "./ai-levels.js";
import { houseRules } from "./house-rules.js";
import { showProblem } from "./problems.js";
import { account } from "./session.js";
import { clockWords } from "./views/clocks.js";
import { useWords } from "./help-words.js";

const CLOCKS = [
  null,
  { kind: "decision", decision_s: 60 },
  ...[300, 900].map((initial_s) => ({ kind: "fischer", initial_s, increment_s: initial_s / 60 })),
  ...[1, 3].map((days) => ({ kind: "days", days })),
];
const RATED = { true: "opening.rated", false: "played.rated.false" };
const DISPUTES = ["none", "vote", "arbiter"];
const FIRST_LEVEL = "novice"; // for guests

/** The dialog in which a table is opened; everything in it has a sensible value already. */
export async function playNow(game) {
  const [people] = await Promise.all([import("./people/index.js"), useWords(game.id), loadMoreWords()]);
  const found = await api.get("/v1/ai-players").catch(() => ({ levels: [] }));
  const levels = levelsOf(found.levels, game.id);
  const players = choice("players", game.players, (n) => t("opening.players_n", { n }), likedPlayers(game));
  const ids = levels.map(({ id }) => id);
  const level = choice("level", ids, (id) => t(`level.${id}`), account && !account.guest ? LIKED_LEVEL : FIRST_LEVEL);
  const rules = houseRules(game.options);
  const court = disputing();
  const time = timing();
  const range = people.choosingRange();
  const rated = choice("rated", ["true", "false"], (rated) => t(RATED[rated]), "true");
  const start = button(t("opening.start"), () => open(others("ai")), {
    class: "primary",
    autofocus: true,
    data: { start: "ai" },
  });
  const invite = button(t("opening.invite"), () => open(others("open")), { data: { start: "open" } });
  dialog(
    t("opening.title", { game: game.title }),
    el(
      "form",
      { class: "fields", on: { submit: (event) => event.preventDefault() } },
      field(t("opening.players"), players),
      field(t("opening.level"), level),
    ),
    levelHint(levels, game.id, level, players),
    el(
      "details",
      { class: "more-choices" },
      el("summary", {}, t("opening.more")),
      el("div", { class: "fields" }, field(t("clock"), time.node), field(t("played.rated"), rated)),
      rules.node,
      court.node,
      range.node,
    ),
    el("p", { class: "hint" }, t("opening.hint")),
    actions(invite, start),
  );
  start.node.focus();

  const others = (kind) =>
    Array.from({ length: Number(players.node.value) - 1 }, () =>
      kind === "ai" ? { kind, level: level.node.value } : { kind },
    );

  async function open(rest) {
    const ratings = rest.some(({ kind }) => kind === "open") && range.chosen();
    start.node.disabled = invite.node.disabled = true;
    try {
      await openTable("/v1/tables", {
        game: game.id,
        seats: [{ kind: "me" }, ...rest],
        options: rules.changed(),
        clock: time.chosen(),
        ...court.chosen(),
        ...(rated.node.value === "false" ? { rated: false } : {}),
        ...(ratings ? { ratings } : {}),
      });
    } catch (problem) {
      start.node.disabled = invite.node.disabled = false;
      showProblem(problem);
    }
  }
}

/** The clocks that most people want, in plain words. */
function timing() {
  const node = choice("clock", [...CLOCKS.keys()], (number) => clockWords(CLOCKS[number]), 0);
  return { node, chosen: () => CLOCKS[node.node.value] };
}

/** Whether rulings may be disputed, and who decides then. */
function disputing() {
  const by = choice("disputes", DISPUTES, (name) => t(`opening.disputes.${name}`), "none");
  const arbiter = el("input", { name: "arbiter", placeholder: "p_…", disabled: true });
  extend(by, { on: { change: () => (arbiter.node.disabled = by.node.value !== "arbiter") } });
  const fields = [field(t("opening.disputes.by"), by), field(t("opening.arbiter"), arbiter)];
  const chosen = () => {
    const named = by.node.value === "arbiter" ? { arbiter: arbiter.node.value.trim() } : {};
    return by.node.value === "none" ? {} : { disputes: { by: by.node.value }, ...named };
  };
  return { node: folded(t("opening.disputes"), el("div", { class: "fields" }, ...fields)), chosen };
}
