"""Tables at any moment of their past, and how few reads it takes to have them."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest
from freezegun import freeze_time
from msgspec import UNSET

from events.chain import GENESIS
from events.envelopes import START, BatchMetadata, Head, NewEvent, record
from events.log import Batch, Diverged, Log, LogDamaged
from games import GAMES
from projections.folding import MARK, fold
from projections.history import TableCache, TableHistory
from service.command_handler import CommandHandler, Decision, Request
from tests.memory_log import MemoryLog
from tests.tables import NUMBERS, Visit


@pytest.fixture(scope="module")
def history() -> Iterator[TableHistory]:
    """A table of a person and an AI played to its end, a second between its batches."""
    with freeze_time("2026-11-21T09:00:00Z", auto_tick_seconds=1):
        visit = Visit()
        yield visit.play_to_the_end(visit.open("manitou", "ann ai"))


def test_every_version_is_the_fold_of_what_came_before(history: TableHistory) -> None:
    """The table at a version is folded from that many events and from nothing else."""
    for version in range(1, history.table.version + 1):
        assert history.at(version) == fold(None, history.events[:version])
        assert history.at(version).version == version


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_a_feed_holds_what_its_seat_read(history: TableHistory, seat: int | None) -> None:
    """A seat's feed has every event of the game, with the fields unset that others alone could read."""
    kinds = GAMES["manitou"].kinds
    events = [event for event in history.events if event.envelope.type in kinds]
    feed = history.feed(seat)

    assert [type(new_event).__name__ for new_event in feed] == [event.envelope.type for event in events]
    for new_event, event in zip(feed, events, strict=True):
        hidden = {name for name, seats in event.envelope.readers.items() if seat not in seats}
        told = {name for name in event.payload if getattr(new_event, name) is not UNSET}
        assert told == set(event.payload) - hidden
    assert history.feed(seat, until=20) == feed[: sum(event.version <= 20 for event in events)]


COMMENT = {"dispute": "d", "player": "p", "seat": None, "text": {"of": "p", "text": ""}}


def say(log: Log, table: str, times: int) -> None:
    """Adds events, of no two the same, that change nothing at a table."""
    for _ in range(times):
        head, at = log.head(table), log.read(table)[-1].envelope.at
        new_event = NewEvent("DisputeCommented", COMMENT | {"text": {"of": "p", "text": f"{next(NUMBERS)}"}}, {})
        log.append(table, Batch(head, record(table, head, (new_event,), BatchMetadata(at, {"kind": "clock"}, GENESIS))))


def copied(log: Log, table: str, versions: int) -> MemoryLog:
    """A log that holds so many events of a table."""
    copy = MemoryLog()
    if versions:
        copy.append(table, Batch(START, log.read(table, 1, versions)))
    return copy


OPENED = 7  # events with which the table begins
KNOWN = OPENED + 3
BACK = {"emptied": (0, 0), "an older copy": (8, 0), "as long": (8, 2), "longer": (8, 5), "one behind": (KNOWN - 1, 1)}


class GoneBack(NamedTuple):
    """TableCache that know ten versions of a table, on a store that went back to fewer and may have got others."""

    cache: TableCache
    table: str
    store: MemoryLog

    @property
    def head(self) -> Head:
        """What is known."""
        known = self.cache.peek(self.table)
        return known.table.head if known else START


@pytest.fixture(params=BACK)
def gone_back(request: pytest.FixtureRequest) -> GoneBack:
    (kept, others), visit = BACK[request.param], Visit()
    table = visit.open("manitou", "ann ai")
    say(visit.log, table, KNOWN - OPENED)
    store = copied(visit.log, table, kept)
    say(store, table, others)
    cache = TableCache(visit.log)
    cache.load(table)
    cache.log = store
    return GoneBack(cache, table, store)


def test_a_store_that_went_back_is_said_once(gone_back: GoneBack) -> None:
    """The next reader gets both heads; the copy is dropped, and from then on the store's own is used."""
    cache, table, store = gone_back
    known = gone_back.head

    with pytest.raises(Diverged) as damage:
        cache.load(table)

    assert (damage.value.known, known.version) == (known, KNOWN)
    assert cache.peek(table) is None
    served = cache.load(table)
    assert (served.events if served else ()) == store.read(table)


def test_a_move_on_a_store_that_went_back_is_refused(gone_back: GoneBack) -> None:
    """Also where a conflict would bring others' events: nothing is written, and the copy is dropped."""
    cache, table, store = gone_back
    handler = CommandHandler(store)
    handler.cache = cache
    before = store.read(table)

    with pytest.raises(Diverged):
        handler.change(
            table, lambda _: Decision((NewEvent("DisputeCommented", COMMENT, {}),), {"kind": "clock"}), Request("r")
        )

    assert store.read(table) == before
    assert cache.peek(table) is None


@pytest.mark.parametrize("first", [KNOWN - 1, KNOWN, KNOWN + 1])
def test_events_of_another_history_are_not_taken_in(first: int) -> None:
    """Others' events are not added to what is known: neither those of the same versions nor the next one."""
    visit = Visit()
    table = visit.open("manitou", "ann ai")
    other = copied(visit.log, table, OPENED)
    say(visit.log, table, KNOWN - OPENED)
    say(other, table, KNOWN - OPENED + 1)
    cache = TableCache(visit.log)
    known = cache.load(table)

    assert cache.add(table, other.read(table, 1, OPENED)) == known
    with pytest.raises(Diverged):
        cache.add(table, other.read(table, first))
    assert cache.peek(table) is None


def test_an_event_that_fits_no_table_is_named(history: TableHistory) -> None:
    """However many events are folded together: the error names the first that does not fit, or is missing."""
    events, name = history.events, history.table.id
    broken = next(event for event in events[MARK + 5 :] if event.envelope.type == "CardPlayed")
    other = msgspec.structs.replace(broken, envelope=msgspec.structs.replace(broken.envelope, payload={"seat": 1}))
    at = broken.version - 1

    with pytest.raises(LogDamaged, match=rf"{name} version {broken.version} \(CardPlayed\) fits no table"):
        TableCache(MemoryLog()).add(name, (*events[:at], other, *events[at + 1 :]))
    with pytest.raises(LogDamaged, match=f"{name} lacks version {broken.version}"):
        TableCache(MemoryLog()).add(name, events[:at] + events[at + 1 :])
