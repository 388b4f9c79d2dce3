"""The dispatcher enqueues what is due, under a lease, and lets clocks run out."""

import pytest
import redis
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from events.archiving.objects import ArchiveUnavailable
from events.log import Batch, Timer, partition_of
from events.store import RedisLog
from events.times import millis
from rulings.replay import replay
from service.tables import offers
from service.tables.record_again import Reruns
from tests.events.batches import START as NOTHING_YET
from tests.events.batches import batch
from tests.fixtures import START
from tests.tables import ANN, BEN, NUMBERS, Visit
from worker import dispatcher as dispatching
from worker.dispatcher import LEASE_MS, Dispatcher
from worker.play_turn import play_turns

LEASE_S = LEASE_MS / 1000
DAY_S = 86_400
YEAR_S, MONTH_S = 365 * DAY_S, 30 * DAY_S


class Enqueued:
    """Remembers which tables were enqueued."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.names: list[str] = []
        self.alone: list[bool] = []

    def __call__(self, table: str, name: str, alone: bool = False) -> None:
        self.tables.append(table)
        self.names.append(name)
        self.alone.append(alone)


pytestmark = pytest.mark.usefixtures("now")


@pytest.fixture
def enqueued() -> Enqueued:
    return Enqueued()


@pytest.fixture
def dispatcher(visit: Visit, enqueued: Enqueued) -> Dispatcher:
    return Dispatcher(visit.handler, enqueued)


def everywhere(visit: Visit) -> range:
    return range(visit.log.ping()["partitions"])


def due(visit: Visit, table: str) -> list[Timer]:
    """What is due of a table."""
    return [entry for entry in visit.log.timers(partition_of(table)) if entry.member.startswith(table)]


def beside(member: str) -> tuple[str, Batch]:
    """A new table in the partition of an entry, and a batch of it that makes the entry due."""
    here = partition_of(member.partition("|")[0])
    near = next(name for name in map(str, NUMBERS) if partition_of(name) == here)
    return near, batch(NOTHING_YET, "said", table=near, timers=(Timer(member, 0),))


def test_what_is_due_is_enqueued(visit: Visit, dispatcher: Dispatcher, enqueued: Enqueued) -> None:
    """Each AI seat that has to decide is enqueued, with a word on whether it plays among AI seats alone."""
    one, two = visit.open("manitou", "ann ai ai"), visit.open("manitou", "ai ai")
    visit.sit(visit.open("manitou", "ann open"), 2, BEN)

    assert dispatcher.dispatch(everywhere(visit)) == 4
    assert sorted(zip(enqueued.tables, enqueued.alone, strict=True)) == sorted([(one, False)] * 2 + [(two, True)] * 2)


def test_a_ring_is_not_repeated_within_the_lease(
    visit: Visit, dispatcher: Dispatcher, enqueued: Enqueued, now: FrozenDateTimeFactory
) -> None:
    """A turn that was enqueued is enqueued again when its lease is over, then after twice as long."""
    table = visit.open("manitou", "ann ai")
    for pause_s, times in ((0, 1), (LEASE_S - 0.001, 1), (0.001, 2), (LEASE_S, 2), (LEASE_S, 3)):
        now.tick(pause_s)
        dispatcher.dispatch(everywhere(visit))
        assert enqueued.tables == [table] * times
    assert len(set(enqueued.names)) == 3


def test_only_turns_wake_the_dispatcher(
    visit: Visit, dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch, enqueued: Enqueued
) -> None:
    """It looks where a turn of an AI seat is due at once; people's moves and clocks leave it asleep between polls."""
    monkeypatch.setattr(dispatching, "TICK_S", 0.05)
    dispatcher.partitions_to_dispatch()
    monkeypatch.setattr(dispatcher, "_looked", float("inf"))
    timed = visit.open("manitou", "ann open", decision_s=60)
    visit.sit(timed, 2, BEN)
    assert list(dispatcher.partitions_to_dispatch()) == []

    table = visit.open("manitou", "ann ai")
    assert list(dispatcher.partitions_to_dispatch()) == [partition_of(table)]


def test_what_was_left_of_a_fault_is_cleared_away(
    visit: Visit, dispatcher: Dispatcher, now: FrozenDateTimeFactory
) -> None:
    """Entries that name no open decision, or no table, are removed at the second attempt."""
    table = visit.open("manitou", "ann ai")
    play_turns(visit.handler, table)

    for member in (f"{table}|ai|2|1|0", "t_gone|ai|1|5|0"):
        visit.log.append(*beside(member))
    dispatcher.dispatch(everywhere(visit))
    assert due(visit, table)
    now.tick(LEASE_S)
    dispatcher.dispatch(everywhere(visit))

    assert due(visit, table) == []
    assert due(visit, "t_gone") == []


