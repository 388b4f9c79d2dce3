"""States of the store, under both lanes: nothing is lost or doubled, and what can be answered is."""

import asyncio
import contextlib
import copy
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis

from events.log import Batch, VersionRange
from events.pipelined import PipelinedLog, TooManyInFlight
from events.store import RedisLog, connect
from service.command_handler import Request
from service.hot_lane import MOST_WAITING
from service.tables.audit import audit
from service.tables.authorisation import Viewer
from service.tables.playing import Play, play
from tests.servers import Proxy
from tests.service.api.world import Answer, Somebody, World, accepted, embedded_store, refused
from tests.service.lanes.loop import Loop, Protocol, answered
from tests.service.rsgi import scope
from wintercount.testing.random_games import random_move

NUMBERS = count(1)


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with embedded_store() as url:
        yield url


@pytest.fixture(scope="module", params=[True, False], ids=["loop", "threads"])
def world(store: str, request: pytest.FixtureRequest) -> Iterator[World]:
    with contextlib.closing(World(store, on_the_loop=request.param)) as found:
        yield found


@pytest.fixture
def hot(store: str) -> Iterator[World]:
    """A service with a lane of its own for each test."""
    with contextlib.closing(World(store, on_the_loop=True)) as found:
        yield found


@pytest.fixture
def client(store: str) -> Iterator[redis.Redis]:
    with contextlib.closing(redis.Redis.from_url(store)) as found:
        yield found


class Game:
    """People at a table."""

    def __init__(self, world: World, game: str = "big-manitou", seats: int = 2) -> None:
        self.world, self.game = world, game
        self.players = [world.somebody(name) for name in ("Ann", "Bob", "Cleo", "Dan")[:seats]]
        self.table = world.open(*self.players, game=game)

    def acting(self) -> tuple[int, ...]:
        """The seats that have to act."""
        now = self.world.services.handler.history(self.table).table
        return tuple(now.game.to_act(now.state))

    def version(self) -> int:
        return self.world.log.head(self.table).version

    def choices(self) -> list[tuple[int, tuple[int, Any]]]:
        """A legal move of each seat that has to act, with the seat."""
        now, rng = self.world.services.handler.history(self.table).table, random.Random(next(NUMBERS))
        return [
            (seat, (seat, msgspec.to_builtins(random_move(now.game, now.state, seat, rng)))) for seat in self.acting()
        ]

    def send(self, seat: int, move: Any, **headers: str) -> Answer:
        """The answer to a move."""
        body = {"game": self.game, "seat": seat, "move": move}
        return self.players[seat - 1].post(f"/v1/tables/{self.table}/moves", body, **headers)

    def move(self, **headers: str) -> Answer:
        """The answer to the next move."""
        seat, move = self.choices()[0][1]
        return self.send(seat, move, **headers)

    def request(self) -> tuple[Any, bytes]:
        """The next move as granian tells of it, and its body."""
        seat, move = self.choices()[0][1]
        body = json.dumps({"game": self.game, "seat": seat, "move": move}).encode()
        token, path = f"Bearer {self.players[seat - 1].token}", f"/v1/tables/{self.table}/moves"
        headers = {"authorization": token, "content-type": "application/json", "content-length": str(len(body))}
        return scope(path, "POST", **headers), body

    def read(self, who: Somebody | None = None) -> Answer:
        return (who or self.players[0]).get(f"/v1/tables/{self.table}")

    def moves(self) -> int:
        """How many moves are on record."""
        return sum("move" in event.sealed for event in self.world.log.read(self.table))

    def check(self) -> None:
        """Memory holds what the store does, and the table passes its audit."""
        handler = self.world.services.handler
        known, recorded = handler.cache.peek(self.table), handler.log.read(self.table)
        assert known is not None
        assert [event.hash for event in known.events] == [event.hash for event in recorded[: known.table.version]]
        assert audit(handler.history(self.table), Viewer(None, over=False))["holds"]


# --- what the store may say ---


def test_a_server_that_is_a_replica(world: World, client: redis.Redis) -> None:
    """It takes no writes until it is promoted."""
    game = Game(world)
    accepted(game.move())
    client.config_set("repl-timeout", 1)
    client.execute_command("REPLICAOF", "127.0.0.1", "1")
    try:
        refused(game.move(), 503, "store_unavailable")
        accepted(game.read())
    finally:
        client.execute_command("REPLICAOF", "NO", "ONE")
    accepted(game.move())
    game.check()


