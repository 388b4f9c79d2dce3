"""Who may see what of a table: viewers, and whether a caller may look at a table through a seat."""

from typing import NamedTuple

from projections.history import TableHistory
from projections.table import Table
from service.accounts.callers import Caller
from service.command_handler import CommandHandler
from service.errors import Refused
from service.transcripts import is_transcript

ALL = -1  # in place of a seat: everything is open


class Viewer(NamedTuple):
    """A seat that looks at a table, or a spectator (None); `over` if nothing is secret any more.

    An arbiter looks through a seat up to version `until`.
    """

    seat: int | None
    over: bool
    until: int | None = None
    everything: bool = False

    def check(self, version: int) -> None:
        """Raises `Refused` for a version after the last one that this viewer may see."""
        if self.until is not None and version > self.until:
            detail = f"an arbiter sees what seat {self.seat} sees up to version {self.until}: ask for `at` up to that"
            raise Refused("not_your_seat", detail, version=self.until)


def may_see(table: Table, caller: Caller) -> bool:
    """Whether the caller may know of the table: a private one exists only for the players that it names."""
    if table.opened.visibility == "public" or "admin" in caller.scopes:
        return True
    named = {table.opened.opened_by, table.opened.arbiter, *(offer.player for offer in table.opened.seats)}
    return caller.id is not None and caller.id in named


def authorise_table(handler: CommandHandler, table: str, caller: Caller) -> TableHistory:
    """Returns the history of a table that the caller may see; raises `Refused`."""
    history = handler.history(table)
    if not may_see(history.table, caller):
        raise Refused("no_such_table", f"there is no table {table!r}")
    return history


def authorise(handler: CommandHandler, table: str, caller: Caller) -> TableHistory:
    """Returns the history of a table or transcript that the caller may see; raises `Refused`."""
    if is_transcript(table):
        return handler.transcripts.history(table, caller)
    return authorise_table(handler, table, caller)


def authorise_whole(handler: CommandHandler, table: str, caller: Caller, refusal: str) -> TableHistory:
    """Returns a table, or a transcript with all that its seats learned; raises `Refused`.

    The code is `refusal` for a transcript that begins with a state: nobody knows what its seats learned before.
    """
    if is_transcript(table):
        return handler.transcripts.whole(table, caller, refusal)
    return authorise_table(handler, table, caller)


def viewer_of(table: Table, caller: Caller, seat: int | None = None) -> Viewer:
    """Returns the caller as viewer, or `seat` if the caller may look through it; raises `Refused`.

    A token without the scope `watch` sees what spectators see.
    """
    own = table.seat_of(caller.id)
    if seat is None:
        return Viewer(own if caller.has("watch") else None, table.laid_open)
    if seat == ALL:
        if not table.laid_open:
            raise Refused("not_your_seat", "all seats together are open when the game is over")
        return Viewer(None, over=True, everything=True)
    check_seat(table, seat)
    if table.laid_open:
        return Viewer(seat, over=True)
    until = None if seat == own else reach(table, caller, seat)
    if seat != own and until is None:
        when = "in an open dispute: post a look" if arbitrates(table, caller) else "when the game is over"
        raise Refused("not_your_seat", f"what seat {seat} sees is open to you {when}")
    caller.needs("watch")
    return Viewer(seat, over=False, until=until)


def reach(table: Table, caller: Caller, seat: int) -> int | None:
    """Returns the last version that an arbiter may see through a seat, None without a look in an open dispute."""
    if not arbitrates(table, caller):
        return None
    looks = (look for dispute in table.disputes if dispute.outcome is None for look in dispute.looks)
    return max((look.until for look in looks if look.seat == seat and look.player == caller.id), default=None)


def arbitrates(table: Table, caller: Caller) -> bool:
    """Whether the caller is the table's arbiter, with a token of that scope."""
    return caller.id is not None and caller.id == table.opened.arbiter and "arbitrate" in caller.scopes


def check_seat(table: Table, seat: int) -> None:
    """Raises `Refused` if the table has no such seat."""
    if not 1 <= seat <= table.opened.players:
        raise Refused("no_such_seat", f"the table has the seats 1 to {table.opened.players}")
