"""Counts the Python calls of warm requests, a measure of cost without noise: `make calls`."""

import cProfile
import json
import os
import pstats
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service.command_handler import Request
from service.tables.playing import Play, play
from tests.disputed_tables import luck
from tests.service.api.world import Somebody, World, embedded_store
from tests.service.lanes.loop import Loop, Protocol, answered, scope_of

RECORD = Path(__file__).with_suffix(".json")
GROWTH = 1.05  # how many times its record a figure may be
HOT = "hot lane:"
EARLY, LATE = 20, 110  # events of the table at which moves are counted, and of the one that is read
READS = {"GET …/tables/{t}": "", "GET …/moves": "/moves", "GET …/events since": f"/events?after={LATE - 4}"}
MOVES = 15


class Game(NamedTuple):
    """A service on a store of its own, and a table of Big Manitou that four people play there."""

    world: World
    players: list[Somebody]
    table: str


@contextmanager
def game(events: int) -> Iterator[Game]:
    """The same game every time, played until it has that many events."""
    with embedded_store() as url, closing(World(url)) as world:
        with luck("calls"):
            players = [world.somebody(name) for name in ("Ann", "Bob", "Cleo", "Dan")]
            table = world.open(*players)
            while world.services.handler.history(table).table.version < events:
                world.play(table, *players, moves=1)
        yield Game(world, players, table)


def measure() -> dict[str, int]:
    """Calls by request."""
    with game(LATE) as late:
        found = {"a bare Flask route": bare(), **reads(late)}
    with game(EARLY) as early:
        over_http = moves(early, posted)
    with game(EARLY) as early, lane(early) as loop:
        hot = {f"{HOT} POST …/moves": moves(early, partial(posted_on_the_loop, loop))}
    with game(LATE) as late, lane(late) as loop:
        hot |= {f"{HOT} {name}": least(partial(on_the_loop, loop, late, path)) for name, path in READS.items()}
    with game(EARLY) as early:
        return found | hot | {"POST …/moves": over_http, "the command handler": moves(early, handled)}


def bare() -> int:
    """The calls of an app that parses JSON and answers JSON, and does nothing else."""
    app = Flask("bare")

    @app.post("/")
    def answer() -> ResponseReturnValue:
        return jsonify(request.get_json())

    return least(lambda: asked(app, "POST", "/", json={"seat": 1}))


def reads(late: Game) -> dict[str, int]:
    """The calls of what a seat reads."""
    path = f"/v1/tables/{late.table}"

    def read(path: str) -> int:
        return asked(late.world.app, "GET", path, late.players[0].token)

    least(lambda: read(f"{path}?at=30"))
    return {
        "GET /v1/games": least(lambda: read("/v1/games")),
        "GET …/tables/{t}": least(lambda: read(path)),
        "GET …/tables/{t}?at=40": read(f"{path}?at=40"),
        "GET …/tables/{t}?at=40 again": least(lambda: read(f"{path}?at=40")),
        "GET …/moves": least(lambda: read(f"{path}/moves")),
        "GET …/events, a page of 100": least(lambda: read(f"{path}/events?limit=100")),
    }


def moves(early: Game, count: Callable[[Game, int, Any], int]) -> int:
    """The median of some moves."""
    rng = random.Random(1)
    chosen = (early.world.move(early.table, rng) for _ in range(MOVES))
    return int(median(count(early, *move) for move in chosen if move))


def posted(early: Game, seat: int, move: Any) -> int:
    """The calls of a move over HTTP."""
    body, token = early.world.moving(early.table, seat, move), early.players[seat - 1].token
    return asked(early.world.app, "POST", f"/v1/tables/{early.table}/moves", token, json=body)


@contextmanager
def lane(played: Game) -> Iterator[Loop]:
    """An event loop that answers for the game's service."""
    with closing(Loop(played.world.app, played.world.services)) as loop:
        yield loop


def posted_on_the_loop(loop: Loop, early: Game, seat: int, move: Any) -> int:
    """The calls of a move that the event loop answers."""
    return on_the_loop(loop, early, "/moves", seat, early.world.moving(early.table, seat, move))


def on_the_loop(loop: Loop, played: Game, path: str, seat: int = 1, body: Any = None) -> int:
    """The calls of a request on the event loop's thread, from granian's call to the last byte; no thread may answer."""
    headers = Headers({"Authorization": f"Bearer {played.players[seat - 1].token}"})
    sent = {"json": body, "method": "POST"} if body else {}
    environ = EnvironBuilder(f"/v1/tables/{played.table}{path}", headers=headers, **sent).get_environ()
    scope, protocol = scope_of(environ), Protocol(environ["wsgi.input"].read())
    profile, before = cProfile.Profile(), answered("loop")

    async def ask() -> None:
        profile.enable()
        await loop.server.__rsgi__(scope, protocol)
        profile.disable()

    loop.run(ask())
    if answered("loop") != before + 1:
        raise RuntimeError(f"{path}: answered in a thread with {protocol.status}")
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def handled(early: Game, seat: int, move: Any) -> int:
    """The calls of a move without HTTP, by the command handler."""
    handler = early.world.services.handler
    now = handler.history(early.table).table
    player, key = now.seats[seat - 1].player, Request(f"{now.version}", "")
    return calls(lambda: play(handler, early.table, Play(seat, move), player, key))


def asked(app: Flask, method: str, path: str, token: str | None = None, **body: Any) -> int:
    """The calls of one request, from the WSGI environment to the last byte of the answer; it must be answered well."""
    headers = Headers({"Authorization": f"Bearer {token}"} if token else {})
    environ = EnvironBuilder(path, method=method, headers=headers, **body).get_environ()
    statuses: list[str] = []
    count = calls(lambda: statuses.append(run_wsgi_app(app, environ, buffered=True)[1]))
    if statuses != ["200 OK"]:
        raise RuntimeError(f"{method} {path}: {statuses}")
    return count


def calls(what: Callable[[], object]) -> int:
    """The Python calls of this thread, those of built-in functions among them."""
    profile = cProfile.Profile()
    profile.enable()
    what()
    profile.disable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def least(count: Callable[[], int]) -> int:
    """The fewest calls of some, when all that is kept for a while is there."""
    return min(count() for _ in range(5))


def main() -> None:
    """Prints the figures beside the record, and exits with 1 if one has grown; with RECORD=1 writes the record anew."""
    found, record = measure(), json.loads(RECORD.read_text(encoding="utf-8"))
    for name, count in found.items():
        sys.stdout.write(f"{name:32}{count:8,}{record.get(name, count):8,}\n")
    if os.environ.get("RECORD"):
        RECORD.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    elif any(count > GROWTH * record.get(name, 0) for name, count in found.items()):
        sys.exit("A request costs more than 5 % more calls than recorded; if it is worth that: make calls RECORD=1")


if __name__ == "__main__":
    main()
