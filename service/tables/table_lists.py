"""Lists of tables and of finished games, ratings, standings and statistics, with names and in whole points."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from events.lifecycle import MOST_RATING, RatingRange
from events.store import RedisLog
from events.times import stamp
from projections.finished_games import profile, ratings, search
from projections.finished_games.games import Game
from projections.finished_games.index import NotFilled, finished_games_of
from projections.finished_games.ratings import START, UNIT, Point, RatingAfter, Scale
from projections.finished_games.search import GameFilter, GameQuery, ListedGame
from projections.finished_games.statistics import Of, Value, share, statistics
from projections.lobby_queries import LobbyPage
from projections.lobby_rows import cursor_after
from projections.table import Table
from service.accounts.allowed_names import comparable
from service.accounts.shown_names import Names, Presenter
from service.errors import Refused
from service.tables.table_documents import present_origin

BATCH = 100
MOST_LOOKED_AT = 250  # tables for one page: a filter that fits few tables answers short pages, each with a cursor
AI = "ai:"  # prefix of an AI level in standings and ratings

Row = dict[str, Any]
Read = Callable[[LobbyPage], tuple[list[Row], str | None]]
Answer = TypeVar("Answer")


# Tables in the lobby


class TableFilter(NamedTuple):
    """Which tables are listed; None stands for all.

    `player` is an id or a part of a name, `to_act` the id of a player who has to decide, `since` the earliest time of
    opening; `open_to` tells whether somebody may sit down there.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    to_act: str | None = None
    since: str | None = None
    open_to: Callable[[Mapping[str, Any]], bool] | None = None

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row, with the names of those seated, is wanted."""
        same = all(wished in (None, row[name]) for name, wished in (("game", self.game), ("status", self.status)))
        return same and self._is_with(row) and self._is_turn(row) and (self.open_to is None or self.open_to(row))

    def _is_with(self, row: Mapping[str, Any]) -> bool:
        if self.player is None:
            return True
        part = comparable(self.player)
        return any(seat["player"] == self.player or part in comparable(seat["name"] or "") for seat in row["seats"])

    def _is_turn(self, row: Mapping[str, Any]) -> bool:
        return self.to_act is None or self.to_act in (row["seats"][seat - 1]["player"] for seat in row["to_act"])


def listed(read: Read, wanted: TableFilter, part: LobbyPage) -> tuple[list[Row], str | None]:
    """Returns a page of the wanted tables and the next cursor; a page may be short although others follow."""
    found: list[Row] = []
    size = part.size if wanted == TableFilter() else max(BATCH, part.size)
    for looked_at, (row, cursor) in enumerate(_from_newest(read, LobbyPage(part.before, size)), 1):
        if wanted.since and row["opened_at"] < wanted.since:
            return found, None
        if wanted.fits(row):
            found.append(row)
        if len(found) == part.size or looked_at == MOST_LOOKED_AT:
            return found, cursor
    return found, None


def seen(read: Read, may_see: Callable[[Row], bool], part: LobbyPage) -> tuple[list[Row], str | None]:
    """Returns a page of the tables that somebody may see, and a cursor if another such table follows.

    Neither reveals other tables: no cursor names a table that is not listed.
    """
    found: list[Row] = []
    for looked_at, (row, _) in enumerate(_from_newest(read, LobbyPage(part.before, BATCH)), 1):
        if may_see(row) and len(found) == part.size:
            return found, cursor_after(found[-1]["opened_at"], found[-1]["id"])
        found += [row] if may_see(row) else []
        if looked_at == MOST_LOOKED_AT:
            return found, cursor_after(row["opened_at"])  # skips other tables of the same millisecond
    return found, None


def _from_newest(read: Read, part: LobbyPage) -> Iterator[tuple[Row, str | None]]:
    """Yields every row after a cursor, with the cursor after it; None after the last."""
    before: str | None = part.before
    while True:
        rows, following = read(LobbyPage(before, part.size))
        for row in rows[:-1]:
            yield row, cursor_after(row["opened_at"], row["id"])
        if rows:
            yield rows[-1], following
        if following is None:
            return
        before = following


def present_rows(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[Row]:
    """Returns rows of the lobby with the names of those seated."""
    names = presenter.names_of(seat["player"] for row in rows for seat in row["seats"])
    return [
        {name: value for name, value in row.items() if name != "result"}  # finished games have that
        | {"forked_from": present_origin(row["forked_from"])}
        | {"seats": [_seat_shown(seat, names) for seat in row["seats"]]}
        for row in rows
    ]


def _seat_shown(seat: Mapping[str, Any], names: Names) -> Row:
    """Returns a seat of the lobby with the kind of its holder, or of whom it waits for."""
    kind = "ai" if seat["level"] else "player" if seat["player"] else seat["offer"]
    fields = {name: value for name, value in seat.items() if name != "offer"}
    return {"kind": kind, "name": names.get(seat["player"])} | fields


# Ranges of ratings, which bound people alone, but not the opener of a table nor a player for whom a seat is kept


ShownRating = tuple[int, bool]  # in whole points, and whether it is provisional
NONE_YET: ShownRating = START, True


def held_by(store: RedisLog, player: str, scales: Iterable[Scale]) -> dict[Scale, ShownRating]:
    """Returns a player's ratings by these scales; raises `Refused` while the index is being built."""
    found = read_index(store, lambda database: ratings.of_holder(database, player, scales))
    return {(one.game, one.players): (points(one.rating), not one.settled) for one in found}


