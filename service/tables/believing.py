"""What a seat could believe at a version: where each card that it did not see may have lain, and how likely."""

import hashlib
from typing import Any

from events.canonical import canonical
from events.luck import Imagined
from games.beliefs import beliefs
from games.kernel import NoWorld
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.commands import CommandHandler
from service.errors import Refused
from service.tables.forks import MOST_FORKS
from service.tables.viewing import Viewer, check_version, viewer_of


def believed(handler: CommandHandler, history: TableHistory, caller: Caller, asked: dict[str, Any]) -> dict[str, Any]:
    """The belief of a seat at a version, by imagined worlds; raises `Refused`.

    It follows from what the seat knew at that version alone, and from a seed that follows from the question: whoever
    asks the same is told the same.
    """
    viewer = _believer(handler, history, caller, asked.get("seat"))
    version, worlds = asked.get("at", history.table.version), asked["worlds"]
    check_version(history, version)
    then = history.at(version)
    seed = seed_of(then.id, version, viewer.seat, worlds)
    told = {"table": then.id, "version": version, "seat": viewer.seat, "worlds": worlds, "seed": seed}
    if then.state is None:
        return told | {"places": ()}
    view, feed = then.game.view(then.state, viewer.seat), history.feed(viewer.seat, until=version)
    try:
        return told | {"places": beliefs(then.game, view, feed, Imagined(int(seed, 16)), worlds)}
    except NoWorld as none:
        raise Refused("no_world", str(none)) from None


def seed_of(table: str, version: int, seat: int | None, worlds: int) -> str:
    """The seed of a belief (hexadecimal): nothing secret is in it."""
    return hashlib.sha256(canonical(["beliefs", table, version, seat, worlds])).hexdigest()[:16]


def _believer(handler: CommandHandler, history: TableHistory, caller: Caller, seat: int | None) -> Viewer:
    """The seat that the caller may ask about: any, once all is over; until then the own, where the table has aids."""
    table = history.table
    own = table.seat_of(caller.id)
    if is_line_laid_open(handler, history):
        return viewer_of(table, caller, own if seat is None else seat)
    caller.needs("watch")
    if own is None or seat not in (None, own):
        raise Refused("not_your_seat", "until the game is over you are told what your own seat may believe")
    if not table.opened.aids:
        raise Refused("no_aids", "this table was opened without aids: ask again when the game is over")
    return Viewer(own, over=False)


def is_line_laid_open(handler: CommandHandler, history: TableHistory) -> bool:
    """Whether a table is laid open, and what it is a branch of, one behind the other, as far as that is here.

    A line that is longer than anybody follows is not: each read of it takes time of others.
    """
    for _ in range(MOST_FORKS):
        if not history.table.laid_open:
            return False
        if (fork := history.table.fork) is None:
            return True
        parent = handler.cache.load(fork.parent)
        if parent is None:
            return True
        history = parent
    return False
