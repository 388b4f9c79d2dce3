"""Games played, ratings, standings and statistics as they are shown: with names, and figures in whole points."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from events.store import RedisLog
from events.times import stamp
from projections.finished_games import profile, ratings, search
from projections.finished_games.games import Game
from projections.finished_games.index import NotFilled, finished_games_of
from projections.finished_games.ratings import UNIT, Point, RatingAfter, Scale
from projections.finished_games.search import GameFilter, GameQuery, ListedGame
from projections.finished_games.statistics import Feature, Of, Value, share, statistics
from service.accounts.names import Names, Presenter
from service.errors import Refused
from service.tables.viewing import present_origin

KEPT = ("table", "game", "visibility", "options", "opened_at", "winners")
OF_THE_RESULT = ("ended_at", "events", "moves", "disputed", "corrected", "rated")
OF_A_SEAT = ("seat", "player", "bot", "level")

AI = "ai:"  # how the holder of a row is called that is an AI level

Row = dict[str, Any]
Answer = TypeVar("Answer")


def read_index(store: RedisLog, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    """The answer of the index; raises `Refused` while it is being made."""
    try:
        return finished_games_of(store).read(question)
    except NotFilled:
        raise Refused("too_busy", "the index of games played is being made; ask again in a while") from None


def games_played(
    store: RedisLog, wanted: GameFilter, asked: GameQuery, presenter: Presenter
) -> tuple[list[Row], str | None]:
    """A page of the games that are wanted and that the asker may see, and the cursor of the next one."""
    found, cursor = read_index(store, lambda database: search.page(database, wanted, asked))
    names = presenter.names_of(seat["player"] for one in found for seat in one.row["seats"])
    return [_game(one, names) for one in found], cursor


def _game(found: ListedGame, names: Names) -> Row:
    row, result = found.row, found.row["result"]
    told = {name: row[name] for name in KEPT} | {name: result[name] for name in OF_THE_RESULT}
    seats = [_seat(found, number, names) for number in range(len(row["seats"]))]
    return told | {"forked_from": present_origin(row["forked_from"]), "seats": seats}


def _seat(found: ListedGame, number: int, names: Names) -> Row:
    row, result = found.row, found.row["result"]
    seat, left = row["seats"][number], result["left"][number]
    change = found.changes.get(Game.of_row(row).holders[number])
    return {name: seat[name] for name in OF_A_SEAT} | {
        "name": names.get(seat["player"]),
        "left": left,
        "place": result["places"][number],
        "points": result["points"][number],
        "rating": change and {"before": points(change.before), "after": points(change.rating)},
    }


class RatingsPage(NamedTuple):
    """Which part of a leaderboard: those who are settled or those who are not, at most `size` behind a cursor."""

    after: str | None
    size: int
    settled: bool


def leaders(store: RedisLog, scale: Scale, part: RatingsPage, presenter: Presenter) -> tuple[list[Row], str | None]:
    """A page of the ratings of a scale, the highest first, and the cursor of the next one."""
    rating, _, holder = (part.after or "").partition("|")
    after = (int(rating), holder) if part.after else None

    def question(database: sqlite3.Connection) -> list[RatingAfter]:
        return ratings.leaders(database, scale, after, part.size + 1, settled=part.settled)

    found = read_index(store, question)
    names = presenter.names_of(one.holder for one in found if not one.holder.startswith(AI))
    shown = [{"name": names.get(one.holder)} | _rating(one) for one in found[: part.size]]
    last = found[part.size - 1] if len(found) > part.size else None
    return shown, f"{last.rating}|{last.holder}" if last else None


def ratings_of(store: RedisLog, player: str, scales: Sequence[Scale]) -> list[Row]:
    """All ratings of a player, or of an AI level."""
    found = read_index(store, lambda database: ratings.of_holder(database, player, scales))
    return [_rating(one) for one in found]


def figures_of(store: RedisLog, player: str) -> profile.Figures:
    """What is counted of a player's public games."""
    return read_index(store, lambda database: profile.figures_of(database, player))


def rating_history(
    store: RedisLog, player: str, scale: Scale, before: str | None, size: int
) -> tuple[list[Row], str | None]:
    """What a player's rating was behind each game of a scale, the newest first, and the cursor of the next page."""
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
    """A figure in whole points."""
    return round(thousandths / UNIT)


def present_standings(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[dict[str, Any]]:
    """Rows of the standings with the names of the players; AI levels have none."""
    names = presenter.names_of(row["player"] for row in rows if not row["player"].startswith(AI))
    return [{**row, "name": names.get(row["player"])} for row in rows]


def statistics_of(store: RedisLog, of: Of) -> Row:
    """How often each feature occurs at games, and how seats with it fared: shares with their intervals."""
    games, features = read_index(store, lambda database: statistics(database, of))
    return {"game": of.game, "games": games, "features": [_feature(one) for one in features]}


def _feature(feature: Feature) -> Row:
    values = [_value(value, feature.seats) for value in feature.values]
    return {"of": feature.of, "name": feature.name, "seats": feature.seats, "values": values}


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
