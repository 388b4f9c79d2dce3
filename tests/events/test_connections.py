"""Connections to the store: each thread has its own, however many threads come and go."""

import threading
from collections.abc import Iterator

import pytest

from events.store import connect
from tests.service.api.world import embedded_store


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
