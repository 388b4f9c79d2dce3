"""A seat's beliefs at a version: where each card that it has not seen may lie, and how likely."""

import hashlib
from typing import Any

from events.canonical import canonical
from events.verifiable_luck import Imagined
from games.beliefs import beliefs
from games.kernel import NoWorld
from projections.history import TableHistory
from service.accounts.callers import Caller
from service.command_handler import CommandHandler
from service.errors import Refused
from service.tables.authorisation import Viewer, viewer_of
from service.tables.forks import MOST_FORKS
from service.tables.time_travel import check_version


def believed(handler: CommandHandler, history: TableHistory, caller: Caller, asked: dict[str, Any]) -> dict[str, Any]:
    """Returns a seat's beliefs at a version, by imagined worlds; raises `Refused`.

    They follow from what the seat knew at that version and from a public seed, so that equal questions have equal
    answers.
    """
    viewer = _believer(handler, history, caller, asked.get("seat"))
    version, worlds = asked.get("at", history.table.version), asked["worlds"]
    check_version(history, version)
    then = history.at(version)
    seed = hashlib.sha256(canonical(["beliefs", then.id, version, viewer.seat, worlds])).hexdigest()[:16]
    answer = {"table": then.id, "version": version, "seat": viewer.seat, "worlds": worlds, "seed": seed}
    if then.state is None:
        return answer | {"places": ()}
    view, feed = then.game.view(then.state, viewer.seat), history.feed(viewer.seat, until=version)
    try:
        return answer | {"places": beliefs(then.game, view, feed, Imagined(int(seed, 16)), worlds)}
    except NoWorld as none:
        raise Refused("no_world", str(none)) from None


def _believer(handler: CommandHandler, history: TableHistory, caller: Caller, seat: int | None) -> Viewer:
    """Returns the seat that the caller may ask about: any after the game; before, their own, at a table with aids."""
    table = history.table
    own = table.seat_of(caller.id)
    if is_line_laid_open(handler, history):
        return viewer_of(table, caller, own if seat is None else seat)
    caller.needs("watch")
    if own is None or seat not in (None, own):
        raise Refused("not_your_seat", "until the game is over you may ask for the beliefs of your own seat")
    if not table.opened.aids:
        raise Refused("no_aids", "this table was opened without aids: ask again when the game is over")
    return Viewer(own, over=False)


def is_line_laid_open(handler: CommandHandler, history: TableHistory) -> bool:
    """Whether a table and all its ancestors that are here are laid open; false for a line of too many branches."""
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
