// Games played: a list with filters, the leaderboard of a game, and the ratings of a player. The address names the filters.

import { api } from "../api.js";
import { button, el, field, item, redraw, select } from "../dom.js";
import { capital, moment, pair, t } from "../i18n.js";
import { OUT, pageHead } from "../lazy-views.js";
import { showProblem } from "../problems.js";
import { addressOf, go, playedAddress, profileAddress } from "../router.js";
import { sitter } from "../views/seats.js";

const LEADERS = 20;
const POINTS = 10;

/** Shows games played, as the address filters them. */
export function showPlayed(page, where) {
  read(Object.assign(page, { games: [], rows: [], next: null, filters: filtersOf(where.query) }));
}

const FILTERS = ["game", "seats", "rated", "player"]; // the last one comes by a link

function filtersOf(query) {
  const given = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, given.get(name)]).filter(([, value]) => value));
}

async function read(page) {
  try {
    const [{ games }, ratings] = await Promise.all([api.get("/v1/games"), ratingsFor(page.filters), more(page)]);
    Object.assign(page, { games, ratings });
    if (!page.left) draw(page);
  } catch (problem) {
    showProblem(problem);
  }
}

/** Reads the next games of the list. */
async function more(page) {
  const query = new URLSearchParams({ ...page.filters, limit: 20, ...(page.next ? { cursor: page.next } : {}) });
  const found = await api.get(`/v1/games-played?${query}`);
  page.rows.push(...found.games);
  page.next = found.next;
}

/** What is told of ratings beside the list: a player's own, or the leaders of a game with so many seats. */
async function ratingsFor({ player, game, seats }) {
  if (player) return ofPlayer(player).catch(noneIfErased);
  if (!game || !seats) return null;
  const path = `/v1/ratings?game=${encodeURIComponent(game)}&seats=${encodeURIComponent(seats)}&limit=${LEADERS}`;
  const { ratings } = await api.get(path);
  return { leaders: ratings.length ? ratings : (await api.get(`${path}&provisional=true`)).ratings };
}

/** The games of somebody who was erased are listed, without ratings. */
const noneIfErased = (problem) => (problem.code === "no_such_player" ? null : Promise.reject(problem));

async function ofPlayer(player) {
  const path = `/v1/players/${encodeURIComponent(player)}/ratings`;
  const { ratings } = await api.get(path);
  const histories = ratings.map(({ game, seats }) =>
    api.get(`${path}/${encodeURIComponent(game)}/${seats}?limit=${POINTS}`),
  );
  const points = (await Promise.all(histories)).map((found) => found.points);
  return { own: ratings.map((rating, number) => ({ ...rating, points: points[number] })) };
}

function draw(page) {
  document.title = t("played.title");
  const rows = page.rows.length
    ? el("ul", { class: "table-list" }, ...page.rows.map(gameRow))
    : el("p", { class: "empty" }, t("played.none"));
  const further = page.next && button(t("lobby.more"), () => showMore(page), { data: { key: "more" } });
  const parts = [pageHead(t("played.title"), OUT), filterBar(page), ratingsNode(page), rows, further];
  redraw(page.main, el("article", { class: "played reading-text" }, ...parts));
}

function filterBar({ games, filters }) {
  const rows = {
    game: games.map(({ id, title }) => [id, title]),
    seats: [...new Set(games.flatMap(({ players }) => players))].sort().map((count) => [String(count), String(count)]),
    rated: ["true", "false"].map((each) => [each, t(`played.rated.${each}`)]),
  };
  const choosers = Object.entries(rows).map(([name, found]) =>
    field(t(`played.${name}`), select(name, [["", t("lobby.any")], ...found], filters[name] ?? "")),
  );
  const change = ({ currentTarget: form }) =>
    go(playedAddress({ ...filters, ...Object.fromEntries(new FormData(form)) }));
  const on = { change, submit: (event) => event.preventDefault() };
  return el("form", { class: "filters", role: "search", "aria-label": t("played.filters"), on }, ...choosers);
}

async function showMore(page) {
  await more(page).catch(showProblem);
  if (!page.left) draw(page);
}

function ratingsNode({ ratings, filters }) {
  if (!ratings) return null;
  const rows = ratings.own?.map(ownRow) ?? ratings.leaders.map(leaderRow);
  const title = el("h2", {}, t(ratings.own ? "played.ratings" : "played.leaders"));
  if (!rows.length) return el("section", {}, title, el("p", { class: "empty" }, t("played.unrated")));
  const isPerson = filters.player?.startsWith("p_");
  const person = isPerson && el("p", {}, el("a", { href: profileAddress(filters.player) }, t("people.profile")));
  return el("section", { class: "ratings" }, title, person, el("ol", {}, ...rows));
}

const leaderRow = (row) => item(el("a", { href: playedAddress({ player: row.player }) }, who(row)), " ", figures(row));

/** A player's rating, and what it was behind the last games. */
const ownRow = (row) =>
  item(
    pair(`${capital(t(`title.${row.game}`))} (${row.seats})`, ""),
    figures(row),
    el("p", { class: "rating-points" }, ...row.points.flatMap((point) => [pointLink(point), " "])),
  );

const pointLink = (point) =>
  el("a", { href: addressOf(point.table), title: moment(point.ended_at) }, String(point.rating));

const figures = (row) =>
  el("span", {}, `${row.rating} ± ${row.deviation}`, row.provisional && ` (${t("played.provisional")})`);

/** A level of AI, a name, or the id of somebody whose last seat an AI took over. */
const who = ({ player, name }) =>
  player.startsWith("ai:") ? t(`level.${player.slice(3)}`) : el("bdi", {}, name ?? player);

function gameRow(row) {
  const seats = [...row.seats].sort((one, other) => one.place - other.place).map(seatNode);
  return item(
    el(
      "a",
      { href: addressOf(row.table), class: "table-row", data: { key: row.table } },
      el("span", { class: "table-game" }, capital(t(`title.${row.game}`))),
      el("span", { class: "table-seats" }, ...seats),
      el("span", { class: "table-when" }, moment(row.ended_at)),
      el("span", { class: "table-go" }, t(`played.rated.${row.rated}`)),
    ),
  );
}

const seatNode = (seat) =>
  el(
    "span",
    { class: "who-sits" },
    `${seat.place}. `,
    sitter(seat),
    " ",
    seat.points === null ? null : el("strong", {}, String(seat.points)),
    change(seat),
  );

const change = ({ rating }) => {
  const by = rating ? rating.after - rating.before : 0;
  return rating && ` (${by < 0 ? "−" : "+"}${Math.abs(by)})`;
};
