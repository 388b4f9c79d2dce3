"""The lists of the lobby, as a query asks for them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from games import GAMES
from projections import lobby_lists
from projections.store import ProjectionStore
from service.api.common import caller, presenter, redis_log
from service.tables.listing import Read, TableFilter
from service.tables.lobby_rows import rows_shown
from service.tables.rating_ranges import held_by, is_open_to


class List(NamedTuple):
    """A list of the lobby: how its rows are read, which are wanted, and how many there are in all."""

    read: Read
    wanted: TableFilter
    total: int


def list_of_all(store: ProjectionStore, query: dict[str, Any], span: lobby_lists.Span) -> List:
    """Public tables of a status; raises `Refused`."""
    status = query.get("status", "open" if "open_to" in query else "running")
    wanted = TableFilter(query.get("game"), player=query.get("player"), since=span.since, open_to=_open_to(query))
    return List(
        _told(lambda part: lobby_lists.page(store, status, part)), wanted, lobby_lists.count(store, status, span)
    )


def list_of_mine(store: ProjectionStore, query: dict[str, Any], span: lobby_lists.Span) -> List:
    """The caller's tables, or those at which the caller has to decide; raises `Refused`."""
    me, turn = caller().needs("watch").id, query["mine"] == "turn"
    wanted = TableFilter(
        query.get("game"), query.get("status"), query.get("player"), me if turn else None, span.since, _open_to(query)
    )
    rows = lobby_lists.rows_seated if turn else lobby_lists.of_player
    return List(_told(lambda part: rows(store, me, part)), wanted, lobby_lists.count_of_player(store, me, span))


def _told(read: Read) -> Read:
    """The rows that are read, with the names of those who sit there."""

    def told(part: lobby_lists.LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
        rows, cursor = read(part)
        return rows_shown(rows, presenter()), cursor

    return told


def _open_to(query: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], bool] | None:
    """Whether a row of the lobby is open to the caller, if the query asks for such rows; raises `Refused`."""
    if "open_to" not in query:
        return None
    me = caller().needs("watch").id
    scales = [(name, players) for name, game in GAMES.items() for players in game.players]
    held = held_by(redis_log(), me, scales)
    return partial(is_open_to, player=me, held=held)
