// The end of a game over the table: who won, how each total came about, and the rulings that changed the score most. And the
// end in the tray: what can be done now.

import { actions, button, el, item, unseen } from "../dom.js";
import { mark } from "../glyphs.js";
import { pair, t } from "../i18n.js";
import { nameAt, namesOf } from "../piece-names.js";
import { picture } from "../pictures.js";
import { portrait } from "../portraits.js";
import { addressOf, playedAddress, recordAddress, reviewAddress } from "../router.js";
import { account } from "../session.js";
import { share } from "../share.js";
import { undoing } from "../state/log.js";
import { largestSwings, partsOf, ranked, winnersOf } from "../state/scores.js";
import { endedEarly, isAtEnd } from "../state/table.js";
import { words } from "../help-words.js";
import { logLine } from "./log-line.js";

const NO_RESULT = new Set(["aborted", "abandoned"]);

/** The end, if the game is over and nobody has asked for the table itself. */
export function gameEnd(page) {
  const { state, act } = page;
  if (!isAtEnd(state) || !state.gameEnd || !ranked(state.live).length || NO_RESULT.has(state.live.closed)) return null;
  const close = button("×", () => act.gameEnd(false), {
    class: "quiet close",
    "aria-label": t("gameEnd.close"),
    title: t("gameEnd.close"),
    data: { key: "game-end-close" },
  });
  return el(
    "section",
    { class: "game-end", "aria-label": t("gameEnd.title"), tabindex: "0", data: { key: "game-end" } },
    el(
      "header",
      { class: "game-end-head" },
      picture(state.live.game, { wide: true }),
      el("h2", {}, won(state.live)),
      close,
    ),
    el("div", { class: "game-end-parts" }, el("div", {}, ranking(page), rated(state)), turns(page)),
  );
}

/** Who won. */
export function won(table) {
  if (endedEarly(table) && table.closed !== "resigned") return t(`ended.${table.closed}`);
  const winners = winnersOf(table);
  if (winners.length === 1 && winners[0] === table.seat) return t("score.won_alone");
  return t("score.won", { names: namesOf(table, winners) });
}

function ranking({ state, game }) {
  const { live } = state;
  const suitOf = game.suits(live);
  const items = ranked(live).map((row) =>
    el(
      "li",
      { class: `suit-${suitOf(row.seat)}${row.rank === 1 ? " first" : ""}` },
      el("span", { class: "place" }, `${row.rank}.`),
      el(
        "span",
        { class: "ranked" },
        portrait(live.seats[row.seat - 1], suitOf(row.seat)),
        el("b", {}, nameAt(live, row.seat)),
      ),
      el("strong", { class: "ranked-total" }, String(row.total ?? "")),
      el("p", { class: "made-of" }, ...sum(live.game, row)),
    ),
  );
  return el("ol", { class: "ranking", "aria-label": t("ending.ranking") }, ...items);
}

/** What the game did to my rating. */
function rated({ rating }) {
  if (!rating) return null;
  const change = `${rating.change < 0 ? "−" : "+"}${Math.abs(rating.change)}`;
  const history = playedAddress({ player: account.player });
  return el(
    "p",
    { class: "rated", role: "status" },
    el(
      "a",
      { href: history, data: { key: "rated" } },
      t("gameEnd.rating", { before: rating.rating - rating.change, after: rating.rating, change }),
    ),
  );
}

/** "6 pairs (the smaller of tipis: 13 and bison: 6) + 1 totem cylinder". */
function sum(game, row) {
  const parts = partsOf(game, row).filter(({ value }) => value);
  return parts.flatMap(({ name, value, least }, index) => [
    index || value < 0 ? el("span", { class: "sign" }, value < 0 ? " − " : " + ") : null,
    el("b", {}, String(Math.abs(value))),
    ` ${t(`score.${name}`)}`,
    least && ` (${t("gameEnd.least", { one: figure(row, least[0]), other: figure(row, least[1]) })})`,
  ]);
}

const figure = (row, name) => pair(t(`score.${name}`), row[name]);

/** The rulings by which a lead changed most, with what that means; or the button that looks for them. */
function turns(page) {
  const { state, act } = page;
  const title = el("h3", {}, t("gameEnd.turns"));
  const ready = state.plot.history && !state.log.first;
  const look = button(t("gameEnd.look"), act.lookBack, { data: { key: "look-back" } });
  const content = ready ? turnList(page) : state.plot.read ? el("p", { class: "empty" }, t("plot.loading")) : look;
  return el("section", { class: "turns", "aria-label": t("gameEnd.turns") }, title, content);
}

function turnList(page) {
  const { state } = page;
  const totals = new Map(state.plot.history.map(({ version, rows }) => [version, rows]));
  const stands = state.log.rows.filter(({ version }) => !undoing(state.log, version));
  const found = largestSwings(stands, (version) => totals.get(version) ?? []);
  if (!found.length) return el("p", { class: "empty" }, t("gameEnd.no_turns"));
  return [el("p", { class: "hint" }, t("gameEnd.turns_why")), el("ol", {}, ...found.map((turn) => turnOf(page, turn)))];
}

function turnOf(page, { event, seat, swing }) {
  const { state, game } = page;
  const suit = game.suits(state.live)(seat);
  const name = nameAt(state.live, seat);
  const gained = t("gameEnd.gained", { name, n: swing });
  const gain = el("b", { class: `gain suit-${suit}`, title: gained }, mark(suit), ` +${swing}`, unseen(` (${gained})`));
  const link = el("a", { href: addressOf(state.id, event.version, state.seat) }, words(event.type));
  return item(gain, el("span", {}, link, " · ", ...logLine(page, event).flat()));
}

/** The end in the tray: another game with the same people, what is to be read about this one, the link, and the end over the table if it was put away. */
export function ending({ state, act }) {
  const look = () => act.turn("figures");
  return el(
    "div",
    { class: "ending" },
    actions(
      state.gameEnd || NO_RESULT.has(state.live.closed)
        ? null
        : button(t("gameEnd.open"), () => act.gameEnd(true), { data: { key: "game-end-open" } }),
      button(t("ending.figures"), look, { data: { key: "ending-figures" } }),
      state.live.transcribed ? null : reviewLink(state),
      el("a", { class: "quiet-link", href: recordAddress(state.id), data: { key: "ending-record" } }, t("record")),
      button(t("ending.share"), () => share(), { data: { key: "ending-share" } }),
      state.live.seat ? button(t("ending.rematch"), act.rematch, { class: "primary", data: { key: "rematch" } }) : null,
    ),
  );
}

/** What the decisions were worth; the record of a text proves nothing, so it is analysed elsewhere. */
const reviewLink = ({ id }) =>
  el("a", { class: "quiet-link", href: reviewAddress(id), data: { key: "decisions" } }, t("review.link"));
