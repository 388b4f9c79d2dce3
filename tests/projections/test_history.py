"""Tables at any moment of their past, and how few reads it takes to have them."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from freezegun import freeze_time
from msgspec import UNSET

from events.memory import MemoryLog
from events.recorded import Recorded
from projections.history import MARK, Histories, History
from projections.table import KINDS, fold
from tests.tables import ANN, Visit


@pytest.fixture(scope="module")
def history() -> Iterator[History]:
    """A table of a person and an AI played to its end, a second between its batches."""
    with freeze_time("2026-11-21T09:00:00Z", auto_tick_seconds=1):
        visit = Visit()
        yield visit.play_to_the_end(visit.open("manitou", "ann ai"))


def test_every_version_is_the_fold_of_what_came_before(history: History) -> None:
    """The table at a version is folded from that many events and from nothing else."""
    for version in range(1, history.table.version + 1):
        assert history.at(version) == fold(None, history.events[:version])
        assert history.at(version).version == version


@pytest.mark.parametrize("cold", [False, True])
def test_no_version_is_far_from_a_moment_that_is_kept(history: History, cold: bool) -> None:
    """Whether the events came batch by batch or all at once: at most a batch further than the usual distance."""
    if cold:
        found = Histories(MemoryLog()).add(history.table.id, history.events)
        assert found is not None
        history = found
    kept = [0, *(table.version for table in history.marks), history.table.version]
    longest = max(last - first for first, last in (event.envelope.batch for event in history.events)) + 1

    assert all(here - before < MARK + longest for before, here in pairwise(kept))
    assert all(here - before >= MARK for before, here in pairwise(kept[:-1]))


def test_walking_gives_the_same_tables(history: History) -> None:
    """A walk from version to version gives what asking for each of them gives."""
    walked = list(history.walk(3, 40))

    assert walked == [history.at(version) for version in range(3, 41)]
    assert list(history.walk(history.table.version, history.table.version)) == [history.table]


def test_there_is_no_version_0(history: History) -> None:
    """Before its first event a table is not there."""
    with pytest.raises(ValueError, match="begins with version 1"):
        history.at(0)


def test_the_version_at_a_time(history: History) -> None:
    """At a time there are the events written until then, those of the same moment included."""
    times = [event.envelope.at for event in history.events]
    for number, at in enumerate(times, 1):
        assert history.version_at(at) == max(n for n, other in enumerate(times, 1) if other == at) >= number
    assert history.version_at("2026-11-21T08:59:59.999Z") == 0
    assert history.version_at("2027-01-01T00:00:00.000Z") == len(times)
    between = f"{times[-1][:-4]}999Z"
    assert history.version_at(between) == len(times)


@pytest.mark.parametrize("seat", [None, 1, 2])
def test_a_feed_holds_what_its_seat_read(history: History, seat: int | None) -> None:
    """A seat's feed has every event of the game, with the fields unset that others alone could read."""
    kinds = KINDS["manitou"]
    events = [event for event in history.events if event.envelope.type in kinds]
    feed = history.feed(seat)

    assert [type(fact).__name__ for fact in feed] == [event.envelope.type for event in events]
    for fact, event in zip(feed, events, strict=True):
        hidden = {name for name, seats in event.envelope.readers.items() if seat not in seats}
        told = {name for name in event.payload if getattr(fact, name) is not UNSET}
        assert told == set(event.payload) - hidden
    assert history.feed(seat, until=20) == feed[: sum(event.version <= 20 for event in events)]


class CountingLog(MemoryLog):
    """A log that counts the events it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    def read(self, table: str, first: int = 1, last: int | None = None) -> tuple[Recorded, ...]:
        found = super().read(table, first, last)
        self.reads.append(len(found))
        return found


@pytest.fixture
def log() -> CountingLog:
    return CountingLog()


def test_a_table_is_read_once_and_then_only_what_is_new(log: CountingLog) -> None:
    """The first look is one range read of everything, every further one of what was missed."""
    visit = Visit(log)
    table = visit.open("manitou", "ann ai")
    histories = Histories(log)

    opened, reads = visit.table(table), len(log.reads)
    histories.fresh(table)
    assert log.reads[reads:] == [opened.version]

    played, reads = visit.play(table, ANN).table, len(log.reads)
    histories.fresh(table)
    fresh = histories.fresh(table)
    assert log.reads[reads:] == [played.version - opened.version, 0]
    assert fresh is not None
    assert fresh.table == played


def test_a_table_that_is_not_there_is_none(log: CountingLog) -> None:
    """There is no history without events."""
    histories = Histories(log)

    assert histories.fresh("t_none") is None
    assert histories.known("t_none") is None


def test_events_that_are_known_are_passed_over(log: CountingLog) -> None:
    """Events come in any number of times; with a gap before them they are left out."""
    visit = Visit(log)
    events = visit.history(visit.open("manitou", "ann ai")).events
    table = events[0].envelope.table
    histories = Histories(log)

    assert histories.add(table, events[1:]) is None
    added = histories.add(table, events[:2])
    assert histories.add(table, events[:1]) == added
    assert histories.add(table, events[3:]) == added
    whole = histories.add(table, events[1:])
    assert whole is not None
    assert whole.events == events


def test_tables_used_long_ago_are_forgotten(log: CountingLog) -> None:
    """Only so many tables are kept, those used last; a forgotten one is read again."""
    visit = Visit(log)
    one, two, three = (visit.open("manitou", "ann ai") for _ in range(3))
    histories = Histories(log, capacity=2)
    for table in (one, two, one, three):
        histories.fresh(table)

    assert histories.known(two) is None
    assert histories.known(one) is not None
    again = histories.fresh(two)
    assert again is not None
    assert again.table == visit.table(two)
