"""A batch as it was recorded, and what was brought to it: who caused it, when, with which fields."""

from typing import Any, NamedTuple, TypeVar

import msgspec

from events.canonical import canonical
from events.lifecycle import Lifecycle
from events.recorded import Recorded
from events.times import millis
from projections.history import History
from projections.table import Table
from service.accounts.callers import SCOPES, Caller, Player
from service.commands import CallerContext, CommandContext, Request

L = TypeVar("L", bound=Lifecycle)


class Wrong(Exception):
    """Something in a batch that no release can have recorded."""


class Taken(NamedTuple):
    """A batch as it was recorded, and the table's history before it (None for the first one)."""

    before: History | None
    events: tuple[Recorded, ...]

    @property
    def first(self) -> Recorded:
        """The event that holds the request."""
        return self.events[0]

    @property
    def named(self) -> str:
        """The type of that event."""
        return self.first.envelope.type

    @property
    def by(self) -> dict[str, Any]:
        """Who caused it."""
        return self.first.envelope.by

    @property
    def now_ms(self) -> int:
        """The machine's clock when it was recorded."""
        return millis(self.first.envelope.counted_from)

    @property
    def stands_still(self) -> bool:
        """Whether the table's time may have been ahead of a clock that earlier releases did not record."""
        envelope = self.first.envelope
        return envelope.now is None and envelope.at == self.table.at

    @property
    def history(self) -> History:
        """The history before it; raises `Wrong` for the first batch."""
        if self.before is None:
            raise Wrong(f"no table begins with {self.named}")
        return self.before

    @property
    def table(self) -> Table:
        """The table before it."""
        return self.history.table

    @property
    def player(self) -> Player:
        """Who sent the request. An account's kind matters only where it sits down; its name is taken as recorded."""
        sat = self.first.payload if self.named == "SeatTaken" else {}
        return Player(str(self.by.get("player")), "", bot=sat.get("bot", False), at="")

    @property
    def sent(self) -> CommandContext:
        """The request as its player sent it."""
        return CommandContext(self.player, Request())

    @property
    def asked(self) -> CallerContext:
        """The same with every scope, since the record does not say which token was used."""
        return CallerContext(Caller(self.player, SCOPES), Request())

    def read(self, kind: type[L]) -> L:
        """What the first event says; raises `Wrong` if it says more, less or in another form."""
        found = msgspec.convert(self.first.payload, kind)
        told = {name: value for name, value in msgspec.to_builtins(found).items() if name != "type"}
        if canonical(told) != canonical(self.first.payload):
            raise Wrong(f"{self.named} has other fields than it may have")
        return found
