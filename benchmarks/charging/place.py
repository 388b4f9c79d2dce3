"""A place where something is asked, and how large places are made."""

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.charging.hall import Hall
from benchmarks.charging.serving import Person
from projections.history import History
from service.tables.rulings import is_ruling


class Place(NamedTuple):
    """A place, what requests about it say, and the token of whoever asks."""

    name: str
    names: dict[str, Any]
    token: str | None = None


class Size(NamedTuple):
    """How large places are made."""

    events: int = 4_900  # of the longest tables
    comments: int = 500
    takebacks: int = 1_000  # of somebody among AI players
    consents: int = 400  # takebacks among people
    worlds: int = 24  # takebacks among many people of Plenty Coups, each with six worlds
    disputes: int = 120
    branches: int = 120
    tables: int = 260  # of an account, and in lists
    kept: int = 100  # tokens, blocks and invitations of an account; ten times as many reports
    games: int = 5_000  # that are searched
    slugs: tuple[str, ...] = ("big-manitou", "manitou", "tomahawk", "plenty-coups")  # the largest last


SMALL = Size(60, 3, 3, 2, 1, 2, 3, 6, 3, 50, ("tomahawk",))


def table_place(hall: Hall, name: str, table: str, person: Person | None = None, **more: Any) -> Place:
    """A table as it is now."""
    history, asking = hall.handler.history(table), person or hall.people[0]
    version = history.table.version
    found = {
        "table": table,
        "game": history.table.opened.game,
        "version": version,
        "middle": max(1, version // 2),
        "before": max(1, version - 500),
        "seat": history.table.seat_of(asking.player.id) or 1,
        "ruling": _last(history, is_ruling),
        "ai": _last(history, lambda event: "ai" in event.envelope.by and "move" in event.sealed),
        "other": table,
        "dispute": history.table.disputes[-1].name if history.table.disputes else "d1",
    }
    return Place(name, found | more, asking.token)


def _last(history: History, wanted: Callable[[Any], bool]) -> int:
    return next((event.version for event in reversed(history.events) if wanted(event)), 1)
