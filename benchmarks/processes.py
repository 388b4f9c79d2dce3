"""More processes: what a second web process brings, and what a move costs the processes that follow beside its own."""

import time
from itertools import count

import psutil

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size
from benchmarks.host import ADDRESS, Host, service
from benchmarks.http import FASTEST, interleaved, row_of
from benchmarks.load import Lane, drive
from benchmarks.play import MOST_PLAYERS, Client, Script
from projections import lobby
from projections.store import current

PATIENCE_S = 60.0
LOOK_S = 0.1


def processes(redis_url: str, size: Size) -> Figures:
    """Moves a second with two web processes on a port, beside one."""
    with service(redis_url) as one, service(redis_url, WINTERCOUNT_WEB_PROCESSES="2") as two:
        both = [lanes(host, size) for host in (two, one)]
        scripts = [script for _, made in both for script in made]

        def prepare() -> None:
            for script in scripts:
                script.prepare(needed(size))

        pair = interleaved(both[0][0], both[1][0], size, prepare, "web processes")
    note = (
        f"{size.tables[-1]} tables of Big Manitou at once, by turns at a server of two web processes and at one of one."
    )
    return Figures("A second web process", note, [row_of("moves", pair, "two", "one")])


def following(redis_url: str, size: Size) -> Figures:
    """The processor time that a move takes of the web process, and of dispatcher and projections together."""
    with service(redis_url, "dispatch") as host:
        driven, scripts = lanes(host, size)
        web, beside = taken_s(host, driven, scripts, size)
        for lane in driven:
            lane.close()
    rows = [
        {"": "web process", "ms a move": 1000 * web, "share": 1.0},
        {"": "dispatcher and projections", "ms a move": 1000 * beside, "share": beside / web},
    ]
    note = f"Processor time at {size.tables[-1]} tables of Big Manitou at once, until the lobby tells of every move."
    aims = [Aim("share of a move's cost that dispatcher and projections take", beside / web, 0.2, most=True)]
    return Figures("What a move costs each process", note, rows, aims)


def lanes(host: Host, size: Size) -> tuple[list[Lane], list[Script]]:
    """A connection for each table of a host, and what they send."""
    clients = [Client(host, f"seat {seat}") for seat in range(1, MOST_PLAYERS + 1)]
    handler = host.handler()
    scripts = [Script(handler, clients[: 2 + number % 4], Luck(number)) for number in range(size.tables[-1])]
    return [Lane(ADDRESS, host.port, script) for script in scripts], scripts


def needed(size: Size) -> int:
    """How many moves a table may be sent in a window."""
    return int(FASTEST * size.seconds / size.tables[-1]) + 2


def taken_s(host: Host, driven: list[Lane], scripts: list[Script], size: Size) -> tuple[float, float]:
    """Seconds of processor time a move: of the web process, and of those beside it.

    The system tells of processor time in hundredths of a second: windows go on until it has told of both.
    """
    moves, taken = 0, [0.0, 0.0]
    for turn in count():
        if turn > size.rounds and all(taken):
            break
        for script in scripts:
            script.prepare(needed(size))
        _wait_until_told(host)
        before = used_s(host)
        found = drive(driven, size.seconds)
        _wait_until_told(host)
        if turn:  # the first window does not count
            moves += len(found.latencies_s) + len(driven)  # each connection has one answer more
            taken = [had + now - then for had, now, then in zip(taken, used_s(host), before, strict=True)]
    return taken[0] / moves, taken[1] / moves


def used_s(host: Host) -> tuple[float, float]:
    """Processor time so far of the web processes, and of those beside them."""
    web, *others = (_with_children(process) for process in host.processes)
    return web, sum(others)


def _with_children(process: int) -> float:
    found = psutil.Process(process)
    times = [one.cpu_times() for one in (found, *found.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


def _wait_until_told(host: Host) -> None:
    """Waits until the lobby tells of every move."""
    store, end = current(host.log(), lobby.NAME), time.monotonic() + PATIENCE_S
    while not store.is_complete():
        if time.monotonic() > end:
            raise TimeoutError("the projections do not catch up")
        time.sleep(LOOK_S)
