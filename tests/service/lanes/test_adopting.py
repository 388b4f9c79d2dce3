"""What happens between an append and its being taken into memory: whatever it is, the answer is the store's."""

from collections.abc import Callable

import pytest

from events.log import Batch, LogDamaged, VersionRange
from projections.history import TableHistory
from service.tables.audit import audit
from service.tables.viewing import Viewer
from tests.memory_log import MemoryLog
from tests.tables import ANN, BEN, Visit


class Interrupted(MemoryLog):
    """A log in memory; `meanwhile` happens once, between the next append and its answer."""

    meanwhile: Callable[[], object] | None = None

    def append(self, table: str, batch: Batch) -> VersionRange:
        span = super().append(table, batch)
        happening, self.meanwhile = self.meanwhile, None
        if happening:
            happening()
        return span


class Interleaving:
    """Two processes and a running table on one log."""

    def __init__(self) -> None:
        self.log = Interrupted()
        self.here, self.there = Visit(self.log), Visit(self.log)
        self.table = self.here.open("big-manitou", "ann ben")
        self.here.sit(self.table, 2, BEN)

    def peek(self) -> TableHistory | None:
        return self.here.handler.cache.peek(self.table)

    def evict(self) -> None:
        known = self.peek()
        assert known is not None
        self.here.handler.cache.drop(self.table, known.table.head)

    def read(self) -> None:
        self.here.history(self.table)

    def follow(self) -> None:
        """The other process makes the next move."""
        self.there.play(self.table, BEN)

    def lose(self) -> None:
        """The store goes back to the table's first event, and the loss is found."""
        self.log._events[self.table] = self.log._events[self.table][:1]
        with pytest.raises(LogDamaged):
            self.read()


MEANWHILE: dict[str, tuple[Callable[[Interleaving], None], ...]] = {
    "nothing": (),
    "the table is evicted": (Interleaving.evict,),
    "the batch is read": (Interleaving.read,),
    "others write, unseen": (Interleaving.follow,),
    "others write, and both are read": (Interleaving.follow, Interleaving.read),
    "others write, and the table is evicted": (Interleaving.follow, Interleaving.evict),
    "evicted and read again": (Interleaving.evict, Interleaving.read),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_move_is_answered_as_the_store_has_it(meanwhile: str) -> None:
    """One batch is recorded and answered; memory never holds less than it did, nor anything else than the store."""
    one = Interleaving()
    before, at_least = one.here.table(one.table).version, 0

    def happen() -> None:
        nonlocal at_least
        for happening in MEANWHILE[meanwhile]:
            happening(one)
        known = one.peek()
        at_least = known.table.version if known else 0

    one.log.meanwhile = happen
    outcome = one.here.play(one.table, ANN)

    assert outcome.span == (before + 1, outcome.table.version, False)
    assert outcome.history.events[: outcome.span.last] == one.log.read(one.table, 1, outcome.span.last)
    known, recorded = one.peek(), one.log.read(one.table)
    assert known is not None
    assert known.events == recorded[: known.table.version]
    assert known.table.version >= max(at_least, outcome.span.last)
    assert one.here.history(one.table).events == recorded
    assert audit(one.here.history(one.table), Viewer(None, over=False))["holds"]


def test_what_was_found_lost_is_not_revived() -> None:
    """The move was appended, then the store went back: its sender is told so, and memory holds what the store does."""
    one = Interleaving()
    one.here.play(one.table, ANN)
    one.log.meanwhile = one.lose

    with pytest.raises(LogDamaged):
        one.here.play(one.table, BEN)

    assert one.here.history(one.table).events == one.log.read(one.table)
    assert len(one.log.read(one.table)) == 1
