"""A table whose record is damaged in the store: it says so, and no other table suffers from it."""

import asyncio
import contextlib
from collections.abc import Iterator

import pytest

from events.log import PARTITIONS, partition_of
from events.store import RedisLog, connect
from projections.history import TableCache
from projections.runner import Runner
from service.command_handler import CommandHandler
from service.streams.frames import InboxSubscription
from tests import damage
from tests.service.api.world import Somebody, World, accepted, refused
from worker import dispatcher as dispatching
from worker.dispatcher import Dispatcher

VERSION = 5


@pytest.fixture
def log(store_url: str) -> RedisLog:
    return RedisLog(connect(store_url), PARTITIONS)


@pytest.fixture
def ann(world: World) -> Somebody:
    return world.somebody("Ann")


@pytest.fixture
def tables(world: World, ann: Somebody, log: RedisLog) -> tuple[str, str]:
    """Two tables of Ann's in the same partition; the record of the first is damaged."""
    body = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    by_partition: dict[int, str] = {}
    while True:
        table = ann.post("/v1/tables", body).json["id"]
        broken = by_partition.setdefault(partition_of(table), table)
        if broken != table:
            damage.damage(log, broken, VERSION, damage.torn)
            return broken, table


@pytest.fixture
def started(store_url: str) -> Iterator[World]:
    """A service that has just been started, and so remembers nothing."""
    with contextlib.closing(World(store_url)) as found:
        yield found


def met_again(world: World, somebody: Somebody) -> Somebody:
    """The same player as a client of another service on the same store."""
    return Somebody(world.app, somebody.player, somebody.token)


@pytest.mark.parametrize("change", damage.ALL)
def test_a_damaged_table_says_so(world: World, log: RedisLog, store_url: str, change: damage.Change) -> None:
    """Through every operation; nothing of what is left is shown."""
    table = world.open(world.somebody(), world.somebody("Bob"), game="manitou")
    damage.damage(log, table, VERSION, change)
    with contextlib.closing(World(store_url)) as started:
        for path in ("", "/events", "/rulings", "/audit", "/archive", f"/moves/{VERSION}/explanation"):
            refused(started.nobody.get(f"/v1/tables/{table}{path}"), 500, "log_damaged")


def test_the_other_tables_of_a_player_are_listed(started: World, tables: tuple[str, str], ann: Somebody) -> None:
    """The inbox, as a list and as a stream, leaves the damaged table out."""
    started.catch_up()
    listed = accepted(met_again(started, ann).get("/v1/inbox"))["decisions"]
    assert {row["table"] for row in listed}.isdisjoint({tables[0]})
    assert tables[1] in {row["table"] for row in listed}

    async def first() -> bytes:
        services = started.services
        services.hub.open.admit(InboxSubscription(services.accounts.caller(str(ann.token))))
        async with contextlib.aclosing(
            services.hub.frames(InboxSubscription(services.accounts.caller(str(ann.token))))
        ) as news:
            return b"".join([await anext(news) for _ in range(2)])

    told = asyncio.run(first()).decode()
    assert tables[1] in told
    assert tables[0] not in told


def test_projections_go_on(
    started: World, tables: tuple[str, str], log: RedisLog, caplog: pytest.LogCaptureFixture
) -> None:
    """What the damaged table did is passed over and logged; the rest of its partition is projected."""
    runner = Runner(log, TableCache(log))
    runner.catch_up(range(log.partitions))
    assert f"{tables[0]} version {VERSION}" in caplog.text
    lobby = {row["id"] for row in accepted(started.nobody.get("/v1/tables"))["tables"]}
    assert tables[1] in lobby


def test_the_dispatcher_goes_on(
    tables: tuple[str, str], log: RedisLog, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry of a damaged table stays due; those of the same partition are attended to again and again."""
    monkeypatch.setattr(dispatching, "LEASE_MS", 0)
    rung: list[str] = []
    dispatcher = Dispatcher(CommandHandler(log), lambda table, *_: rung.append(table))
    for _ in range(2):
        dispatcher.dispatch([log.partition(tables[0])])

    assert [rung.count(table) for table in tables] == [1, 2]
    assert f"{tables[0]} version {VERSION}" in caplog.text
    assert any(due.member.startswith(tables[0]) for due in log.timers(log.partition(tables[0])))
