"""Every operation of the service, and every process of it, on a cluster: acknowledged by primaries, and by replicas."""

import contextlib
import os
import time
from collections.abc import Iterator

import pytest
import redis
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.command_handler import CommandHandler
from tests.service.api.document import OPERATIONS
from tests.service.api.story import Story
from tests.service.api.world import World, accepted
from wintercount.operations.doctor import Diagnosis, findings
from worker import rq_worker
from worker.dispatcher import Dispatcher
from worker.rq_worker import TurnQueue, queues

pytestmark = pytest.mark.slow


@pytest.fixture(params=["local", "replica"])
def world(request: pytest.FixtureRequest, cluster: redis.RedisCluster, cluster_url: str) -> Iterator[World]:
    """A service on an empty cluster."""
    with contextlib.closing(World(cluster_url, ack=request.param)) as found:
        yield found


def test_every_operation_is_answered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """From opening an account to erasing it: tables, moves, AI turns, disputes, branches, streams, texts, standings."""
    now = [time.time_ns() // 1_000_000]
    monkeypatch.setattr(CommandHandler, "now_ms", lambda _: now[0])
    story = Story(world, now)

    story.tell()

    assert set(story.told) == {operation["operationId"] for _, _, operation in OPERATIONS}


def test_an_ai_turn_is_played(
    world: World, cluster_url: str, valkey: redis.Redis, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dispatcher hears of it from the cluster, and a worker that was enqueued in rq's own server plays it there."""
    for name, value in {"REDIS_URL": cluster_url, "QUEUE_URL": valkey_url, "ACK": world.settings.ack}.items():
        monkeypatch.setenv(f"WINTERCOUNT_{name}", value)
    rq_worker.worker_process.cache_clear()
    dispatcher = Dispatcher(world.services.handler, TurnQueue(redis.Redis.from_url(valkey_url)))
    ann = world.somebody("Ann")
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}, {"kind": "ai", "level": "uniform"}]
    table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"]

    while not dispatcher.dispatch(dispatcher.partitions_to_dispatch()):
        pass
    with contextlib.closing(redis.Redis.from_url(valkey_url)) as client:
        worker = SimpleWorker(queues(client), connection=client, serializer=JSONSerializer)
        worker.work(burst=True, logging_level="ERROR")

    assert [decision.seat for decision in world.services.handler.history(table).table.decisions] == [1]
    worked = rq_worker.worker_process(os.getpid())
    worked.thinker.close()
    rq_worker.worker_process.cache_clear()


def test_the_doctor_finds_the_replicas(world: World, cluster_url: str) -> None:
    """Where replicas acknowledge, each primary has one; else nobody asks."""
    told = {one.subject: one.verdict for one in findings(world.settings, cluster_url)}

    assert told["cluster"] is Diagnosis.GOOD
    assert told.get("replicas") is (Diagnosis.GOOD if world.settings.ack == "replica" else None)


def test_the_doctor_looks_at_every_primary(world: World, cluster: redis.RedisCluster, cluster_url: str) -> None:
    """Whichever of them throws keys away when it is full: what it throws away is games."""
    for node in cluster.get_primaries():
        cluster.config_set("maxmemory-policy", "allkeys-lru", target_nodes=node)
        try:
            told = list(findings(world.settings, cluster_url))
        finally:
            cluster.config_set("maxmemory-policy", "noeviction", target_nodes=node)
        assert [one.verdict for one in told if one.subject == "memory"].count(Diagnosis.FAULT) == 1
