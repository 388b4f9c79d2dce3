"""What a store keeps of a table beside its events: each fault of it is found by `wintercount verify TABLE`."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner
from freezegun import freeze_time

from events.store import RedisLog
from projections.dues import dues
from projections.history import Histories
from projections.runner import Runner
from service.runtime import cli
from tests.archives import Archive
from tests.damage import damage_feed
from tests.tables import ANN, BEN, Visit
from worker.dispatch import Dispatcher

Harm = Callable[[RedisLog, str], object]


def verified(table: str, url: str) -> tuple[int, str]:
    """The exit status of `wintercount verify`, and what it says."""
    result = CliRunner().invoke(cli.main, ["verify", table], env={"WINTERCOUNT_REDIS_URL": url})
    return result.exit_code, result.output


def running(log: RedisLog) -> str:
    """A table in its game, with a clock, projected."""
    visit = Visit(log)
    table = visit.open("manitou", "ann ben", decision_s=600)
    visit.sit(table, 2, BEN)
    visit.play(table, ANN)
    _project(log)
    return table


def finished(log: RedisLog) -> str:
    """A table whose game is over, projected."""
    visit = Visit(log)
    table = visit.play_to_the_end(visit.open("tomahawk", "ai greedy")).table.id
    _project(log)
    return table


def _project(log: RedisLog) -> None:
    Runner(log, Histories(log)).catch_up(range(log.partitions))


@pytest.mark.parametrize("make", [running, finished])
def test_a_table_as_it_was_written_holds(
    valkey_log: RedisLog, valkey_url: str, make: Callable[[RedisLog], str]
) -> None:
    """Whether its game is over or not, before and after the projections have seen it."""
    status, told = verified(make(valkey_log), valkey_url)
    assert (status, told.splitlines()[-1]) == (0, "requests, feed and due entries hold")
    unseen = Visit(valkey_log).open("manitou", "ann open")
    assert verified(unseen, valkey_url)[0] == 0


LOOKED_AT = {
    "the stream, and not yet the head": (RedisLog, "read"),
    "the table, and not yet its feed": (RedisLog, "whole_feed"),
}


def goes_on(monkeypatch: pytest.MonkeyPatch, log: RedisLog, table: str, at: tuple[Any, str], times: int) -> list[str]:
    """Lets a move be played, and projected, whenever `verify` has come there; the moves that were played."""
    visit, told, (place, name) = Visit(log), list[str](), at
    looks = getattr(place, name)

    def looked(*args: Any, **named: Any) -> Any:
        seen = looks(*args, **named) if place is RedisLog and name == "read" else None
        if len(told) < times:
            told.append(table)
            visit.play(table, (ANN, BEN)[visit.table(table).decisions[0].seat - 1])
            _project(log)
        return seen or looks(*args, **named)

    monkeypatch.setattr(place, name, looked)
    return told


@pytest.mark.parametrize("what", LOOKED_AT)
def test_a_table_that_is_played_on_meanwhile_is_no_fault(
    valkey_log: RedisLog, valkey_url: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """It is looked at again when only a part of what belongs together had been seen."""
    table = running(valkey_log)
    moves = goes_on(monkeypatch, valkey_log, table, LOOKED_AT[what], times=1)
    status, said = verified(table, valkey_url)
    assert (status, len(moves)) == (0, 1), said


@pytest.mark.parametrize("what", LOOKED_AT)
def test_a_table_that_never_rests_could_not_be_checked(
    valkey_log: RedisLog, valkey_url: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """That is no fault, and not right either: nobody knows what is kept as due, for one."""
    table = running(valkey_log)
    goes_on(monkeypatch, valkey_log, table, LOOKED_AT[what], times=100)
    status, said = verified(table, valkey_url)
    assert (status, "it changed each time" in said) == (2, True), said


@pytest.mark.parametrize("leases", [0, 1])
def test_a_turn_that_a_clock_put_off_is_no_fault(valkey_log: RedisLog, valkey_url: str, leases: int) -> None:
    """It fell due, and was leased or not, while a clock ran ahead by a day; when that was right, it was due at once."""
    with freeze_time(timedelta(days=1)):
        visit = Visit(valkey_log)
        dispatcher = Dispatcher(visit.handler, lambda *_: None)
        table = visit.open("manitou", "ann ai")
        _project(valkey_log)
        for _ in range(leases):
            dispatcher.dispatch(range(valkey_log.partitions))
    statuses = [verified(table, valkey_url)[0]]
    dispatcher.hasten()
    statuses.append(verified(table, valkey_url)[0])
    dispatcher.dispatch(range(valkey_log.partitions))
    statuses.append(verified(table, valkey_url)[0])
    assert statuses == [0, 0, 0]


def _requests(log: RedisLog, table: str) -> str:
    return log.table_key(table, "requests")


def _first_request(log: RedisLog, table: str) -> bytes:
    requests: dict[bytes, bytes] = log.client.hgetall(_requests(log, table))
    return min(requests)


def _partition_key(log: RedisLog, table: str, name: str) -> str:
    return log.partition_key(log.partition(table), name)


def _due(log: RedisLog, table: str) -> str:
    history = Histories(log).fresh(table)
    assert history
    return next(iter(dues(history.table)))


HARM: dict[str, tuple[Harm, str]] = {
    "a request is gone": (
        lambda log, t: log.client.hdel(_requests(log, t), _first_request(log, t)),
        "keeps its request as",
    ),
    "a request tells of others": (
        lambda log, t: log.client.hset(_requests(log, t), _first_request(log, t), "body:7:9"),
        "keeps its request as",
    ),
    "a request too many": (lambda log, t: log.client.hset(_requests(log, t), "forged", "body:1:2"), "led to no event"),
    "a pointer is gone": (
        lambda log, t: log.client.delete(_partition_key(log, t, "feed")),
        "the feed does not tell of it",
    ),
    "a pointer to another event": (
        lambda log, t: damage_feed(log, log.partition(t), 1, lambda fields: fields | {b"h": bytes(32)}),
        "the feed tells of another event",
    ),
    "a clock that is due at no time": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "due"), {_due(log, t): float("inf")}),
        "kept as due at another time",
    ),
    "a key of another kind": (
        lambda log, t: log.client.delete(_requests(log, t)) and log.client.set(_requests(log, t), "1"),
        "has a key of another kind in the store",
    ),
    "a clock is gone": (lambda log, t: log.client.zrem(_partition_key(log, t, "due"), _due(log, t)), "is not kept so"),
    "a clock that never runs out": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "due"), {_due(log, t): 9_999_999_999_999}),
        "kept as due at another time",
    ),
    "a clock too many": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "due"), {f"{t}|clock|9|9|9": 9_999_999_999_999}),
        "is kept as due and is not",
    ),
}


@pytest.mark.parametrize("what", HARM)
def test_what_was_altered_beside_the_events_is_found(valkey_log: RedisLog, valkey_url: str, what: str) -> None:
    """Each with status 1, and a word on what it is."""
    table = running(valkey_log)
    harm, told = HARM[what]
    harm(valkey_log, table)
    status, said = verified(table, valkey_url)
    assert (status, told in said) == (1, True), said


@pytest.fixture
def archive(valkey: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """A store with an archive, where `wintercount verify` finds it."""
    monkeypatch.setenv("WINTERCOUNT_ARCHIVE", str(tmp_path))
    return Archive(valkey, tmp_path)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda log, t: log.client.zadd(_partition_key(log, t, "due"), {f"{t}|ai|1|9|0": 0}), "is kept as due and is"),
        (lambda log, t: log.client.hset(_requests(log, t), _first_request(log, t), "ai:7:9"), "keeps its request as"),
        (lambda log, t: log.client.hset(_requests(log, t), "forged", "body:1:2"), "led to no event"),
    ],
)
def test_what_is_left_beside_an_archived_table_is_checked_too(
    archive: Archive, valkey_url: str, harm: Harm, told: str
) -> None:
    """What is due there is nothing; its requests are all answered for a day."""
    table = archive.played().table.id
    archive.archive()
    assert verified(table, valkey_url)[0] == 0
    harm(archive.log, table)
    status, said = verified(table, valkey_url)
    assert (status, told in said) == (1, True), said


def test_requests_of_an_archived_table_may_be_gone(archive: Archive, valkey_url: str) -> None:
    """Nobody repeats them any more."""
    table = archive.played().table.id
    archive.archive_for_good()
    assert not archive.client.exists(_requests(archive.log, table))
    assert verified(table, valkey_url)[0] == 0
