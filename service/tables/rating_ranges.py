"""Who may take an open seat by the range of ratings that its table is for.

It bounds people, with their ratings of the table's game and number of seats. It bounds no AI, nor whoever opened the
table, nor for whom a seat is kept.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from events.ranges import RatingRange
from events.store import RedisLog
from projections.finished_games import ratings
from projections.finished_games.ratings import START, Scale
from projections.table import Table
from service.errors import Refused
from service.tables.played import points, read_index

MOST_RATING = 9999  # points: more than anybody reaches


class ShownRating(NamedTuple):
    """A rating as it is shown."""

    rating: int = START
    provisional: bool = True


NONE_YET = ShownRating()


def held_by(store: RedisLog, player: str, scales: Iterable[Scale]) -> dict[Scale, ShownRating]:
    """Somebody's ratings by these scales, as far as there are any; raises `Refused` while the index is being made."""
    found = read_index(store, lambda database: ratings.of_holder(database, player, scales))
    return {(one.game, one.players): ShownRating(points(one.rating), not one.settled) for one in found}


def is_in(asked: RatingRange, held: ShownRating) -> bool:
    """Whether a range lets somebody in."""
    least, most = asked.least or 0, MOST_RATING if asked.most is None else asked.most
    return (asked.provisional or not held.provisional) and least <= held.rating <= most


def is_bounded(table: Table, seat: int, player: str) -> bool:
    """Whether the rating of somebody decides whether they may take a seat."""
    return (
        table.opened.ratings is not None and table.opened.seats[seat - 1].kind == "open" and not _opened(table, player)
    )


def _opened(table: Table, player: str) -> bool:
    return table.opened.opened_by == player


def check_rating(store: RedisLog, table: Table, player: str) -> None:
    """Raises `Refused` for somebody whose rating lies outside the range of the table."""
    asked, scale = table.opened.ratings, (table.opened.game, table.opened.players)
    if asked is None:
        return
    held = held_by(store, player, [scale]).get(scale, NONE_YET)
    if not is_in(asked, held):
        raise Refused("rating-out-of-range", _told(asked, held), rating=held.rating, provisional=held.provisional)


def _told(asked: RatingRange, held: ShownRating) -> str:
    mine = f"yours is {held.rating}{' (provisional)' if held.provisional else ''}"
    bounds = [f"{name} {bound}" for name, bound in (("from", asked.least), ("up to", asked.most)) if bound is not None]
    kinds = [] if asked.provisional else ["not provisional"]
    return f"the open seats are for ratings {' '.join([*bounds, *kinds])}; {mine} for this game and number of seats"


def is_open_to(row: Mapping[str, Any], player: str, held: Mapping[Scale, ShownRating]) -> bool:
    """Whether somebody may take a free seat of a table in the lobby, by the ratings that they hold."""
    free = _free_for(row, player)
    return any(seat["kept_for"] for seat in free) or (bool(free) and _lets_in(row, player, held))


def _free_for(row: Mapping[str, Any], player: str) -> list[Mapping[str, Any]]:
    """The free seats of a table that are open or kept for somebody who has none there."""
    if row["status"] != "open" or player in (row["arbiter"], *(seat["player"] for seat in row["seats"])):
        return []
    return [
        seat for seat in row["seats"] if not (seat["player"] or seat["level"]) and seat["kept_for"] in (None, player)
    ]


def _lets_in(row: Mapping[str, Any], player: str, held: Mapping[Scale, ShownRating]) -> bool:
    asked: RatingRange | None = msgspec.convert(row["ratings"], RatingRange | None)
    rating = held.get((row["game"], row["players"]), NONE_YET)
    return asked is None or row["opened_by"] == player or is_in(asked, rating)
