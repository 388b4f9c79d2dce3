"""Connections to the store: each thread has its own, however many threads come and go."""

import threading
from collections.abc import Iterator

import pytest

from events.connections import IMPATIENT, PATIENT, own_connections
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


def test_no_answer_is_waited_for_without_end() -> None:
    """As long as whoever connects has patience, unless the URL says how long."""
    for patience in (PATIENT, IMPATIENT):
        told = own_connections("redis://127.0.0.1:1?socket_timeout=7", patience).connection_kwargs
        assert (told["socket_timeout"], told["socket_connect_timeout"]) == (7, patience.timeout_s)
