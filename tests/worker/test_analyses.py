"""Analyses as jobs: in slices, behind tables that wait, to the same bytes as in one go, whatever comes between."""

from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest
import redis

from events.store import RedisLog
from projections.history import TableHistory
from service.analyses import DUE, LEASE_MS, LUCK, Analyses, AnalysisStatus, Name, head_of
from tests.tables import ANN, Visit
from tests.worker.test_turn_queue import work
from worker import rq_worker
from worker.analysis import finished, luck
from worker.analysis.evaluating import Effort
from worker.analysis.finished import analyse
from worker.analysis.luck import course_of, luck_by_event
from worker.analysis.slices import run_slice
from worker.rq_worker import TurnQueue, queues

EFFORT = Effort(3, 2)
NOW_MS = 1_800_000_000_000


class Desk:
    """A finished table, and its analysis as it stands in the store."""

    def __init__(self, log: RedisLog) -> None:
        self.visit, self.now_ms = Visit(log), NOW_MS
        self.history = finished_table(self.visit)
        self.analyses = Analyses(log.client, lambda: self.now_ms, most=2)
        self.name = Name(self.history.table.id, "quick")

    def ask(self, name: Name | None = None, by: str = ANN.id) -> None:
        wanted = AnalysisStatus(head=head_of(self.history), by=by, asked_at="2026-11-23T00:00:00.000Z")
        assert self.analyses.ask(name or self.name, self.analyses.find(name or self.name), wanted)

    def stands(self) -> AnalysisStatus:
        found = self.analyses.find(self.name)
        assert found is not None
        return found.analysis

    def slice(self, rollouts: int = 1) -> bool:
        """A slice that ends after so many games were played out."""
        left = iter([True] * (rollouts - 1))
        return run_slice(self.analyses, self.name, self.history, lambda: next(left, False))


def finished_table(visit: Visit, seed: int = 1) -> TableHistory:
    """A game of Tomahawk, played to its end at random, for one with an AI."""
    return visit.play_to_the_end(visit.open("tomahawk", "ann uniform"), seed)


@pytest.fixture
def desk(valkey_log: RedisLog, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for kind in finished.EFFORTS:
        monkeypatch.setitem(finished.EFFORTS, kind, EFFORT)
    monkeypatch.setattr(luck, "WORLDS", 2)
    every = finished.decisions
    monkeypatch.setattr(finished, "decisions", lambda history: list(every(history))[-4:])  # rollouts there are short
    return Desk(valkey_log)


def in_one_go(history: TableHistory, kind: str) -> bytes:
    told = luck_by_event(course_of(history), 2) if kind == LUCK else analyse(history, kind, EFFORT)
    return msgspec.json.encode(list(told)[-1])


@pytest.mark.parametrize("kind", ["quick", "deep", pytest.param(LUCK, marks=pytest.mark.slow)])
def test_slices_come_to_the_same_bytes(desk: Desk, kind: str) -> None:
    """Given slices of one game played out, of two and more, then in the end it is what the command writes."""
    desk.name = Name(desk.name.table, kind)
    desk.ask()
    rollouts = 1
    while desk.slice(rollouts):
        rollouts = rollouts % 7 + 1
    assert desk.stands().status == "done"
    assert desk.analyses.whole(desk.name) == in_one_go(desk.history, kind)


def test_a_slice_that_was_lost_is_done_again(desk: Desk) -> None:
    """Whatever a worker had in hand when it was killed is not there, and all before it is."""
    desk.ask()
    desk.slice()
    desk.slice()
    assert (desk.stands().done, desk.stands().rollouts) == (0, 1)
    while desk.slice(3):
        pass
    assert desk.analyses.whole(desk.name) == in_one_go(desk.history, "quick")


def test_what_is_asked_for_is_enqueued_and_again_when_its_worker_is_lost(desk: Desk) -> None:
    """At once, then after a lease; not while a worker tells how far it is; not when it is done."""
    desk.ask()
    assert desk.analyses.lease() == [desk.name]
    assert desk.analyses.lease() == []
    desk.now_ms += LEASE_MS
    assert desk.analyses.lease() == [desk.name]
    desk.slice()
    desk.now_ms += LEASE_MS - 1
    assert desk.analyses.lease() == []
    while desk.slice(3):
        pass
    desk.now_ms += 2 * LEASE_MS
    assert desk.analyses.lease() == []


def test_what_is_damaged_keeps_no_other_analysis_waiting(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Given names that are none, and one whose state is none, then the others go on, and each of these is told."""
    desk.ask()
    torn = Name(desk.name.table, "deep")
    client = desk.analyses._client
    client.hset(f"{{analyses}}:{torn}", "state", b"{")
    client.zadd(DUE, dict.fromkeys([b"\xff:quick", b"alone", str(torn).encode()], 0))
    assert desk.analyses.lease() == [desk.name]
    assert sum("is not an analysis" in record.message for record in caplog.records) == 3


def test_a_table_with_other_events_ends_it(desk: Desk) -> None:
    """The store went back, and the game ended otherwise."""
    desk.ask()
    other = finished_table(desk.visit, seed=2)
    assert not run_slice(desk.analyses, desk.name, other, lambda: False)
    assert (desk.stands().status, desk.stands().detail) == ("failed", "the table has other events now")


@pytest.fixture
def client(valkey_url: str) -> Iterator[redis.Redis]:
    with closing(redis.Redis.from_url(valkey_url)) as found:
        yield found


@pytest.fixture
def configured(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a worker process is configured by."""
    monkeypatch.setenv("WINTERCOUNT_REDIS_URL", valkey_url)
    rq_worker.worker_process.cache_clear()
    yield
    rq_worker.worker_process.cache_clear()


@pytest.mark.usefixtures("configured")
def test_a_worker_makes_it_slice_by_slice(desk: Desk, client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given slices that end at once, when a worker does all jobs, then the analysis is done."""
    monkeypatch.setattr(rq_worker, "SLICE_S", 0.0)
    desk.ask()
    TurnQueue(client).enqueue_analysis(desk.name)
    TurnQueue(client).enqueue_analysis(desk.name)
    assert len(queues(client)[2]) == 1
    work(queues(client)[2])
    assert desk.analyses.whole(desk.name) == in_one_go(desk.history, "quick")
