"""A store that has no memory left refuses writes whole, and the service says so."""

import contextlib
from collections.abc import Iterator

import pytest

from events.store import RedisLog
from tests.commands import on_store, wintercount
from tests.service.api.world import World, accepted, embedded_store, refused
from wintercount.cli.errors import FULL


@pytest.fixture
def world() -> Iterator[World]:
    """A service with a table of two people on a store of its own."""
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


def fill(world: World) -> None:
    """Leaves the store no memory for another write."""
    world.log.client.config_set("maxmemory", "1mb")


def test_a_full_store_is_told(world: World) -> None:
    """507 to writes and to `/readyz`; reads go on, and so does play when there is room."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    before = ann.get(f"/v1/tables/{table}/events").data
    fill(world)

    refused(world.nobody.get("/readyz"), 507, "store_full")
    refused(world.nobody.post("/v1/players", {"name": "Cat"}), 507, "store_full")
    refused(ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}), 507, "store_full")
    assert world.nobody.get("/healthz").status_code == 200
    assert accepted(ann.get(f"/v1/tables/{table}"))["id"] == table
    assert ann.get(f"/v1/tables/{table}/events").data == before

    world.log.client.config_set("maxmemory", "0")
    accepted(world.nobody.get("/readyz"))
    world.play(table, ann, bob, moves=1, seed=1)


@pytest.mark.parametrize(
    "words",
    [
        ("rebuild", "--processes", "1"),
        ("forget", "ANN"),
        ("moderate", "act", "suspend", "--player", "ANN", "--reason", "cheating"),
    ],
)
def test_a_command_says_that_the_store_is_full(world: World, words: tuple[str, ...]) -> None:
    """It ends with 1 and with what to do, and not with where it was refused."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    world.open(ann, bob, game="manitou")
    fill(world)

    named = [str(ann.player) if word == "ANN" else word for word in words]
    told = wintercount(*named, **on_store(world.url))
    assert (told.exit_code, told.stderr.splitlines()[-1]) == (1, f"Error: {FULL}")


def everything(log: RedisLog) -> dict[bytes, bytes]:
    """All that the store holds, as it is dumped."""
    return {key: log.client.dump(key) for key in log.client.keys("*")}
