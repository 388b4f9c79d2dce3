"""Moves of players beside two hundred hostile connections of a kind, and the memory that the web process then holds."""

import contextlib
from typing import Any, NamedTuple

import psutil

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size, percentile_ms
from benchmarks.host import ADDRESS, Host, service
from benchmarks.load import Lane, drive, request
from benchmarks.play import MOST_PLAYERS, Client, Script, play_to
from benchmarks.swarm import attack, sources

DEFAULTS = {
    "WINTERCOUNT_WORK_MS": "30000",
    "WINTERCOUNT_ACCOUNTS": "60",
    "WINTERCOUNT_CHANGES": "3000",
    "WINTERCOUNT_KEPT_TABLES": "100",  # what they take comes on top of the bound
}  # the service's own budgets but for the last
TABLES = 10  # at which moves are played
LONGER = 2  # times as long as other windows: one in a hundred moves has to be more than one or two
FASTEST = 2000  # moves a second for which moves are prepared
MOST_MIB = 512  # the bound that docs/operating.md promises
SLOW = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"
LARGE = b"POST /v1/archives HTTP/1.1\r\nHost: x\r\nContent-Length: 33000000\r\n\r\n" + b"x" * 65536


class Players(NamedTuple):
    """The connections of those who play, and their moves."""

    lanes: list[Lane]
    scripts: list[Script]


def hostile(redis_url: str, size: Size) -> Figures:
    """The p99 of moves with and without each attack, by turns."""
    with service(redis_url, **DEFAULTS) as host:
        handler = host.handler()
        clients = [Client(host, f"seat {seat}") for seat in range(1, MOST_PLAYERS + 1)]
        table = play_to(handler, [client.player for client in clients], size.events, Luck(1)).id
        scripts = [Script(handler, clients[: 2 + number % 4], Luck(number)) for number in range(TABLES)]
        lanes = [Lane(ADDRESS, host.port, script) for script in scripts]
        rows = [row(host, size, one, Players(lanes, scripts)) for one in attacks(table, clients[0].token).items()]
        for lane in lanes:
            lane.close()
    aims = [Aim(f"p99 of moves beside {found['']}, times that without", found["ratio"], 2, most=True) for found in rows]
    aims.append(Aim("MiB held by the web process", max(found["MiB"] for found in rows), MOST_MIB, most=True))
    note = (
        f"{size.hostile} connections from another address, or each from one of its own, that send again when they are "
        f"answered or ended, beside players at {TABLES} tables; both measured by turns, the p99 over all windows of "
        "a kind."
    )
    return Figures("Moves beside hostile clients", note, rows, aims)


class Attack(NamedTuple):
    """What each connection sends, and whether each comes from an address of its own."""

    sent: bytes
    each_its_own: bool = False


def attacks(table: str, token: str) -> dict[str, Attack]:
    """The kinds of connections."""
    seats = b'[{"kind": "me"}' + b', {"kind": "ai", "level": "expert"}' * 4 + b"]"
    expensive = request("GET", f"/v1/tables/{table}/diff?from=1")
    return {
        "expensive reads": Attack(expensive),
        "expensive reads, an address each": Attack(expensive, each_its_own=True),
        "lists, an address each": Attack(request("GET", "/v1/tables"), each_its_own=True),
        "slow bodies": Attack(SLOW),
        "large bodies": Attack(LARGE),
        "idle": Attack(b""),
        "accounts": Attack(request("POST", "/v1/players", None, b'{"name": "Mallory"}')),
        "tables": Attack(request("POST", "/v1/tables", token, b'{"game": "big-manitou", "seats": ' + seats + b"}")),
    }


def row(host: Host, size: Size, attacked_by: tuple[str, Attack], players: Players) -> dict[str, Any]:
    """The figures of one attack."""
    (kind, how), (lanes, scripts) = attacked_by, players
    seconds = LONGER * size.seconds
    calm_s: list[float] = []
    attacked_s: list[float] = []
    for _ in range(size.rounds):
        for taken_s, context in (
            (calm_s, contextlib.nullcontext()),
            (attacked_s, attack(host.port, how.sent, sources(size.hostile, each_its_own=how.each_its_own))),
        ):
            for script in scripts:
                script.prepare(int(FASTEST * seconds / TABLES) + 2)
            with context:
                taken_s.extend(drive(lanes, seconds).latencies_s)
    attacked, calm = (percentile_ms(taken_s, 99) for taken_s in (attacked_s, calm_s))
    return {
        "": kind,
        "moves": len(attacked_s),
        "p99 ms": attacked,
        "p99 ms without": calm,
        "ratio": attacked / calm,
        "MiB": memory_mib(host.port),
    }


def memory_mib(port: int) -> float:
    """What the process that listens on the port has in memory, with those that it started."""
    listening = next(
        one.pid
        for one in psutil.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN and tuple(one.laddr)[1:] == (port,) and one.pid
    )
    parent = psutil.Process(listening)
    found = [parent, *parent.children(recursive=True)]
    return max(one.memory_info().rss for one in found) / 2**20
