"""Projections follow the log: each batch is applied once, and a rebuild gives the same rows."""

import json
import threading
from functools import partial
from typing import Any

import pytest
import redis
from click.testing import CliRunner

from events.feeds import FeedTail
from events.log import partition_of
from events.store import RedisLog
from projections import leaderboard, runner, store
from projections.batches import FedBatch
from projections.history import TableCache
from projections.runner import PROJECTIONS, Projection, Runner
from projections.store import Operation, ProjectionStore, current, replace_generation
from projections.table import Table
from service.accounts.callers import Player
from tests import damage
from tests.long import long_but_for, quick_first
from tests.servers import wait_until
from tests.tables import ANN, BEN, CAT, Visit, catch_up
from wintercount.cli.main import main
from wintercount.operations.maintenance import locked, rebuild
from wintercount.operations.verifying import Status, stored_verdict
from wintercount.processes import dispatcher_process as processes

COUNTING = "counting"
COMMAND = ["rebuild", "lobby", "--processes", "1"]


pytestmark = pytest.mark.usefixtures("valkey_log")


def a_day(visit: Visit) -> list[str]:
    """Some tables: one played to its end, one running, one open, one abandoned, one private."""
    played = visit.open("tomahawk", "ann ai")
    visit.play_to_the_end(played)
    running = visit.open("manitou", "ann open")
    visit.sit(running, 2, BEN)
    visit.play(running, BEN)
    left = visit.open("big-manitou", "cat open", by=CAT)
    visit.leave(left, 1, CAT)
    private = visit.open("tomahawk", "ann ben", visibility="private")
    return [played, running, visit.open("big-manitou", "ann open ai"), left, private]


def batches(log: RedisLog) -> int:
    return sum(log.feed_ends().values())


@pytest.mark.parametrize("name", quick_first(PROJECTIONS))
def test_what_is_built_anew_is_what_was_kept(visit: Visit, valkey_log: RedisLog, name: str) -> None:
    """Rows and indexes built from the whole log are, byte for byte, those that followed it batch by batch."""
    follower = Runner(valkey_log, TableCache(valkey_log))
    for _ in range(3):
        a_day(visit)
        follower.catch_up(range(valkey_log.partitions))
    followed = list(current(valkey_log, name).contents())

    Runner(valkey_log, TableCache(valkey_log)).rebuild(name)

    assert current(valkey_log, name).generation == 2
    assert list(current(valkey_log, name).contents()) == followed
    assert any(rows for _, _, rows in followed)


@pytest.mark.slow
@pytest.mark.parametrize("name", long_but_for({"lobby"}.__contains__, PROJECTIONS))
def test_processes_that_share_the_partitions_build_the_same(
    visit: Visit, valkey_log: RedisLog, valkey_url: str, name: str
) -> None:
    """Byte for byte, sums over all partitions included; every batch is reported once."""
    for _ in range(2):
        a_day(visit)
    catch_up(valkey_log)
    followed = list(current(valkey_log, name).contents())
    told: list[int] = []

    made_of = rebuild(valkey_url, name, 3, told.append)

    assert current(valkey_log, name).generation == 2
    assert list(current(valkey_log, name).contents()) == followed
    assert made_of == sum(told) == batches(valkey_log)


def test_of_two_rebuilds_at_once_the_second_is_refused(valkey_log: RedisLog, valkey_url: str) -> None:
    """And told why; what the first one holds is free again when it has ended."""
    command = partial(CliRunner().invoke, main, COMMAND, env={"WINTERCOUNT_REDIS_URL": valkey_url})
    with locked(valkey_log.client, "rebuild of the lobby"):
        refused = command()
    assert refused.exit_code == 1
    assert "another rebuild of the lobby is running" in refused.output
    assert command().exit_code == 0


def test_a_rebuild_that_fails_leaves_the_old_rows(visit: Visit, valkey_log: RedisLog) -> None:
    """Readers turn to the new generation when it is whole, and not before."""
    a_day(visit)
    catch_up(valkey_log)
    followed = list(current(valkey_log, "lobby").contents())

    def fill(new: ProjectionStore) -> None:
        Runner(valkey_log, TableCache(valkey_log)).advance([new], 0)
        raise redis.ConnectionError

    with pytest.raises(redis.ConnectionError):
        replace_generation(valkey_log, "lobby", fill, lambda _: None)
    assert list(current(valkey_log, "lobby").contents()) == followed


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> str:
    """A projection that counts the batches of each table."""

    def count(table: Table, store: ProjectionStore, partition: int, _batch: FedBatch) -> list[Operation]:
        counted = store.row(partition, table.id) or 0
        return [("HSET", "rows", table.id, str(counted + 1))]

    monkeypatch.setattr(runner, "PROJECTIONS", {COUNTING: Projection(count, reads_rows=True)})
    return COUNTING


