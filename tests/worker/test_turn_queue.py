"""The turn queue on a real rq and a real Valkey: a job once, done by a worker, never the memory of what is due."""

import os
from collections.abc import Iterator
from contextlib import closing

import pytest
import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.log import partition_of
from events.store import RedisLog
from service.commands import CommandHandler
from service.metrics import TURNS
from tests.servers import wait_until
from tests.tables import ANN, Visit
from worker import turn_queue
from worker.dispatch import Dispatcher
from worker.turn_queue import QUEUE, TableLock, TurnQueue, queues
from worker.turns import TurnsPlayed, WorkerContext, play_turns


@pytest.fixture
def visit(valkey_log: RedisLog, valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """A house on the store that a worker is configured for."""
    monkeypatch.setenv("WINTERCOUNT_REDIS_URL", valkey_url)
    turn_queue.worker_process.cache_clear()
    yield Visit(valkey_log)
    if turn_queue.worker_process.cache_info().currsize:
        turn_queue.worker_process(os.getpid()).thinker.close()
    turn_queue.worker_process.cache_clear()


@pytest.fixture
def client(valkey_url: str) -> Iterator["redis.Redis[bytes]"]:
    """A client such as rq is given: workers also subscribe with it, so its connections are lent, not kept."""
    with closing(redis.Redis.from_url(valkey_url)) as found:
        yield found


@pytest.fixture
def play_owed(client: "redis.Redis[bytes]") -> TurnQueue:
    return TurnQueue(client)


@pytest.fixture
def queue(client: "redis.Redis[bytes]") -> Queue:
    return Queue(QUEUE, connection=client, serializer=JSONSerializer)


def work(queue: Queue) -> None:
    """A worker that does all jobs and ends."""
    worker = SimpleWorker(queues(queue.connection), connection=queue.connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="ERROR")


def dispatch(visit: Visit, play_owed: TurnQueue) -> int:
    """Rings for all that is due now."""
    return Dispatcher(visit.handler, play_owed).dispatch(range(visit.log.ping()["partitions"]))


def test_a_ring_is_answered(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """What is due is rung for, a worker comes and plays, and it is the person's turn."""
    table = visit.open("manitou", "ann ai ai")
    dispatch(visit, play_owed)
    work(queue)

    assert [decision.seat for decision in visit.table(table).decisions] == [1]
    assert queue.is_empty()


def test_rung_and_answered_until_the_game_is_over(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """A table of AI seats is played to its end by rings and answers alone."""
    table = visit.open("big-manitou", "ai ai")
    while dispatch(visit, play_owed):
        work(queue)

    assert visit.table(table).closed == "game_over"


def test_a_table_is_rung_for_once_until_a_worker_comes(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """Several turns at one table are one ring: the worker that comes plays them all."""
    one, two = visit.open("manitou", "ann ai ai"), visit.open("manitou", "ann ai")

    assert dispatch(visit, play_owed) == 3
    assert sorted(job.args[0] for job in queue.jobs) == sorted([one, two])


def test_what_becomes_due_while_a_worker_plays_is_rung_for(
    visit: Visit, play_owed: TurnQueue, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the moment a worker looks at the table, a new turn there is a new ring, so that none is missed."""
    table = visit.open("manitou", "ann ai")
    play_owed(table, "first")
    waiting: list[int] = []

    def blind_at_first(handler: CommandHandler, name: str, context: WorkerContext) -> TurnsPlayed:
        if waiting:
            return play_turns(handler, name, context=context)
        play_owed(name, "second")
        waiting.append(len(queue))
        return TurnsPlayed(0)

    monkeypatch.setattr(turn_queue, "play_turns", blind_at_first)
    work(queue)

    assert waiting == [1]
    assert queue.is_empty()
    assert [decision.seat for decision in visit.table(table).decisions] == [1]


def test_a_lost_ring_is_rung_again(play_owed: TurnQueue, queue: Queue) -> None:
    """A ring that is not on its way any more keeps no other from being rung, however young it is."""
    play_owed("t_one", "first")
    queue.empty()
    play_owed("t_one", "second")
    play_owed("t_one", "third")

    assert queue.job_ids == ["second"]


def test_tables_with_people_come_first(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """A worker takes the bell of a person's table before those of all tables that AI seats play alone."""
    alone = [visit.open("manitou", "ai ai") for _ in range(3)]
    with_ann = visit.open("manitou", "ann ai")
    dispatch(visit, play_owed)

    assert queue.count == 1
    assert queues(queue.connection)[1].count == len(alone)
    worker = SimpleWorker(queues(queue.connection), connection=queue.connection, serializer=JSONSerializer)
    worker.work(burst=True, max_jobs=1, logging_level="ERROR")
    assert [decision.seat for decision in visit.table(with_ann).decisions] == [1]
    assert all(visit.table(table).version == visit.history(table).events[0].envelope.batch[1] for table in alone)


def test_a_table_of_machines_is_left_when_people_wait(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """Behind the turn that a worker is just playing: and the table is rung for again, to be played on later."""
    alone = visit.open("manitou", "ai ai")
    with_ann = visit.open("manitou", "ann ai")
    play_owed(with_ann, "ann")

    assert turn_queue.play_owed(alone, alone=True) == 1
    assert queues(queue.connection)[1].count == 1
    work(queue)
    assert [decision.seat for decision in visit.table(with_ann).decisions] == [1]
    assert visit.table(alone).closed == "game_over"


def test_a_table_is_left_after_a_while(visit: Visit, monkeypatch: pytest.MonkeyPatch, queue: Queue) -> None:
    """However much AI seats owe there, other tables have their turn; what is left is rung for behind them."""
    monkeypatch.setattr(turn_queue, "SLICE_S", 0.0)
    table = visit.open("manitou", "ai ai")

    assert turn_queue.play_owed(table, alone=True) == 1
    assert [job.args[0] for job in queues(queue.connection)[1].jobs] == [table]


def test_one_worker_at_a_table(visit: Visit, client: "redis.Redis[bytes]") -> None:
    """A second worker leaves a table alone that another is at; when that one has died it takes over."""
    table = visit.open("manitou", "ann ai")
    lock = TableLock(client, table)
    assert lock.take()
    assert turn_queue.play_owed(table) == 0

    client.pexpire(lock.key, 1)
    wait_until(lambda: not client.exists(lock.key))
    lock.renew()
    lock.drop()
    assert turn_queue.play_owed(table) == 1


def test_a_claim_is_dropped_by_its_holder_alone(client: "redis.Redis[bytes]") -> None:
    """A worker that was thought dead does not take the table from the one that came after it."""
    one, other = TableLock(client, "t_one"), TableLock(client, "t_one")
    assert other.take()
    one.drop()
    assert not one.take()


def test_what_became_due_while_another_was_turned_away_is_rung_for(
    visit: Visit, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker at the table looks once more when it has left it: whoever rang meanwhile was turned away."""
    table = visit.open("manitou", "ann ai")
    monkeypatch.setattr(turn_queue, "play_turns", lambda *_, **__: TurnsPlayed(0))

    assert turn_queue.play_owed(table) == 0
    assert [job.args[0] for job in queue.jobs] == [table]


def test_a_turn_that_waits_for_a_dispute_is_not_rung_for_again(
    visit: Visit, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a worker would run around in circles until the dispute is resolved; that makes the turn due anew."""
    table = visit.open("manitou", "ann ai")
    monkeypatch.setattr(turn_queue, "play_turns", lambda *_, **__: TurnsPlayed(0, waits=True))

    assert turn_queue.play_owed(table) == 0
    assert queue.is_empty()


def test_waiting_times_are_counted(visit: Visit, valkey: "redis.Redis[bytes]") -> None:
    """From when a turn was due to when it was played, by how long that took."""
    turn_queue.play_owed(visit.open("manitou", "ann ai ai"))
    kept = valkey.hgetall(TURNS)

    assert sum(int(kept[name]) for name in kept if name != b"seconds") == 2
    assert float(kept[b"seconds"]) < 60


def test_a_queue_that_was_wiped_costs_no_turn(
    visit: Visit, play_owed: TurnQueue, queue: Queue, valkey: "redis.Redis[bytes]"
) -> None:
    """The obligation is in the log: when everything of rq's is gone, it is rung for again."""
    table = visit.open("manitou", "ann ai")
    dispatch(visit, play_owed)
    for key in [*valkey.scan_iter("rq:*"), *valkey.scan_iter(f"{QUEUE}:*")]:
        valkey.delete(key)
    partition = partition_of(table)
    later = visit.log.due(partition)[0].at_ms
    for member, attempt in visit.log.lease(partition, later, 1, 10):
        play_owed(member.split("|")[0], f"again-{attempt}")
    work(queue)

    assert [decision.seat for decision in visit.table(table).decisions] == [1]


def test_a_job_that_is_run_again_plays_nothing_twice(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """Jobs may be repeated: the second finds that nothing is owed."""
    table = visit.open("manitou", "ann ai")
    play_owed(table, "first")
    work(queue)
    played = visit.table(table)
    play_owed(table, "second")
    work(queue)

    assert visit.table(table) == played


def test_a_job_leaves_nothing_behind(
    visit: Visit, play_owed: TurnQueue, queue: Queue, valkey: "redis.Redis[bytes]"
) -> None:
    """A job that is done is forgotten: no hash of it is kept, and no mark."""
    play_owed(visit.open("manitou", "ann ai"), "first")
    work(queue)

    assert list(valkey.scan_iter("rq:job:*")) == []
    assert list(valkey.scan_iter(f"{QUEUE}:*")) == []


def test_a_worker_needs_to_know_the_store(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the URL of the store a worker says so."""
    monkeypatch.delenv("WINTERCOUNT_REDIS_URL")

    with pytest.raises(RuntimeError, match="WINTERCOUNT_REDIS_URL"):
        turn_queue.play_owed("t_one")


def test_a_person_is_left_alone(visit: Visit, play_owed: TurnQueue, queue: Queue) -> None:
    """A worker that is rung for a table where a person has the turn does nothing."""
    table = visit.open("tomahawk", "ann ai")
    while not any(decision.seat == 1 for decision in visit.table(table).decisions):
        dispatch(visit, play_owed)
        work(queue)
    waiting = visit.decision(table, ANN)
    play_owed(table, "again")
    work(queue)

    assert visit.decision(table, ANN) == waiting
