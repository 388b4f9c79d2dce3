"""An inbox costs what its tables take to bring up to date, as a page and as a stream that goes on."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
from freezegun import freeze_time

from service.limits.costs import READ_MS, TABLES_A_MS
from service.limits.reading import reading_ms
from service.streams import hub
from service.streams.follows import FollowInbox
from service.streams.frames import RETRY, STILL_HERE
from tests.service.api.test_feed import work_left
from tests.service.api.world import Somebody, World, embedded_store

TABLES = 2 * TABLES_A_MS  # at which Ann sits


class Desk:
    """A service with little in memory, and Ann, who sits at more tables than it keeps."""

    def __init__(self, url: str) -> None:
        with contextlib.closing(World(url)) as world:
            ann, ben = world.somebody("Ann"), world.somebody("Ben")
            self.tables = [world.open(ann, ben, game="tomahawk") for _ in range(TABLES)]
            world.catch_up()
            self.reading_ms = sum(reading_ms(world.services.handler.history(table).table) for table in self.tables)
            self.player, self.token = ann.player, ann.token
        self.url = url

    @contextlib.contextmanager
    def serving(self, **settings: Any) -> Iterator[tuple[World, Somebody]]:
        """A new process, and Ann there."""
        with contextlib.closing(World(self.url, **settings)) as world:
            yield world, Somebody(world.app, self.player, self.token)


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with embedded_store() as url:
        yield Desk(url)


def beginning(world: World, ann: Somebody, frames: int) -> list[bytes]:
    """The first frames of the stream of Ann's inbox."""
    follow = FollowInbox(world.services.accounts.caller(str(ann.token)), "192.0.2.1")

    async def told() -> list[bytes]:
        async with asyncio.timeout(60), contextlib.aclosing(world.services.hub.frames(follow)) as stream:
            return [await anext(stream) for _ in range(frames)]

    world.services.hub.admit(follow)
    try:
        return asyncio.run(told())
    finally:
        world.services.hub.dismiss(follow)


def test_a_page_owes_what_it_took_to_read_its_tables(desk: Desk) -> None:
    """Those that are in memory cost no more than to bring them up to date."""
    with desk.serving() as (_, ann), freeze_time("2026-11-21T12:00:00Z"):
        left = [work_left(ann.get(path)) for path in ("/v1/players/me", "/v1/inbox", "/v1/inbox")]

    looked = READ_MS + TABLES // TABLES_A_MS
    assert (left[0] - left[1], left[1] - left[2]) == (looked + desk.reading_ms, looked)


def test_a_stream_pays_for_its_looks(desk: Desk) -> None:
    """For each as for a page; whoever has opened it many times has paid as often."""
    with desk.serving() as (world, ann), freeze_time("2026-11-21T12:00:00Z"):
        before = work_left(ann.get("/v1/players/me"))
        for _ in range(3):
            beginning(world, ann, frames=2)
        after = work_left(ann.get("/v1/players/me"))

    assert before - after == READ_MS + desk.reading_ms + 3 * (TABLES // TABLES_A_MS)


def test_a_stream_waits_until_its_look_is_paid(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the budget spent it shows that it lives, and tells what waits when there is room."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            world.services.limits.counts.reset()

    with desk.serving(work_ms=100) as (world, ann):
        monkeypatch.setattr("service.streams.hub.asyncio.sleep", sleep)
        world.services.limits.spend(world.services.accounts.caller(str(ann.token)), "192.0.2.1", "work", 100)
        told = beginning(world, ann, frames=4)

    assert told[:3] == [RETRY, STILL_HERE, STILL_HERE]
    assert told[3].count(b"event: decision") > 0
    assert all(0 < one <= hub.LOOK_S for one in waited)


def test_a_look_at_few_tables_that_are_in_memory_counts_nowhere(world: World) -> None:
    """Whoever waits for a turn is charged nothing for it, and nothing is shared for a stream that tells nothing."""
    ann = world.somebody("Ann")
    world.open(ann, world.somebody("Ben"), game="tomahawk")
    world.catch_up()
    beginning(world, ann, frames=2)
    world.services.limits.counts.reset()
    beginning(world, ann, frames=2)
    assert world.services.limits.counts.reset() == 0


def test_what_is_read_is_paid_part_by_part(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a look at very many tables is no more than can be paid."""
    monkeypatch.setattr(hub, "AT_ONCE", TABLES_A_MS)
    with desk.serving() as (world, ann):
        whole = beginning(world, ann, frames=3)[1:]

    assert [sum(table.encode() in part for table in desk.tables) for part in whole] == [TABLES_A_MS] * 2