def test_a_server_that_is_busy_with_a_script(world: World, client: redis.Redis, store: str) -> None:
    """Nothing is answered meanwhile, and nothing is lost."""
    game = Game(world)
    accepted(game.move())
    chosen = game.choices()[0][1]
    client.config_set("busy-reply-threshold", 1)
    with ThreadPoolExecutor(1) as pool, contextlib.closing(redis.Redis.from_url(store)) as other:
        endless = pool.submit(other.eval, "while true do end", 0)
        with contextlib.suppress(redis.RedisError):
            while client.ping():
                pass
        try:
            assert game.send(*chosen).status_code == 503
        finally:
            client.script_kill()
        assert endless.exception()
    client.config_set("busy-reply-threshold", 5000)
    before = game.moves()
    accepted(game.move())
    assert game.moves() == before + 1
    game.check()


def test_many_tables_are_played_through_all_of_it(world: World, client: redis.Redis) -> None:
    """While scripts are lost, memory is full and writes are refused: what is acknowledged is on record, once."""
    games, ended = [Game(world) for _ in range(6)], threading.Event()
    before = [game.moves() for game in games]

    def played(game: Game) -> int:
        accepted_moves = 0
        while accepted_moves < 10 or not ended.is_set():
            status = game.move().status_code
            assert status in {200, 503, 507}
            accepted_moves += status == 200
            if game.read().json["status"] == "finished":
                break
        return accepted_moves

    with ThreadPoolExecutor(len(games)) as pool:
        playing = [pool.submit(played, game) for game in games]
        for _ in range(5):
            client.script_flush()
            client.config_set("maxmemory", 1)
            client.config_set("maxmemory", 0)
            client.execute_command("REPLICAOF", "127.0.0.1", "1")
            client.execute_command("REPLICAOF", "NO", "ONE")
        ended.set()
        counts = [one.result() for one in playing]
    assert [game.moves() for game in games] == [sum(both) for both in zip(before, counts, strict=True)]
    for game in games:
        game.check()


@pytest.mark.parametrize("error", ["MOVED 1 127.0.0.1:1", "ASK 1 127.0.0.1:1", "TRYAGAIN half of it", "LOADING data"])
def test_what_is_said_on_the_loop_s_connection_is_asked_again_in_a_thread(hot: World, error: str) -> None:
    """The client notices nothing."""
    game = Game(hot)
    accepted(game.move())
    loop(hot).ask_through(Saying(hot.log, error))
    before, in_threads = game.moves(), answered("threads")
    accepted(game.move())
    accepted(game.read())
    assert answered("threads") == in_threads + 2
    assert game.moves() == before + 1
    game.check()


def test_too_many_in_flight_are_told_when_to_come_again(hot: World) -> None:
    """Nothing was sent, and so nothing is done by another way."""
    game = Game(hot)
    before = game.moves()
    loop(hot).ask_through(Full(hot.log))
    answer = game.move()
    refused(answer, 503, "too_busy")
    assert int(answer.headers["Retry-After"]) >= 1
    assert game.moves() == before


def test_on_a_cluster_each_node_has_a_connection(cluster_log: RedisLog, cluster_url: str, tmp_path: Path) -> None:
    """A game is played on the loop; where replicas acknowledge, moves are left to threads and reads are not."""
    assert cluster_log
    for ack, moves_on_the_loop in (("local", 6), ("replica", 0)):
        with contextlib.closing(World(cluster_url, on_the_loop=True, ack=ack, data=str(tmp_path))) as world:
            game = Game(world)
            game.read()
            before = answered("loop")
            for _ in range(6):
                accepted(game.move())
                accepted(game.read())
            assert answered("loop") - before == 6 + moves_on_the_loop
            game.check()


# --- one name a request ---


@pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "the-same"}], ids=["without a key", "with a key"])
def test_a_lost_reply_is_found_by_the_name_of_the_request(hot: World, store: str, key: dict[str, str]) -> None:
    """The batch was recorded and the connection broke: one batch, and its answer."""
    game = Game(hot)
    accepted(game.move())
    with contextlib.closing(Proxy(store.removeprefix("unix://"))) as proxy:
        behind = copy.copy(hot.log)
        with contextlib.closing(connect(f"redis://127.0.0.1:{proxy.port}")) as behind.client:
            loop(hot).ask_through(PipelinedLog(behind))
            game.read()
            before, version, proxy.lose = game.moves(), game.version(), 1
            answer = accepted(game.move(**key))
            assert (proxy.lost, game.moves()) == (1, before + 1)
            assert answer["events"][0]["version"] == version + 1
            loop(hot).ask_through(PipelinedLog(hot.log))
    game.check()


