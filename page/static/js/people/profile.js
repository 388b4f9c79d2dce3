// A profile: what a person lets be seen.

import { api } from "../api.js";
import { el, item } from "../dom.js";
import { capital, locale, t } from "../i18n.js";
import { portrait } from "../portraits.js";
import { playedAddress, profileAddress } from "../router.js";
import { account } from "../session.js";
import { dayWords, doing, listed, section } from "./parts.js";
import { report } from "./reporting.js";

const BLOCKS = "/v1/players/me/blocks";

/** Shows a player. */
export async function profile(page) {
  const [told, blocked] = await Promise.all([
    api.get(`/v1/players/${encodeURIComponent(page.part)}`),
    account ? api.get(BLOCKS) : { blocks: [] },
  ]);
  const parts = Object.entries(PARTS).map(
    ([name, row]) => told[name] && section(name, listed(told[name].map(row), t("people.nothing"))),
  );
  const lead = el("p", { class: "who" }, portrait(told), " ", t("people.since", { day: dayWords(told.since) }));
  const games = el("a", { href: playedAddress({ player: told.id }) }, t("played.title"));
  const isBlocked = blocked.blocks.some(({ player }) => player === told.id);
  page.draw(told.name, lead, el("p", {}, games), ...parts.filter(Boolean), ...blocking(page, told.id, isBlocked));
}

const scale = ({ game, seats }) => `${capital(t(`title.${game}`))} (${seats})`;

const PARTS = {
  results: (row) => item(t("people.result", { game: scale(row), games: row.games, won: row.won })),
  ratings: (row) =>
    item(`${scale(row)} ${row.rating} ± ${row.deviation}`, row.provisional && ` (${t("played.provisional")})`),
  opponents: (row) =>
    item(opponent(row), " ", t("people.opponent", { games: row.games, won: row.won, lost: row.lost })),
  activity: (row) => item(t("people.month", { month: monthWords(row.month), games: row.games })),
};

const opponent = ({ player, name }) =>
  player.startsWith("ai:")
    ? t(`level.${player.slice(3)}`)
    : el("a", { href: profileAddress(player) }, el("bdi", {}, name ?? t("people.somebody")));

const monthWords = (month) =>
  new Intl.DateTimeFormat(locale(), { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01`),
  );

/** The choice not to be seated with somebody, and to report them; nothing for oneself. */
function blocking(page, player, isBlocked) {
  if (!account || account.player === player) return [];
  const path = `${BLOCKS}/${encodeURIComponent(player)}`;
  const act = () => (isBlocked ? api.delete(path) : api.put(path)).then(page.again);
  const go = doing(t(isBlocked ? "people.unblock" : "people.block"), act, { data: { block: String(!isBlocked) } });
  const tell = doing(t("report.open"), () => report({ player }), { data: { report: "player" } });
  return [
    el("p", {}, go, " ", el("span", { class: "hint" }, t("people.block_hint"))),
    el("p", {}, tell, " ", el("span", { class: "hint" }, t("report.hint"))),
  ];
}
