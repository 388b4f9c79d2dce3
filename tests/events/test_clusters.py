"""What goes wrong on a cluster is a `RedisError`, as on a single server: everybody handles it as such."""

import pickle

import pytest
import redis
from redis.exceptions import RedisClusterException, RedisError, TryAgainError

from events.connections import ClusterClient
from events.store import connect
from service.loading import why_not


def test_a_cluster_that_does_not_answer_is_waited_for() -> None:
    """As one server is: a process that starts before its cluster neither fails nor shows a traceback."""
    url = "redis+cluster://127.0.0.1:1"
    with pytest.raises(RedisError):
        connect(url)
    waits = why_not(url)
    assert waits
    assert waits.code == "store_unavailable"


@pytest.mark.parametrize("piped", [False, True])
def test_slots_that_nobody_serves(cluster_url: str, piped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command, alone or in a pipeline, fails with an error of the store."""

    def nobody(*_: object, **__: object) -> None:
        raise RedisClusterException("All slots are not covered")

    client = connect(cluster_url)
    monkeypatch.setattr(client.nodes_manager, "initialize", nobody)
    client.nodes_manager.slots_cache.clear()
    pipe = client.pipeline(transaction=False)
    pipe.get("{p05}:feed")
    with pytest.raises(RedisError):
        pipe.execute() if piped else client.get("{p05}:feed")


def test_an_error_can_be_sent_to_another_process(cluster_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that share their work among processes tell what keeps one of these from it: half a slot has moved."""

    def half_moved(*_: object, **__: object) -> None:
        raise TryAgainError("Multiple keys request during rehashing of slot")

    client = connect(cluster_url)
    monkeypatch.setattr(redis.Redis, "parse_response", half_moved)
    monkeypatch.setattr(client, "RedisClusterRequestTTL", 1)
    with pytest.raises(RedisError) as raised:
        client.get("{p05}:feed")

    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # noqa: S301 - our own
    assert isinstance(client, ClusterClient)
