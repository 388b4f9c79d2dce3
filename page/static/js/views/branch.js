// A branch of a table: playing on from any moment with other luck, other house rules or other players.

import { actions, button, choice, dialog, el, field, select } from "../dom.js";
import { t } from "../i18n.js";
import { houseRules } from "../house-rules.js";
import { isArbiter } from "../session.js";
import { LIKED_LEVEL } from "../ai-levels.js";
import { isOver, versionOf } from "../state/table.js";

/** The button that opens the dialog. */
export const forkButton = ({ state, act }) =>
  state.live.view &&
  state.shown &&
  button(t("fork.play_on"), () => openFork(state, act), { class: "small", data: { key: "fork" } });

/** The dialog in which a branch is opened from the moment that is looked at. */
async function openFork(state, act) {
  const { options, levels } = await act.forkChoices();
  const { live, shown } = state;
  const [over, version] = [isOver(state) || live.transcribed, versionOf(state)];
  const rules = houseRules(
    options.filter((option) => !option.shapes_setup),
    shown.options,
  );
  const chances = over && !live.transcribed ? ["anew", "continued"] : ["anew"];
  const chance = choice("chance", chances, (name) => t(`fork.chance.${name}`), "anew");
  const seated = live.seat ?? (over ? (state.seat ?? 1) : null);
  const closed = !over && (live.seat || isArbiter(live));
  const seats = live.seats.map((seat) => seatChoice(seat, seated, closed, levels));
  const start = button(t("fork.start"), open, { class: "primary", data: { fork: "" } });
  const box = dialog(
    t("fork.title", { version }),
    el("p", { class: "hint" }, t(over ? "fork.hint" : "fork.hint.running")),
    el(
      "form",
      { class: "asking", on: { submit: (event) => event.preventDefault() } },
      field(t("fork.chance"), chance),
      el("div", { class: "fields" }, ...seats.map((each, index) => field(`${t("score.seat")} ${index + 1}`, each))),
    ),
    rules.node,
    actions(start),
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

/** Who sits there in the branch: oneself, an AI, or anybody; a player of a running game branches alone. */
function seatChoice(seat, seated, closed, levels) {
  const own = seat.seat === seated;
  const people = closed ? (own ? ["me"] : []) : ["me", "open"];
  const rows = [
    ...people.map((kind) => [kind, t(`fork.seat.${kind}`)]),
    ...levels.map(({ id }) => [`ai:${id}`, t(`level.${id}`)]),
  ];
  return select(`seat-${seat.seat}`, rows, own ? "me" : `ai:${seat.level ?? LIKED_LEVEL}`);
}
