"""Writers and a server that is killed: nothing acknowledged is lost, torn, doubled or out of order."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events.log import PARTITIONS
from events.store import RedisLog, connect
from service.runtime import embedded
from tests.chaos import appends as module
from tests.chaos.appends import Writer, appends
from tests.long import long_but_for, quick_first

FEW, MANY = 3_000, 100_000
Lose = Callable[[RedisLog, str], Any]


def feed(log: RedisLog, table: str, name: str) -> str:
    return log.partition_key(log.partition(table), name)


LOSSES: dict[str, Lose] = {
    "other events than were acknowledged": lambda log, table: log.client.xdel(log.table_key(table, "events"), "2-0"),
    "r0 has no answer": lambda log, table: log.client.hdel(log.table_key(table, "requests"), "r0"),
    "another event than the head says": lambda log, table: log.client.hset(log.table_key(table, "head"), "version", 1),
    "lacks position 1": lambda log, table: log.client.xdel(feed(log, table, "feed"), "1-0"),
    "is due, or is not": lambda log, table: log.client.delete(feed(log, table, "due")),
}


@pytest.mark.parametrize("events", long_but_for(FEW.__eq__, [FEW, MANY]))
def test_what_the_log_acknowledges_is_there_whenever_its_server_is_killed(events: int) -> None:
    """With all that a batch changes: events, head, feed, what is due, and the answers of requests."""
    found = appends(events, seed=1)

    assert found.faults == []
    assert found.events >= events
    assert found.kills > 0


@pytest.mark.parametrize("told", quick_first(LOSSES))
def test_what_is_lost_is_found(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    """Else nothing would have been shown."""
    faults = module._faults

    def after_a_loss(directory: Path, writers: list[Writer]) -> Iterator[str]:
        with contextlib.closing(connect(embedded.url_of(directory))) as client:
            LOSSES[told](RedisLog(client, PARTITIONS), next(iter(writers[0].written)))
        yield from faults(directory, writers)

    monkeypatch.setattr(module, "_faults", after_a_loss)
    assert any(told in fault for fault in appends(500, seed=2).faults)
