"""What a move costs all processes together, beside a bare Flask service: `make cost`.

A client plays as the clients of this API do: the seat to act reads its legal moves and plays, two other seats read the
table, and a third one reads the events since. So a move is 4 GET and 1 POST.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, cycle
from typing import NamedTuple

import psutil
from flask import Flask, Response, jsonify, request
from granian.constants import Interfaces
from granian.server import Server as Granian

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size
from benchmarks.host import ADDRESS, Host, launched, service, store
from benchmarks.http import FASTEST, floor_request
from benchmarks.load import Lane, drive
from benchmarks.load import request as asked
from benchmarks.play import Client, Script
from events.store import connect
from projections import lobby_rows
from projections.store import current

MOVES_S = 200.0  # a second, at most: what dispatcher and projections cost a move depends on it
SEATS = 4
REQUESTS = 5  # a move
PATIENCE_S, LOOK_S = 60.0, 0.1
BARE = "bare Flask with one XADD"


class Playing(Script):
    """Moves as they are sent, each with what the seats read besides."""

    def _requests_of(self, table: str, version: int, seat: int, move: bytes) -> list[bytes]:
        first, second, third = [self._clients[(seat + n) % SEATS].token for n in range(3)]
        path, own = f"/v1/tables/{table}", self._clients[seat - 1].token
        return [
            asked("GET", f"{path}/moves", own),
            move,
            asked("GET", path, first),
            asked("GET", path, second),
            asked("GET", f"{path}/events?after={version}", third),
        ]


class Side(NamedTuple):
    """Who is measured: the processes by what they do, and the connections to them."""

    processes: dict[str, int]
    lanes: list[Lane]


def cost(redis_url: str, size: Size) -> Figures:
    """Measures the processor time of a move, of our service and of a bare one in turn."""
    with store() as other, service(redis_url, "dispatch", "worker") as host, bare(other) as floor:
        scripts, clients = scripts_at(host, size.tables[-1])
        web, dispatcher, worker = host.processes
        ours = Side(
            {"web": web, "dispatcher and projections": dispatcher, "worker": worker, "store": store_of(redis_url)},
            [Lane(ADDRESS, host.port, script) for script in scripts],
        )
        post = floor_request(host.log(), clients)
        read = asked("GET", "/floor", clients[0].token)
        bares = Side(
            {"web": floor.processes[0], "store": store_of(other)},
            [Lane(ADDRESS, floor.port, cycle([read, post, read, read, read])) for _ in scripts],
        )
        found = taken_ms(host, ours, bares, scripts, size)
        for lane in (*ours.lanes, *bares.lanes):
            lane.close()
    return figures(found, len(scripts))


def figures(found: Sequence[tuple[dict[str, float], float]], tables: int) -> Figures:
    """The table of what was found: for each side, milliseconds a move by process, and moves a second."""
    totals = [sum(side.values()) for side, _ in found]
    rows = [
        {"": f"{who}: {what}", "ms a move": ms, "share": ms / total}
        for who, (side, _), total in zip(("wintercount", BARE), found, totals, strict=True)
        for what, ms in (*side.items(), ("all", total))
        if ms
    ]
    note = (
        f"Processor time of all processes, at {tables} tables of Big Manitou with {SEATS} seats and at most "
        f"{MOVES_S:.0f} moves a second, until the lobby has every move; reached were {found[0][1]:.0f} and "
        f"{found[1][1]:.0f}. For a move a client sends 4 GET and 1 POST: the seat to act reads its legal moves and "
        "plays, two seats read the table, and one the events since. The bare service is Flask on granian, which "
        "answers 4 constants and adds one entry of as many bytes as a move adds, to a store with the same settings."
    )
    aims = [
        Aim("times the cost of the bare service", totals[0] / totals[1], 1.8, most=True),
        Aim(
            "dispatcher and projections, ms a move",
            found[0][0]["dispatcher and projections"],
            0.4,
            most=True,
            yard="plain",
        ),
    ]
    return Figures("What a move costs all processes", note, rows, aims)


def scripts_at(host: Host, tables: int) -> tuple[list[Script], list[Client]]:
    """What is sent at so many tables, and who sends it."""
    clients = [Client(host, f"seat {seat}") for seat in range(1, SEATS + 1)]
    handler = host.handler()
    return [Playing(handler, clients, Luck(number)) for number in range(tables)], clients


def taken_ms(
    host: Host, ours: Side, bares: Side, scripts: list[Script], size: Size
) -> list[tuple[dict[str, float], float]]:
    """Milliseconds of processor time a move by process, and moves a second: of ours and of the bare service.

    The system reports processor time in hundredths of a second: windows go on until it has some of every web process.
    """
    taken = [dict.fromkeys(side.processes, 0.0) for side in (ours, bares)]
    moves, seconds = [0.0, 0.0], [0.0, 0.0]
    for turn in count():
        if turn > size.rounds and all(side["web"] for side in taken):
            break
        for script in scripts:
            script.prepare(REQUESTS * (int(FASTEST * size.seconds / len(scripts) / REQUESTS) + 2))
        for side, of in enumerate((ours, bares)):
            wait_until_listed(host)
            before, begun = used_s(of), time.perf_counter()
            found = drive(of.lanes, size.seconds, rate=MOVES_S * REQUESTS)
            lasted = time.perf_counter() - begun
            wait_until_listed(host)
            if turn:  # the first window does not count
                moves[side] += found.answers / REQUESTS
                seconds[side] += lasted
                after = used_s(of)
                for name in before:
                    taken[side][name] += after[name] - before[name]
    return [
        ({name: 1000 * spent / moved for name, spent in side.items()}, moved / lasted)
        for side, moved, lasted in zip(taken, moves, seconds, strict=True)
    ]


def used_s(side: Side) -> dict[str, float]:
    """Processor time so far, by process and with its children."""
    return {name: _with_children(process) for name, process in side.processes.items()}


def _with_children(process: int) -> float:
    found = psutil.Process(process)
    times = [one.cpu_times() for one in (found, *found.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


def store_of(redis_url: str) -> int:
    """The process of a store."""
    return int(connect(redis_url).info("server")["process_id"])


def wait_until_listed(host: Host) -> None:
    """Waits until the lobby has every move."""
    rows, end = current(host.log(), lobby_rows.NAME), time.monotonic() + PATIENCE_S
    while not rows.is_complete():
        if time.monotonic() > end:
            raise TimeoutError("the projections do not catch up")
        time.sleep(LOOK_S)


@contextmanager
def bare(redis_url: str) -> Iterator[Host]:
    """The bare service, on a store of its own."""
    with launched(redis_url, [["benchmarks.cost"]]) as host:
        yield host


def application() -> Flask:
    """The bare service's app."""
    app, client = Flask("bare"), connect(os.environ["WINTERCOUNT_REDIS_URL"])

    @app.get("/floor")
    @app.get("/readyz")
    def get_floor() -> Response:
        return jsonify(status="alive")

    @app.post("/floor/<int:size>")
    def post_floor(size: int) -> Response:
        client.xadd("benchmarks:floor", {"e": b"x" * size})
        return jsonify(request.get_json())

    return app


if __name__ == "__main__":
    Granian(
        "benchmarks.cost:application",
        factory=True,
        port=int(os.environ["WINTERCOUNT_PORT"]),
        interface=Interfaces.WSGI,
        blocking_threads=8,
        log_enabled=False,
    ).serve()