def test_a_clock_runs_out(visit: Visit, dispatcher: Dispatcher, enqueued: Enqueued, now: FrozenDateTimeFactory) -> None:
    """At the deadline and not before it, the dispatcher records that the time is over; once."""
    table = visit.open("manitou", "ann ai", decision_s=60)
    play_turns(visit.handler, table)
    now.tick(59.999)
    dispatcher.dispatch(everywhere(visit))
    assert not visit.decision(table, ANN).expired

    now.tick(0.001)
    dispatcher.dispatch(everywhere(visit))
    dispatcher.dispatch(everywhere(visit))

    expired = [event for event in visit.history(table).events if event.envelope.type == "ClockExpired"]
    decision = visit.decision(table, ANN)
    assert decision.expired
    assert [event.payload for event in expired] == [
        {"seat": 1, "decision": decision.recorded_id, "deadline": decision.deadline}
    ]
    assert expired[0].envelope.by == {"kind": "clock"}
    assert due(visit, table) == []
    assert enqueued.tables == []


def test_clocks_do_not_wait_for_the_queue(
    visit: Visit, now: FrozenDateTimeFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """One that does not answer is asked once for all that is due; the turns are due again."""
    asked = list[str]()

    def enqueue(table: str, *_: object) -> None:
        asked.append(table)
        raise redis.ConnectionError("gone")

    tables = [visit.open("manitou", "ai ai") for _ in range(5)]
    timed = visit.open("manitou", "ann ai", decision_s=60)
    play_turns(visit.handler, timed)
    now.tick(60)
    Dispatcher(visit.handler, enqueue).dispatch(everywhere(visit))

    assert visit.decision(timed, ANN).expired
    assert len(asked) == 1
    assert "turns wait for the queue: ConnectionError" in caplog.text
    assert all(len(due(visit, table)) == 2 for table in tables)


def test_a_move_in_time_stops_the_clock(visit: Visit, dispatcher: Dispatcher, now: FrozenDateTimeFactory) -> None:
    """The append that answers a decision takes its deadline away."""
    table = visit.open("manitou", "ann ai", decision_s=60)
    now.tick(59)
    visit.play(table, ANN)
    now.tick(2)
    dispatcher.dispatch(everywhere(visit))

    assert "ClockExpired" not in {event.envelope.type for event in visit.history(table).events}


@pytest.mark.parametrize("kind", ["clock|1|5|9", "dispute|1|d1|9"])
def test_a_table_that_was_lost_keeps_nobody_waiting(
    visit: Visit, enqueued: Enqueued, dispatcher: Dispatcher, kind: str
) -> None:
    """What was due at a table that is there no more is said, settled when it comes again, and others are enqueued."""
    member = f"t_one|{kind}"
    visit.log.append(*beside(member))
    table = visit.open("tomahawk", "ai ai")

    dispatcher.dispatch(range(visit.log.partitions))

    assert enqueued.tables == [table, table]
    with freeze_time("2026-11-21T09:20:00Z"):
        dispatcher.dispatch([partition_of("t_one")])
    assert member not in [due.member for due in visit.log.timers(partition_of("t_one"))]


def test_an_entry_that_fails_keeps_nobody_waiting(visit: Visit, caplog: pytest.LogCaptureFixture) -> None:
    """What nobody has foreseen is told by its kind and place; the entry stays due, and others are handled."""
    tables, taken = [visit.open("manitou", "ai ai"), visit.open("manitou", "ai ai")], list[str]()

    def enqueue(table: str, *_: object) -> None:
        if not taken:
            taken.append(table)
            raise ValueError("the cards of a seat")
        taken.append(table)

    assert Dispatcher(visit.handler, enqueue).dispatch(everywhere(visit)) == 4
    assert sorted(taken) == sorted(tables * 2)
    assert "ValueError" in caplog.text
    assert "the cards" not in caplog.text
    assert all(len(due(visit, table)) == 2 for table in tables)


def test_what_a_clock_put_off_is_due_now(
    visit: Visit, dispatcher: Dispatcher, enqueued: Enqueued, now: FrozenDateTimeFactory
) -> None:
    """A turn that fell due, or was leased, while a clock was years ahead is enqueued when it is right again."""
    now.tick(10 * YEAR_S)
    late = visit.open("manitou", "ann ai")
    dispatcher.dispatch(everywhere(visit))
    leased, late = late, visit.open("manitou", "ann ai")
    now.tick(-10 * YEAR_S)
    dispatcher.dispatch(everywhere(visit))
    assert enqueued.tables == [leased]

    enqueued.tables.clear()
    dispatcher.bring_forward()
    dispatcher.dispatch(everywhere(visit))

    assert set(enqueued.tables) == {late, leased}


def fail_to_enqueue(*_: object) -> None:
    """A queue that does not answer."""
    raise redis.ConnectionError("gone")


def test_a_lease_that_grew_while_the_queue_was_away_is_reset(
    visit: Visit, enqueued: Enqueued, now: FrozenDateTimeFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a queue that was away for some leases, then the turn is enqueued at the first look after it is back."""
    table, away = visit.open("manitou", "ann ai"), True

    def enqueue(table: str, name: str, alone: bool) -> None:
        fail_to_enqueue() if away else enqueued(table, name, alone)

    monkeypatch.setattr(dispatching, "TICK_S", 0.0)
    dispatcher = Dispatcher(visit.handler, enqueue)
    for _ in range(6):
        dispatcher.bring_forward()
        dispatcher.dispatch(everywhere(visit))
        now.tick(15)
    away = False
    dispatcher.bring_forward()
    dispatcher.dispatch(everywhere(visit))

    assert enqueued.tables == [table]
    assert [entry.at_ms for entry in due(visit, table)] == [visit.handler.now_ms() + LEASE_MS]


def test_deadlines_are_not_hastened(visit: Visit, dispatcher: Dispatcher) -> None:
    """A person who has a month for a decision keeps it."""
    table = visit.open("manitou", "ann ai", decision_s=MONTH_S)
    before = due(visit, table)
    dispatcher.bring_forward()

    assert due(visit, table) == before
    assert max(entry.at_ms for entry in before) == millis(START) + MONTH_S * 1000


@pytest.mark.parametrize("member", [b"t_lost\xff|ai|1|5|0", b"t_lost"])
def test_a_damaged_entry_keeps_nobody_waiting(
    valkey_log: RedisLog, enqueued: Enqueued, caplog: pytest.LogCaptureFixture, member: bytes
) -> None:
    """Given a flipped bit in the name of what is due, then all others are handled, and its partition's too."""
    visit = Visit(valkey_log)
    table = visit.open("manitou", "ai ai")
    valkey_log.client.zadd(valkey_log.partition_key(valkey_log.partition(table), "timers"), {member: 0})
    dispatcher = Dispatcher(visit.handler, enqueued)
    dispatcher.bring_forward()

    assert dispatcher.dispatch(everywhere(visit)) == 3
    assert table in enqueued.tables
    assert "t_lost" in caplog.text or "t_lost\\xff" in enqueued.tables


def test_what_is_due_at_an_archived_table_keeps_nobody_waiting_for_the_archive(
    valkey_log: RedisLog, enqueued: Enqueued, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an entry that a fault has left, and an archive that is away, then the turns of all others are enqueued."""
    visit = Visit(valkey_log)
    tables = {visit.open("manitou", "ai ai") for _ in range(4)}
    stray = f"{min(tables)}|clock|1|1|5"
    valkey_log.client.zadd(valkey_log.partition_key(valkey_log.partition(min(tables)), "timers"), {stray: 0})

    def away(*_: object) -> None:
        raise ArchiveUnavailable("it does not answer")

    monkeypatch.setattr("worker.dispatcher.expire", away)
    Dispatcher(visit.handler, enqueued).dispatch(everywhere(visit))
    assert set(enqueued.tables) == tables


@pytest.mark.fault
def test_a_table_without_a_move_for_a_month_is_abandoned(
    visit: Visit, dispatcher: Dispatcher, now: FrozenDateTimeFactory
) -> None:
    """Days count whole from the last move, and an offer is none; a game that has not begun is closed alike."""
    visit.handler.idle_days = 30
    played, waiting = (visit.open("manitou", seats) for seats in ("ann open", "ann open open"))
    visit.sit(played, 2, BEN)
    now.tick(20 * DAY_S)
    visit.play(played, ANN)
    now.tick(12 * DAY_S)
    offers.make(visit.handler, played, visit.sent(BEN), "draw", 2)
    dispatcher.dispatch(everywhere(visit))
    assert (visit.table(waiting).closed, visit.table(played).closed) == ("abandoned", None)

    now.tick(19 * DAY_S)
    dispatcher.dispatch(everywhere(visit))
    closed = visit.table(played)
    assert (closed.closed, closed.status, closed.ended, closed.offer) == ("abandoned", "finished", None, None)
    assert [event.envelope.type for event in visit.history(played).events[-2:]] == ["SeedRevealed", "TableClosed"]
    assert replay(visit.history(played), rerun=Reruns()).fault is None
    assert due(visit, played) == due(visit, waiting) == []


def test_what_moves_on_by_itself_is_not_abandoned(
    visit: Visit, dispatcher: Dispatcher, now: FrozenDateTimeFactory
) -> None:
    """An AI to move, or a clock that runs; but once the clock has run out and nobody settles it, it is."""
    with_ai = visit.open("manitou", "ai ai")
    visit.handler.idle_days = 1
    clocked, slow = (visit.open("manitou", seats, decision_s=s) for seats, s in (("ann open", 60), ("ai ai", 60)))
    visit.sit(clocked, 2, BEN)
    for expected in (None, "abandoned"):
        now.tick(3 * DAY_S)
        dispatcher.dispatch(everywhere(visit))
        assert [visit.table(table).closed for table in (clocked, slow, with_ai)] == [expected, None, None]