def counted(log: RedisLog) -> int:
    """How many batches were counted."""
    store = current(log, COUNTING)
    return sum(int(count) for partition in range(log.partitions) for count in store.rows(partition).values())


def test_of_two_runners_one_applies_a_batch(visit: Visit, valkey_log: RedisLog, counting: str) -> None:
    """Two processes that follow at the same time count each batch once between them."""
    for _ in range(3):
        a_day(visit)
    threads = [threading.Thread(target=catch_up, args=(valkey_log,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    catch_up(valkey_log)

    assert counted(valkey_log) == batches(valkey_log)


class Crash(Exception):
    """The process ends."""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_loses_and_doubles_nothing(
    visit: Visit, valkey_log: RedisLog, counting: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Killed before or after a batch is applied, the next process goes on with the batch that is not applied yet."""
    a_day(visit)
    apply, calls = store.apply, []

    def dying(*arguments: Any) -> list[bool]:
        calls.append(1)
        applied = apply(*arguments) if moment == "after" or len(calls) % 2 else []
        if not len(calls) % 2:
            raise Crash
        return applied

    with monkeypatch.context() as patch:
        patch.setattr(runner, "apply", dying)
        for _ in range(4):
            with pytest.raises(Crash):
                catch_up(valkey_log)
    catch_up(valkey_log)

    assert counted(valkey_log) == batches(valkey_log)


@pytest.mark.parametrize("others", quick_first([((CAT, BEN),), ((),), ((CAT,),)]))
def test_rows_of_what_is_lost_are_made_anew(
    visit: Visit, valkey_log: RedisLog, caplog: pytest.LogCaptureFixture, others: tuple[Player, ...]
) -> None:
    """In a feed without the checkpoint others' batches may stand or none: the rows of the partition are made anew."""
    table = visit.open("big-manitou", "ann open open open")
    copy = damage.copy_of(valkey_log.client)
    visit.sit(table, 2, BEN)
    catch_up(valkey_log)
    rows = {key: kept for key, kept in damage.copy_of(valkey_log.client).items() if _is_projected(key)}
    damage.put_back(valkey_log.client, rows | copy)
    again = Visit(valkey_log)
    for seat, player in enumerate(others, 2):
        again.sit(table, seat, player)

    catch_up(valkey_log)

    assert f"lobby: the feed of partition {partition_of(table)} does not hold position 2" in caplog.text
    followed = {name: list(current(valkey_log, name).contents()) for name in PROJECTIONS}
    for name in PROJECTIONS:
        Runner(valkey_log, TableCache(valkey_log)).rebuild(name)
    assert followed == {name: list(current(valkey_log, name).contents()) for name in PROJECTIONS}
    assert current(valkey_log, "lobby").row(partition_of(table), table)["version"] == again.table(table).version


def test_totals_that_hold_what_is_lost_are_summed_up_anew(visit: Visit, valkey_log: RedisLog) -> None:
    """By the process that had summed them up, and though nothing is counted after the store went back."""
    table = visit.open("tomahawk", "ann ai")
    copy = damage.copy_of(valkey_log.client)
    visit.play_to_the_end(table)
    follower = Runner(valkey_log, TableCache(valkey_log))
    follower.catch_up(range(valkey_log.partitions))
    standings = current(valkey_log, "standings")
    assert leaderboard.of_player(standings, ANN.id, ["tomahawk"])[0]["played"] == 1
    rows = {key: kept for key, kept in damage.copy_of(valkey_log.client).items() if _is_projected(key)}
    damage.put_back(valkey_log.client, rows | copy)

    follower.catch_up(range(valkey_log.partitions))

    assert leaderboard.of_player(standings, ANN.id, ["tomahawk"]) == []


def _is_projected(key: bytes) -> bool:
    return any(f":{name}:".encode() in key for name in PROJECTIONS)


def test_a_runner_that_knows_what_is_lost_reads_the_store(
    visit: Visit, valkey_log: RedisLog, caplog: pytest.LogCaptureFixture
) -> None:
    """Rows are made of what the store holds, and of nothing that the process remembers; that is said."""
    table = visit.open("manitou", "ann open")
    copy = damage.copy_of(valkey_log.client)
    visit.sit(table, 2, BEN)
    runner_of_then = Runner(valkey_log, visit.handler.cache)
    damage.put_back(valkey_log.client, copy)
    Visit(valkey_log).sit(table, 2, CAT)

    runner_of_then.catch_up(range(valkey_log.partitions))

    assert f"{table} has diverged" in caplog.text
    assert [seat["player"] for seat in current(valkey_log, "lobby").row(partition_of(table), table)["seats"]] == [
        ANN.id,
        CAT.id,
    ]


@pytest.mark.slow
def test_what_a_failover_lost_of_the_projections_is_applied_again(
    visit: Visit, valkey_log: RedisLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and checkpoints are waited for by nobody: the feed may be whole where they went back."""
    monkeypatch.setattr(processes, "LOOK_S", 0.0)
    a_day(visit)
    before, stop = damage.copy_of(valkey_log.client), threading.Event()
    following = threading.Thread(target=processes.project_until, args=(stop, valkey_log, TableCache(valkey_log)))
    following.start()
    try:
        wait_until(current(valkey_log, "lobby").is_complete)
        damage.put_back(valkey_log.client, before)
        wait_until(lambda: all(current(valkey_log, name).is_complete() for name in PROJECTIONS))
    finally:
        stop.set()
        following.join()


def opened_in(visit: Visit, partition: int) -> str:
    """A table in this partition."""
    return next(table for table in iter(lambda: visit.open("tomahawk", "ann ai"), "") if is_in(table, partition))


def is_in(table: str, partition: int) -> bool:
    return partition_of(table) == partition


@pytest.mark.slow
def test_damaged_rows_keep_no_other_partition_waiting(valkey_log: RedisLog, caplog: pytest.LogCaptureFixture) -> None:
    """Given a flipped bit in a row that is counted on, then those of its partition wait until they are made anew."""
    visit = Visit(valkey_log)
    here, elsewhere = 3, 5
    visit.play_to_the_end(opened_in(visit, here))
    catch_up(valkey_log)
    rows = current(valkey_log, "standings")
    for field in rows.rows(here):
        valkey_log.client.hset(rows.key(here, "rows"), field, b'{"played":')
    for partition in (here, elsewhere):
        visit.play_to_the_end(opened_in(visit, partition))
    runner = Runner(valkey_log, TableCache(valkey_log))
    for _ in range(2):
        runner.catch_up([here, elsewhere])

    assert [json.loads(kept)["played"] for kept in rows.rows(elsewhere).values()] == [1, 1]
    assert caplog.text.count(f"rows of partition {here} wait until they are rebuilt") == 1
    runner.rebuild("standings")
    rows = current(valkey_log, "standings")
    assert [json.loads(kept)["played"] for kept in rows.rows(here).values()] == [2, 2]


@pytest.mark.parametrize(("name", "value"), quick_first([(b"t", b"t_\xff"), (b"f", b"1x"), (b"l", b"")]))
def test_a_damaged_pointer_keeps_no_other_partition_waiting(
    valkey_log: RedisLog, valkey_url: str, caplog: pytest.LogCaptureFixture, name: bytes, value: bytes
) -> None:
    """Given a flipped bit in a feed, projections of others go on, and followers go on from its end."""
    visit = Visit(valkey_log)
    follower = FeedTail(valkey_log)
    tables = [visit.open("tomahawk", "ann ben") for _ in range(2)]
    while len({valkey_log.partition(table) for table in tables}) < 2:
        tables.append(visit.open("tomahawk", "ann ben"))
    partition = valkey_log.partition(tables[-1])
    damage.damage_feed(valkey_log, partition, 1, lambda fields: fields | {name: value})

    assert catch_up(valkey_log) == 2 * (len(tables) - 1)
    assert f"the feed of partition {partition} is unreadable at position 1" in caplog.text
    assert follower.next_update(0.1).partitions == set(range(valkey_log.partitions))
    visit.open("manitou", "ann ben")
    assert len(follower.next_update(1.0).partitions) == 1
    found = stored_verdict(valkey_url, tables[-1])
    assert (found.status, len(found.lines)) == (Status.FAULT, 1)
    told = CliRunner().invoke(main, COMMAND, env={"WINTERCOUNT_REDIS_URL": valkey_url})
    assert "the old lobby stays" in told.output
