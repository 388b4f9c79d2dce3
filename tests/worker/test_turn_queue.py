"""The turn queue on a real rq and a real Valkey: a job once, done by a worker, never the memory of what is due."""

import os
from collections.abc import Iterator
from contextlib import closing

import pytest
import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.store import RedisLog
from events.times import millis
from games import GAMES
from service.command_handler import CommandHandler
from tests.long import long_but_for
from tests.servers import wait_until
from tests.tables import ANN, Visit
from worker import rq_worker
from worker.dispatcher import Dispatcher
from worker.play_turn import TurnsPlayed, WorkerContext
from worker.rq_worker import FOR_PEOPLE, QUEUE, TableLock, TurnQueue, Worker, queues


@pytest.fixture
def visit(valkey_log: RedisLog, valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """A house on the store that a worker is configured for."""
    monkeypatch.setenv("WINTERCOUNT_REDIS_URL", valkey_url)
    monkeypatch.setattr(rq_worker, "SLICE_S", 600.0)  # a busy machine is slow
    rq_worker.worker_process.cache_clear()
    yield Visit(valkey_log)
    if rq_worker.worker_process.cache_info().currsize:
        rq_worker.worker_process(os.getpid()).thinker.close()
    rq_worker.worker_process.cache_clear()


@pytest.fixture
def client(valkey_url: str) -> Iterator[redis.Redis]:
    """A client such as rq is given: workers also subscribe with it, so its connections are lent, not kept."""
    with closing(redis.Redis.from_url(valkey_url)) as found:
        yield found


@pytest.fixture
def enqueue(client: redis.Redis) -> TurnQueue:
    return TurnQueue(client)


@pytest.fixture
def queue(client: redis.Redis) -> Queue:
    return Queue(QUEUE, connection=client, serializer=JSONSerializer)


def work(queue: Queue) -> None:
    """A worker that does all jobs and ends."""
    worker = Worker(queues(queue.connection), connection=queue.connection, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="ERROR")


def dispatch(visit: Visit, enqueue: TurnQueue) -> int:
    """Enqueues all that is due now."""
    return Dispatcher(visit.handler, enqueue).dispatch(range(visit.log.ping()["partitions"]))


def test_turns_are_enqueued_and_played_until_the_game_is_over(visit: Visit, enqueue: TurnQueue, queue: Queue) -> None:
    """Dispatcher and workers alone play a table of AI seats to its end."""
    table = visit.open("big-manitou", "ai ai")
    while dispatch(visit, enqueue):
        work(queue)

    assert visit.table(table).closed == "game_over"


def test_a_table_is_enqueued_once_until_a_worker_takes_it(visit: Visit, enqueue: TurnQueue, queue: Queue) -> None:
    """Several turns at one table are one job: its worker plays them all."""
    one, two = visit.open("manitou", "ann ai ai"), visit.open("manitou", "ann ai")

    assert dispatch(visit, enqueue) == 3
    assert sorted(job.args[0] for job in queue.jobs) == sorted([one, two])


def test_tables_of_machines_get_one_turn_in_ten(
    enqueue: TurnQueue, queue: Queue, monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    """Given people who always wait for a turn, and tables of AI seats alone that always go on."""
    played: list[str] = []

    def play_one(_: CommandHandler, table: str, context: WorkerContext) -> TurnsPlayed:
        played.append(table)
        if len(played) < 4 * (FOR_PEOPLE + 1):
            enqueue(table, f"{table}-{len(played)}", table == alone)
        return TurnsPlayed(1, waits=True)

    alone = visit.open("manitou", "ai ai")
    for number in range(6):
        enqueue(visit.open("manitou", "ann ai"), f"people-{number}")
    enqueue(alone, "machines", alone=True)
    monkeypatch.setattr(rq_worker, "play_turns", play_one)
    monkeypatch.setattr(Worker, "for_people", 0)
    work(queue)

    assert [at for at, table in enumerate(played[: 4 * (FOR_PEOPLE + 1)], 1) if table == alone] == [10, 20, 30, 40]


@pytest.mark.slow
def test_a_table_of_machines_is_left_when_people_wait(visit: Visit, enqueue: TurnQueue, queue: Queue) -> None:
    """After the turn that a worker is just playing; the table is enqueued again, to be played on later."""
    alone = visit.open("manitou", "ai ai")
    with_ann = visit.open("manitou", "ann ai")
    enqueue(with_ann, "ann")

    assert rq_worker.play_due_turns(alone, alone=True) == 1
    assert queues(queue.connection)[1].count == 1
    work(queue)
    assert [decision.seat for decision in visit.table(with_ann).decisions] == [1]
    assert visit.table(alone).closed == "game_over"


def test_a_table_is_left_after_a_while(visit: Visit, monkeypatch: pytest.MonkeyPatch, queue: Queue) -> None:
    """However much AI seats owe there, other tables have their turn; what is left is enqueued behind them."""
    monkeypatch.setattr(rq_worker, "SLICE_S", 0.0)
    table = visit.open("manitou", "ai ai")

    assert rq_worker.play_due_turns(table, alone=True) == 1
    assert [job.args[0] for job in queues(queue.connection)[1].jobs] == [table]


def test_one_worker_at_a_table(visit: Visit, client: redis.Redis) -> None:
    """A second worker leaves a table alone that another is at; when that one is late, or dead, it takes over."""
    table = visit.open("manitou", "ann ai")
    lock = TableLock(client, table)
    assert lock.acquire()
    assert rq_worker.play_due_turns(table) == 0

    client.pexpire(lock.name, 1)
    wait_until(lambda: not client.exists(lock.name))
    other = TableLock(client, table)
    assert other.acquire()
    lock.renew()
    lock.drop()
    assert other.owned()
    other.drop()
    assert rq_worker.play_due_turns(table) == 1


def with_searching(visit: Visit, game: str) -> str:
    """A table of a person and a searching AI player, whose turn it is."""
    table = visit.open(game, "ann open")
    visit.seat_ai(table, 2, ANN, "skilled")
    while visit.table(table).decision_of(2) is None:
        visit.play(table, ANN)
    return table


def opened_ms(visit: Visit, table: str) -> int:
    decision = visit.table(table).decision_of(2)
    assert decision
    return millis(decision.since)


@pytest.mark.fault
@pytest.mark.parametrize("game", long_but_for({"manitou"}.__contains__, GAMES))
def test_how_long_a_player_searched_does_not_show(
    visit: Visit, client: redis.Redis, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Its move is played, and recorded, at a fixed time after its turn came, and nobody holds a lock meanwhile."""
    monkeypatch.setenv("WINTERCOUNT_AI_RELEASE_MS", "400")
    table = with_searching(visit, game)
    for _ in range(3):
        opened, before = opened_ms(visit, table), visit.table(table).version
        assert rq_worker.play_due_turns(table) == 1
        assert TableLock(client, table).acquire()
        client.delete(TableLock(client, table).name)
        wait_until(lambda before=before: visit.table(table).version > before)
        event = visit.history(table).events[before]
        waited_ms = millis(event.envelope.at) - opened
        assert (waited_ms % 400, waited_ms >= 400) == (0, True)
        while visit.table(table).decision_of(2) is None:
            visit.play(table, ANN)


def test_other_moves_are_played_at_once(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of levels that do not search, and those at tables where nobody waits."""
    monkeypatch.setenv("WINTERCOUNT_AI_RELEASE_MS", "600000")
    monkeypatch.setattr(rq_worker, "SLICE_S", 0.0)
    quick, alone = visit.open("manitou", "ann ai"), visit.open("manitou", "open ai")
    visit.seat_ai(alone, 1, ANN, "skilled")
    for table, seat in ((quick, 2), (alone, 1)):
        assert rq_worker.play_due_turns(table) == 1
        assert visit.table(table).decision_of(seat) is None


@pytest.mark.fault
def test_a_worker_that_dies_with_a_move_only_delays_it(
    visit: Visit, client: redis.Redis, enqueue: TurnQueue, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it may live, no other searches for the same move; afterwards one does, and the move is played once."""
    monkeypatch.setenv("WINTERCOUNT_AI_RELEASE_MS", "200")
    table = with_searching(visit, "manitou")
    before = visit.table(table).version
    with monkeypatch.context() as dying:
        dying.setattr("worker.move_delay.threading.Timer.start", lambda _: None)
        assert rq_worker.play_due_turns(table) == 1
    enqueue(table, "again")
    work(queue)
    assert (queue.count, visit.table(table).version) == (0, before)

    for note in client.scan_iter("wintercount-ai:held:*"):
        client.pexpire(note, 1)
        wait_until(lambda note=note: not client.exists(note))
    assert rq_worker.play_due_turns(table) == 1
    wait_until(lambda: visit.table(table).version > before)
    assert rq_worker.play_due_turns(table) == 0
    assert [event.envelope.by.get("seat") for event in visit.history(table).events[before:][:1]] == [2]


def test_a_worker_says_that_the_queue_is_full(
    client: redis.Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In a sentence, and not by what rq was about to write."""
    monkeypatch.setattr(SimpleWorker, "subscribe", lambda _: None)  # its thread ends with the process
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(SystemExit) as ended:
            rq_worker.work(client)
    finally:
        client.config_set("maxmemory", 0)
    assert ended.value.code == 1
    [told] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert ("out of memory" in told.getMessage(), told.exc_info) == (True, None)
