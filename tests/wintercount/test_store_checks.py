"""What a store keeps of a table beside its events: each fault of it is found by `wintercount verify TABLE`."""

from collections.abc import Callable
from pathlib import Path

import pytest
import redis
from click.testing import CliRunner

from events.store import RedisLog
from projections.due_timers import timers
from projections.history import TableCache
from tests.archives import Archive
from tests.damage import damage_feed
from tests.tables import ANN, BEN, Visit, catch_up
from wintercount.cli import main as cli

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
    catch_up(log)
    return table


def finished(log: RedisLog) -> str:
    """A table whose game is over, projected."""
    visit = Visit(log)
    table = visit.play_to_the_end(visit.open("tomahawk", "ai greedy")).table.id
    catch_up(log)
    return table


@pytest.mark.parametrize("make", [running, finished])
def test_a_table_as_it_was_written_holds(
    valkey_log: RedisLog, valkey_url: str, make: Callable[[RedisLog], str]
) -> None:
    """Whether its game is over or not, before and after the projections have seen it."""
    status, told = verified(make(valkey_log), valkey_url)
    assert (status, told.splitlines()[-1]) == (0, "idempotency keys, feed and timers hold")
    unseen = Visit(valkey_log).open("manitou", "ann open")
    assert verified(unseen, valkey_url)[0] == 0


def _requests(log: RedisLog, table: str) -> str:
    return log.table_key(table, "requests")


def _first_request(log: RedisLog, table: str) -> bytes:
    requests: dict[bytes, bytes] = log.client.hgetall(_requests(log, table))
    return min(requests)


def _partition_key(log: RedisLog, table: str, name: str) -> str:
    return log.partition_key(log.partition(table), name)


def _due(log: RedisLog, table: str) -> str:
    history = TableCache(log).load(table)
    assert history
    return next(iter(timers(history.table)))


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
    "a pointer is gone": (lambda log, t: log.client.delete(_partition_key(log, t, "feed")), "it is not in the feed"),
    "a pointer to another event": (
        lambda log, t: damage_feed(log, log.partition(t), 1, lambda fields: fields | {b"h": bytes(32)}),
        "the feed names another event",
    ),
    "a clock that is due at no time": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "timers"), {_due(log, t): float("inf")}),
        "is set to another time",
    ),
    "a key of another kind": (
        lambda log, t: log.client.delete(_requests(log, t)) and log.client.set(_requests(log, t), "1"),
        "has the wrong type",
    ),
    "a clock is gone": (lambda log, t: log.client.zrem(_partition_key(log, t, "timers"), _due(log, t)), "is missing"),
    "a clock that never runs out": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "timers"), {_due(log, t): 9_999_999_999_999}),
        "is set to another time",
    ),
    "a clock too many": (
        lambda log, t: log.client.zadd(_partition_key(log, t, "timers"), {f"{t}|clock|9|9|9": 9_999_999_999_999}),
        "is not needed",
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
        (lambda log, t: log.client.zadd(_partition_key(log, t, "timers"), {f"{t}|ai|1|9|0": 0}), "is not needed"),
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