# --- what happens meanwhile ---


class Meddled(PipelinedLog):
    """A connection beside which things happen: one before each append is sent, all others before a reply is taken."""

    def __init__(self, store: RedisLog, before: Sequence[Any] = (), after: Sequence[Any] = ()) -> None:
        super().__init__(store)
        self._before, self._after = list(before), list(after)

    async def append(self, table: str, batch: Batch) -> VersionRange:
        if self._before:
            await asyncio.to_thread(self._before.pop(0))
        span = await super().append(table, batch)
        while self._after:
            await asyncio.to_thread(self._after.pop(0))
        return span


class Meanwhile:
    """What others do at the table of a game."""

    def __init__(self, game: Game, other: World) -> None:
        self.game, self.other = game, Game.__new__(Game)
        self.other.world, self.other.game, self.other.table = other, game.game, game.table
        self.other.players = [Somebody(other.app, one.player, one.token) for one in game.players]

    def evict(self) -> None:
        histories = self.game.world.services.handler.cache
        known = histories.peek(self.game.table)
        assert known is not None
        histories.drop(self.game.table, known.table.head)

    def read(self) -> None:
        self.game.world.services.handler.history(self.game.table)

    def follow(self) -> None:
        """Another process records a move."""
        handler = self.other.world.services.handler
        chosen = self.other.world.move(self.game.table, random.Random(next(NUMBERS)))
        assert chosen is not None
        holder = handler.history(self.game.table).table.seats[chosen[0] - 1].player
        play(handler, self.game.table, Play(*chosen), holder, Request(f"other {next(NUMBERS)}", ""))


@pytest.fixture
def other(store: str) -> Iterator[World]:
    """Another process."""
    with contextlib.closing(World(store, on_the_loop=True)) as found:
        yield found


@pytest.mark.parametrize(
    ("when", "happens"),
    [
        ("before", (Meanwhile.evict,)),
        ("before", (Meanwhile.read,)),
        ("after", (Meanwhile.evict,)),
        ("after", (Meanwhile.read,)),
        ("after", (Meanwhile.follow,)),
        ("after", (Meanwhile.follow, Meanwhile.read)),
        ("after", (Meanwhile.follow, Meanwhile.evict)),
        ("after", (Meanwhile.evict, Meanwhile.read)),
    ],
    ids=lambda given: given if isinstance(given, str) else ", ".join(one.__name__ for one in given),
)
def test_around_an_append_anything_may_happen(
    hot: World, other: World, when: str, happens: tuple[Callable[[Meanwhile], None], ...]
) -> None:
    """The move is recorded and answered once, and memory holds what the store does."""
    game = Game(hot)
    accepted(game.move())
    meanwhile = Meanwhile(game, other)
    before, version = game.moves(), game.version()
    loop(hot).ask_through(Meddled(hot.log, **{when: [partial(one, meanwhile) for one in happens]}))

    answer = accepted(game.move())

    assert answer["events"][0]["version"] == version + 1
    assert game.moves() == before + 1 + happens.count(Meanwhile.follow)
    game.check()


@pytest.mark.parametrize(("conflicts", "lane"), [(2, "loop"), (3, "threads")])
def test_a_conflict_is_decided_again_on_the_loop(hot: World, other: World, conflicts: int, lane: str) -> None:
    """Another process records a secret choice before each try; after the third one a thread decides."""
    game = Game(hot, "manitou", seats=1 + conflicts)
    while len(choices := game.choices()) <= conflicts:
        accepted(game.move())
    (_, chosen), *others = choices
    there = Meanwhile(game, other).other
    meanwhile = [partial(lambda one: accepted(there.send(*one)), one) for _, one in others]
    loop(hot).ask_through(Meddled(hot.log, before=meanwhile))
    before, lanes = game.moves(), {one: answered(one) for one in ("loop", "threads")}

    accepted(game.send(*chosen))

    assert game.moves() == before + 1 + conflicts
    lanes[lane] += 1
    lanes["threads"] += conflicts  # the other process did not know who chooses
    assert {one: answered(one) for one in lanes} == lanes
    game.check()


