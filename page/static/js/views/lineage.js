// Branches of a table: playing on from any moment with other luck, other house rules or other players; where a table
// comes from, and what has branched from it.

import { button, dialog, el, field, select } from "../dom.js";
import { t } from "../i18n.js";
import { houseRules } from "../options.js";
import { addressOf, comparisonOf, go } from "../router.js";
import { isArbiter } from "../session.js";
import { LIKED_LEVEL } from "../state/levels.js";
import { isOver, relatives, versionOf } from "../state/table.js";
import { sitter } from "./sitter.js";

/** Where the table comes from, and what has branched from it. */
export function branches({ state }) {
  const { from, forks } = state.lineage;
  const moment =
    from &&
    el(
      "a",
      { href: addressOf(from.table, from.version) },
      t("fork.moment", { version: from.version, table: from.table }),
    );
  const parent = from && el("span", {}, t("fork.from"), " ", moment);
  const summary = el("summary", {}, t("fork.branches", { n: forks.length }));
  const rows = forks.map((fork) => branchRow(state, fork));
  const list =
    forks.length > 0 && el("details", { data: { key: "branches" } }, summary, el("ul", { class: "branches" }, ...rows));
  return parent || list ? el("div", { class: "lineage" }, parent, list) : null;
}

/** What can be done from the moment that is looked at. */
export function lineageTools({ state, act }) {
  if (!state.live.view || !state.shown) return [];
  const compare = button(t("compare.with"), () => openComparison(state), { class: "small", data: { key: "compare" } });
  return [button(t("fork.play_on"), () => openFork(state, act), { class: "small", data: { key: "fork" } }), compare];
}

function branchRow(state, fork) {
  const from = t("fork.at", { version: fork.forked_from.version });
  const names = fork.seats.flatMap((seat, index) => [index ? "; " : "", sitter(seat)]);
  return el(
    "li",
    {},
    el("a", { href: addressOf(fork.id), data: { branch: fork.id } }, fork.id),
    ` ${from} · ${t(`lobby.go.${fork.status}`)} · `,
    ...names,
    " ",
    el("a", { href: comparisonOf(state.id, fork.id) }, t("compare.short")),
  );
}

/** The dialog in which a branch is opened from the moment that is looked at. */
async function openFork(state, act) {
  const { options, levels } = await act.forkChoices();
  const { live, shown } = state;
  const [over, version] = [isOver(state) || live.transcribed, versionOf(state)];
  const rules = houseRules(
    options.filter((option) => !option.shapes_setup),
    shown.options,
  );
  const chance = select(
    "chance",
    (over && !live.transcribed ? ["anew", "continued"] : ["anew"]).map((name) => [name, t(`fork.chance.${name}`)]),
    "anew",
  );
  const seated = live.seat ?? (over ? (state.seat ?? 1) : null);
  const closed = !over && (live.seat || isArbiter(live));
  const seats = live.seats.map((seat) => seatChoice(seat, seated, closed, levels));
  const start = button(t("fork.start"), open, { class: "primary", data: { fork: "" } });
  const box = dialog(
    t("fork.title", { version }),
    t("close"),
    el("p", { class: "hint" }, t(over ? "fork.hint" : "fork.hint.running")),
    el(
      "form",
      { class: "asking", on: { submit: (event) => event.preventDefault() } },
      field(t("fork.chance"), chance),
      el("div", { class: "fields" }, ...seats.map((choice, index) => field(t("score.seat") + ` ${index + 1}`, choice))),
    ),
    rules.node,
    el("div", { class: "actions" }, start),
  );

  async function open() {
    start.node.disabled = true;
    const offers = seats.map(({ node: { value } }) =>
      value.startsWith("ai:") ? { kind: "ai", level: value.slice(3) } : { kind: value },
    );
    if (await act.fork({ version, options: rules.changed(), chance: chance.node.value, seats: offers })) box.close();
    else start.node.disabled = false;
  }
}

/** Who sits there in the branch: oneself, an AI, or whoever comes; while the game runs its players branch alone. */
function seatChoice(seat, seated, closed, levels) {
  const own = seat.seat === seated;
  const people = closed ? (own ? ["me"] : []) : ["me", "open"];
  const rows = [
    ...people.map((kind) => [kind, t(`fork.seat.${kind}`)]),
    ...levels.map(({ id }) => [`ai:${id}`, t(`level.${id}`)]),
  ];
  return select(`seat-${seat.seat}`, rows, own ? "me" : `ai:${seat.level ?? LIKED_LEVEL}`);
}

/** The dialog that asks which table to lay beside this one. */
function openComparison(state) {
  const known = relatives(state).map((table) => el("li", {}, el("a", { href: comparisonOf(state.id, table) }, table)));
  const other = el("input", { name: "other", placeholder: "t_…", required: true });
  const look = (event) => {
    event.preventDefault();
    box.close();
    go(comparisonOf(state.id, /(t|x)_[a-z2-7]+(-\d+)?/.exec(other.node.value)?.[0] ?? other.node.value));
  };
  const form = el(
    "form",
    { class: "asking", on: { submit: look } },
    field(t("compare.other"), other),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", class: "primary", data: { compare: "" } }, t("compare.go")),
    ),
  );
  const box = dialog(
    t("compare.with"),
    t("close"),
    known.length
      ? el("ul", { class: "branches", on: { click: (event) => event.target.closest("a") && box.close() } }, ...known)
      : el("p", { class: "hint" }, t("compare.none")),
    form,
  );
}
