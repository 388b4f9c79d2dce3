"""What people are told while no replica has what they did, and when they repeat it."""

import contextlib
import random
from collections.abc import Iterator

import pytest

from events.scripts import REPLICA
from events.store import connect
from service.config import BadSetting, settings_from
from tests.cluster import hold_back, let_follow, replicated
from tests.service.api.world import Somebody, World, accepted, refused
from tools.cluster import Cluster

pytestmark = pytest.mark.slow

WEBHOOK = "/v1/players/me/webhook"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with replicated() as found:
        yield found


@pytest.fixture
def world(cluster: Cluster) -> Iterator[World]:
    """A service whose writes are acknowledged by replicas; they follow again afterwards."""
    with contextlib.closing(connect(cluster.url)) as client:
        client.flushall(target_nodes=client.PRIMARIES)
    with contextlib.closing(World(cluster.url, ack=REPLICA)) as found:
        yield found
    for pair in cluster.pairs:
        let_follow(pair)


def test_a_move_that_no_replica_has_is_not_acknowledged(cluster: Cluster, world: World) -> None:
    """503, and nothing that could be shown as a receipt; the repeat with the same key waits, and gets the answer."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    table = world.open(ann, ben, game="manitou")
    seat, move = world.move(table, random.Random(1)) or (0, {})
    player, body = (ann, ben)[seat - 1], world.moving(table, seat, move)
    before = ann.get(f"/v1/tables/{table}").json["version"]
    for pair in cluster.pairs:
        hold_back(pair)

    for _ in range(2):
        told = player.post(f"/v1/tables/{table}/moves", body, Idempotency_Key="mine")
        problem = refused(told, 503, "not_replicated")
        assert told.headers["Retry-After"] == "1"
        assert "receipt" not in problem
    refused(world.nobody.post("/v1/players", {"name": "Cat"}), 503, "not_replicated")

    for pair in cluster.pairs:
        let_follow(pair)
    played = accepted(player.post(f"/v1/tables/{table}/moves", body, Idempotency_Key="mine"))
    again = accepted(player.post(f"/v1/tables/{table}/moves", body, Idempotency_Key="mine"))
    assert played["receipt"] == again["receipt"]
    assert played["receipt"]["version"] == world.log.head(table).version > before


def test_what_ends_is_acknowledged_by_a_replica(cluster: Cluster, world: World) -> None:
    """A token that is revoked, a webhook that is set or ended: 503 without a replica, also when it is asked again."""
    account = world.nobody.post("/v1/players", {"name": "Hal", "bot": True}).json
    hal = Somebody(world.app, account["id"], account["token"]["secret"])
    token = accepted(hal.post("/v1/players/me/tokens", {"scopes": ["watch"], "label": "other"}), 201)["id"]
    revoke = f"/v1/players/me/tokens/{token}"
    for pair in cluster.pairs:
        hold_back(pair)

    for _ in range(2):
        refused(hal.delete(revoke), 503, "not_replicated")
        refused(hal.send("PUT", WEBHOOK, json={"url": "https://example.org/"}), 503, "not_replicated")
        refused(hal.delete(WEBHOOK), 503, "not_replicated")

    for pair in cluster.pairs:
        let_follow(pair)
    refused(hal.delete(revoke), 404, "no_such_token")
    accepted(hal.send("PUT", WEBHOOK, json={"url": "https://example.org/"}))
    assert hal.delete(WEBHOOK).status_code == 204
    refused(hal.delete(WEBHOOK), 404, "no_such_webhook")


def test_a_refusal_is_one_all_the_same(cluster: Cluster, world: World) -> None:
    """An illegal move is refused by its rule, whether a replica follows or not: nothing was written."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    table = world.open(ann, ben, game="manitou")
    for pair in cluster.pairs:
        hold_back(pair)

    illegal = world.moving(table, 1, {"type": "nothing that there is"})
    refused(ann.post(f"/v1/tables/{table}/moves", illegal, Idempotency_Key="mine"), 422, "invalid")


def test_who_acknowledges_is_one_of_two() -> None:
    """Anything else stops the process at its start."""
    assert settings_from({}).ack == "local"
    assert settings_from({"WINTERCOUNT_ACK": "replica"}).ack == REPLICA
    with pytest.raises(BadSetting, match="WINTERCOUNT_ACK='majority'"):
        settings_from({"WINTERCOUNT_ACK": "majority"})