def _is_in(asked: RatingRange, held: ShownRating) -> bool:
    least, most = asked.least or 0, MOST_RATING if asked.most is None else asked.most
    rating, provisional = held
    return (asked.provisional or not provisional) and least <= rating <= most


def check_rating(store: RedisLog, table: Table, player: str) -> None:
    """Raises `Refused` for a player whose rating is outside the range of the table."""
    asked, scale = table.opened.ratings, (table.opened.game, table.opened.players)
    if asked is None:
        return
    held = held_by(store, player, [scale]).get(scale, NONE_YET)
    if _is_in(asked, held):
        return
    bounds = [f"{name} {bound}" for name, bound in (("from", asked.least), ("up to", asked.most)) if bound is not None]
    wanted = " ".join([*bounds, *([] if asked.provisional else ["not provisional"])])
    rating, provisional = held
    mine = f"yours is {rating}{' (provisional)' if provisional else ''}"
    detail = f"the open seats are for ratings {wanted}; {mine} for this game and number of seats"
    raise Refused("rating_out_of_range", detail, rating=rating, provisional=provisional)


def is_open_to(row: Mapping[str, Any], player: str, held: Mapping[Scale, ShownRating]) -> bool:
    """Whether a player with these ratings may take a free seat of a table in the lobby."""
    free = _free_for(row, player)
    if not free or row["opened_by"] == player or any(seat["kept_for"] for seat in free):
        return bool(free)
    asked: RatingRange | None = msgspec.convert(row["ratings"], RatingRange | None)
    return asked is None or _is_in(asked, held.get((row["game"], row["players"]), NONE_YET))


def _free_for(row: Mapping[str, Any], player: str) -> list[Mapping[str, Any]]:
    if row["status"] != "open" or player in (row["arbiter"], *(seat["player"] for seat in row["seats"])):
        return []
    empty = [seat for seat in row["seats"] if not (seat["player"] or seat["level"])]
    return [seat for seat in empty if seat["kept_for"] in (None, player)]


# Finished games


OF_A_TABLE = ("game", "visibility", "options", "opened_at", "winners")
OF_THE_RESULT = ("ended_at", "events", "moves", "disputed", "corrected", "rated", "how")
OF_A_SEAT = ("seat", "player", "bot", "level")


