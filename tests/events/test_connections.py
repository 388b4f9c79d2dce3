"""Connections to the store: each thread has its own, however many threads come and go."""

import threading
from collections.abc import Iterator

import pytest

from events.feeds import FeedTail
from events.log import PARTITIONS
from events.store import RedisLog, connect
from tests.service.api.world import embedded_store
from tests.tables import Visit


@pytest.fixture
def url() -> Iterator[str]:
    with embedded_store() as found:
        yield found


def test_threads_that_have_ended_take_no_connection_from_others(url: str) -> None:
    """An index that is filled by a thread of its own each time would have used up 100 connections otherwise."""
    client, answers = connect(url), list[bool]()
    for _ in range(110):
        thread = threading.Thread(target=lambda: answers.append(client.ping()))
        thread.start()
        thread.join()
    assert answers == [True] * 110
    assert client.info("clients")["connected_clients"] < 10
    client.close()


@pytest.mark.fault
@pytest.mark.parametrize("protocol", [2, 3])
def test_feeds_and_timers_are_followed_by_either_protocol(url: str, protocol: int) -> None:
    """An operator may ask for RESP3, in which some answers have another form."""
    log = RedisLog(connect(f"{url}?protocol={protocol}"), PARTITIONS)
    log.woken_partitions(0)
    tail = FeedTail(log)
    table = Visit(log).open("tomahawk", "ai greedy")
    partition = log.partition(table)
    assert [pointer.table for _, pointer in tail.next_update(1).pointers] == [table]
    assert log.woken_partitions(0) == {partition}
    assert {entry.partition("|")[0] for entry, _ in log.lease(partition, 2**50, 1, 9)} == {table}
    log.client.close()