def test_secret_choices_at_once_in_two_processes(hot: World, other: World) -> None:
    """All are accepted, each once; both processes end with the same table."""
    game = Game(hot, "manitou")
    there = Meanwhile(game, other).other
    with ThreadPoolExecutor(4) as pool:
        for _ in range(12):
            choices = game.choices()
            before = game.moves()
            sent = [pool.submit(where.send, *one) for (_, one), where in zip(choices, (game, there), strict=False)]
            assert [answer.result().status_code for answer in sent] == [200] * len(sent)
            assert game.moves() == before + len(sent)
    assert game.read().json["hash"] == there.read().json["hash"]
    game.check()
    there.check()


def test_what_another_process_wrote_is_read_and_played_on_the_loop(hot: World, other: World) -> None:
    """After a move is answered, no read is older; memory catches up with what it lacks, and be it the whole table."""
    game = Game(hot)
    meanwhile = Meanwhile(game, other)
    there, path = meanwhile.other, f"/v1/tables/{game.table}"
    for player in (*game.players, *there.players):  # whose tokens are then known in both
        accepted(player.get(path))
    in_threads, chosen = answered("threads"), game.choices()[0][1]
    meanwhile.evict()
    accepted(game.send(*chosen))
    meanwhile.evict()
    accepted(game.read())
    for _ in range(8):
        version = accepted(game.move())["version"]
        assert accepted(there.read())["version"] >= version
        assert accepted(there.players[0].get(f"{path}/moves"))["version"] >= version
        version = accepted(there.move())["version"]
        assert accepted(game.read())["version"] >= version
    assert answered("threads") == in_threads
    game.check()
    there.check()


def test_a_store_that_went_back_is_reported_to_who_reads(hot: World, client: redis.Redis) -> None:
    """A head that is behind what is in memory is not taken for an old answer."""
    game = Game(hot)
    key = hot.log.table_key(game.table, "head")
    before = hot.log.head(game.table)
    accepted(game.move())
    client.hset(key, mapping={"version": before.version, "hash": before.hash})
    refused(game.read(), 500, "log_damaged")


def test_a_move_is_finished_though_its_sender_is_gone(hot: World) -> None:
    """Recorded and taken into memory; the server waits for it before it ends."""
    game = Game(hot)
    accepted(game.move())
    sent, goes_on = threading.Event(), threading.Event()
    loop(hot).ask_through(Meddled(hot.log, after=(sent.set, goes_on.wait)))
    before = game.moves()
    asked, body = game.request()
    asking = asyncio.run_coroutine_threadsafe(loop(hot).server.__rsgi__(asked, Protocol(body)), loop(hot).loop)
    assert sent.wait(20)
    asking.cancel()
    goes_on.set()
    loop(hot).run(loop(hot).hot.close())

    assert game.moves() == before + 1
    known = hot.services.handler.cache.peek(game.table)
    assert known is not None
    assert known.table.head == hot.log.head(game.table)
    game.check()


def test_a_move_beyond_those_that_may_wait_at_a_table_is_left_to_a_thread(hot: World) -> None:
    """Here all are one request: the thread's move is recorded, and those that waited get its answer."""
    game = Game(hot)
    accepted(game.move())
    goes_on = threading.Event()
    loop(hot).ask_through(Meddled(hot.log, before=[goes_on.wait]))
    asked, body = game.request()
    asked.headers["idempotency-key"] = "the-same"
    before, sent = game.moves(), [Protocol(body) for _ in range(MOST_WAITING + 1)]

    *waiting, last = [
        asyncio.run_coroutine_threadsafe(loop(hot).server.__rsgi__(asked, one), loop(hot).loop) for one in sent
    ]
    last.result(60)

    assert not any(one.done() for one in waiting)
    goes_on.set()
    for one in waiting:
        one.result(60)
    assert {(one.status, one.body) for one in sent} == {(200, sent[-1].body)}
    assert game.moves() == before + 1
    game.check()


def loop(world: World) -> Loop:
    assert world.loop
    return world.loop


class Saying(PipelinedLog):
    """A connection on which a server says that it does not do this."""

    def __init__(self, store: RedisLog, error: str) -> None:
        super().__init__(store)
        self._error = error

    async def _ask(self, *_: Any) -> Any:
        return redis.ResponseError(self._error)


class Full(PipelinedLog):
    """A connection on which as many wait as may."""

    async def _ask(self, *_: Any) -> Any:
        raise TooManyInFlight