def read_index(store: RedisLog, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    """Returns the answer of the index; raises `Refused` while it is being built."""
    try:
        return finished_games_of(store).read(question)
    except NotFilled:
        raise Refused("too_busy", "the index of finished games is being built; ask again in a while") from None


def games_played(
    store: RedisLog, wanted: GameFilter, asked: GameQuery, presenter: Presenter
) -> tuple[list[Row], str | None]:
    """Returns a page of the wanted games that the caller may see, and the next cursor."""
    found, cursor = read_index(store, lambda database: search.page(database, wanted, asked))
    names = presenter.names_of(seat["player"] for one in found for seat in one.row["seats"])
    return [_game(one, names) for one in found], cursor


def _game(found: ListedGame, names: Names) -> Row:
    row, result = found.row, found.row["result"]
    game = (
        {"table": row["id"]} | {name: row[name] for name in OF_A_TABLE} | {name: result[name] for name in OF_THE_RESULT}
    )
    seats = [_seat(found, number, names) for number in range(len(row["seats"]))]
    return game | {"forked_from": present_origin(row["forked_from"]), "seats": seats}


def _seat(found: ListedGame, number: int, names: Names) -> Row:
    row, result = found.row, found.row["result"]
    seat, change = row["seats"][number], found.changes.get(Game.of_row(row).holders[number])
    return {name: seat[name] for name in OF_A_SEAT} | {
        "kind": "ai" if seat["level"] else "player",
        "name": names.get(seat["player"]),
        "left": result["left"][number],
        "place": result["places"][number],
        "points": result["points"][number],
        "rating": change and {"before": points(change.before), "after": points(change.rating)},
    }


# Ratings, standings and statistics


class RatingsPage(NamedTuple):
    """A part of a leaderboard: settled or provisional ratings, at most `size` after a cursor."""

    after: str | None
    size: int
    settled: bool


def leaders(store: RedisLog, scale: Scale, part: RatingsPage, presenter: Presenter) -> tuple[list[Row], str | None]:
    """Returns a page of the ratings of a scale, highest first, and the next cursor."""
    rating, _, holder = (part.after or "").partition("|")
    after = (int(rating), holder) if part.after else None
    found = read_index(store, lambda db: ratings.leaders(db, scale, after, part.size + 1, settled=part.settled))
    names = presenter.names_of(one.holder for one in found if not one.holder.startswith(AI))
    rows = [{"name": names.get(one.holder)} | _rating(one) for one in found[: part.size]]
    last = found[part.size - 1] if len(found) > part.size else None
    return rows, f"{last.rating}|{last.holder}" if last else None


def ratings_of(store: RedisLog, player: str, scales: Sequence[Scale]) -> list[Row]:
    """Returns all ratings of a player, or of an AI level."""
    return [_rating(one) for one in read_index(store, lambda database: ratings.of_holder(database, player, scales))]


def figures_of(store: RedisLog, player: str) -> profile.Figures:
    """Returns the figures of a player's public games."""
    return read_index(store, lambda database: profile.figures_of(database, player))


def rating_history(
    store: RedisLog, player: str, scale: Scale, before: str | None, size: int
) -> tuple[list[Row], str | None]:
    """Returns a player's rating after each game of a scale, newest first, and the next cursor."""
    last = before or search.LAST
    found = read_index(store, lambda database: ratings.points_of(database, player, scale, last, size + 1))
    cursor = found[size - 1].place if len(found) > size else None
    return [_point(one) for one in found[:size]], cursor


def _point(point: Point) -> Row:
    ended_ms, _, table = point.place.partition("|")
    return {
        "table": table,
        "ended_at": stamp(int(ended_ms)),
        "rating": points(point.rating),
        "deviation": points(point.deviation),
        "change": points(point.rating) - points(point.before),
    }


def _rating(one: RatingAfter) -> Row:
    return {
        "game": one.game,
        "seats": one.players,
        "player": one.holder,
        "rating": points(one.rating),
        "deviation": points(one.deviation),
        "provisional": not one.settled,
        "games": one.games,
    }


def points(thousandths: int) -> int:
    """Returns a figure in whole points."""
    return round(thousandths / UNIT)


def present_standings(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[Row]:
    """Returns rows of the standings with the names of the players; AI levels have none."""
    names = presenter.names_of(row["player"] for row in rows if not row["player"].startswith(AI))
    return [{**row, "name": names.get(row["player"])} for row in rows]


def statistics_of(store: RedisLog, of: Of) -> Row:
    """Returns how often each feature occurs, and how seats with it fared: shares with their intervals."""
    games, features = read_index(store, lambda database: statistics(database, of))
    rows = [
        {"of": one.of, "name": one.name, "seats": one.seats, "values": [_value(v, one.seats) for v in one.values]}
        for one in features
    ]
    return {"game": of.game, "games": games, "features": rows}


def _value(value: Value, of: int) -> Row:
    return {
        "value": value.value,
        "seats": value.seats,
        "share": _share(value.seats, of),
        "won": value.won,
        "wins": _share(value.won, value.seats),
        "by_seat": [one._asdict() | {"wins": _share(one.won, one.seats)} for one in value.by_seat],
    }


def _share(number: int, of: int) -> Row | None:
    found = share(number, of)
    return found and found._asdict()
