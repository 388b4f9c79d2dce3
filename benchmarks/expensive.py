"""Moves beside others: clients that ask for the most expensive reads of a whole game, or for the past of a table."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

import requests
from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size, median, percentile_ms
from benchmarks.host import ADDRESS, TIMEOUT_S, Host, service
from benchmarks.http import FASTEST, at_random
from benchmarks.load import Answer, Lane, Window, drive, request
from benchmarks.play import MOST_PLAYERS, Client, Script, play_to

TABLES = 10  # at which moves are made meanwhile
PAST = 4


class Asking(Lane):
    """A connection whose requests may be told to come again later."""

    def __init__(self, *lane: Any) -> None:
        super().__init__(*lane)
        self.answered = self.refused = 0

    def check(self, answer: Answer) -> None:
        """Counts; raises if it is another refusal than `too_busy`, or that of a value that is looked for in vain."""
        if answer.status == 503:
            self.refused += 1
            return
        if answer.status != 404:
            super().check(answer)
        self.answered += 1


def expensive(redis_url: str, size: Size) -> Figures:
    """The time that a move takes alone, and beside those clients."""
    with service(redis_url) as host:
        moving, scripts = lanes_of_moves(host)
        past, asking = lanes_of_reads(host, size)
        found = windows(moving, scripts, past, size), windows(moving, scripts, asking, size)
        for lane in (*asking, *past, *moving):
            lane.close()
    answered = sum(lane.answered for lane in asking)
    names = ("alone", f"beside {PAST} that read `?at=`", "alone", f"beside {size.asking} that ask")
    rows = [_row(name, kind) for name, kind in zip(names, (*found[0], *found[1]), strict=True)]
    alone, beside_past, alone_again, beside = [row["moves p99 ms"] for row in rows]
    note = (
        f"Moves at {TABLES} tables, one under way at each, alone and beside {size.asking} clients that ask for "
        "difference, blame, search, audit, archive, readjudication and comparison of a finished table without a pause, "
        f"by turns. Of what they asked {answered} were answered, {sum(lane.refused for lane in asking)} told to come "
        f"again. Another turn is beside {PAST} connections that read that table at random versions without a pause, "
        f"each of which keeps a thread busy."
    )
    aims = [
        Aim("p99 of a move, times that alone", beside / alone_again, 2, most=True),
        Aim("the same beside `?at=`", beside_past / alone, 2, most=True),
    ]
    return Figures("Moves beside expensive reads", note, rows, aims)


def windows(
    moving: Sequence[Lane], scripts: Sequence[Script], others: Sequence[Lane], size: Size
) -> tuple[list[Window], list[Window]]:
    """Windows of moves alone and beside the others, by turns, after one of each that does not count."""
    alone, beside = list[Window](), list[Window]()
    for turn in tqdm(range(size.rounds + 1), desc="beside other requests", unit="round", leave=False):
        for script in scripts:
            script.prepare(2 * (int(FASTEST * size.seconds / TABLES) + 2))
        found = drive(moving, size.seconds), drive(moving, size.seconds, others)
        if turn:
            alone.append(found[0])
            beside.append(found[1])
    return alone, beside


def lanes_of_moves(host: Host) -> tuple[list[Lane], list[Script]]:
    """A connection a table."""
    handler = host.handler()
    clients = [Client(host, f"seat {seat}") for seat in range(1, MOST_PLAYERS + 1)]
    scripts = [Script(handler, clients[: 2 + number % 4], Luck(number)) for number in range(TABLES)]
    return [Lane(ADDRESS, host.port, script) for script in scripts], scripts


def lanes_of_reads(host: Host, size: Size) -> tuple[list[Lane], list[Asking]]:
    """Those that read the past, and a connection a client, each of which begins with another expensive read."""
    clients = [Client(host, f"reader {number}") for number in range(size.asking)]
    players = [client.player for client in clients[:MOST_PLAYERS]]
    table = play_to(host.handler(), players, 100 * size.events, Luck(1))
    branch = _branch(host, table.id, table.version // 2, clients[0].token)
    paths = _reads(f"/v1/tables/{table.id}", branch)
    asking = [
        Asking(ADDRESS, host.port, _requests(islice(cycle(paths), number % len(paths), None), client.token))
        for number, client in enumerate(clients)
    ]
    past = at_random(f"/v1/tables/{table.id}", table.version, clients[0].token)
    return [Lane(ADDRESS, host.port, past) for _ in range(PAST)], asking


def _branch(host: Host, table: str, version: int, token: str) -> str:
    body = {"version": version, "seats": [{"kind": "ai", "level": "uniform"}] * MOST_PLAYERS}
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.post(f"{host.url}/v1/tables/{table}/forks", json=body, headers=headers, timeout=TIMEOUT_S)
    answer.raise_for_status()
    found: str = answer.json()["id"]
    return found


def _reads(path: str, branch: str) -> list[tuple[str, str, bytes]]:
    """Method, path and body of the most expensive question of each kind."""
    return [
        ("GET", f"{path}/diff?from=1&to=400", b""),
        ("GET", f"{path}/blame?path=/table", b""),
        ("GET", f"{path}/find?path=/view/phase&value=%22never%22", b""),
        ("GET", f"{path}/audit", b""),
        ("GET", f"{path}/archive", b""),
        ("POST", f"{path}/readjudications", b'{"options":{"runner_up_share":"rest"}}'),
        ("GET", f"{path}/comparison?with={branch}", b""),
    ]


def _requests(reads: Iterator[tuple[str, str, bytes]], token: str) -> Iterator[bytes]:
    return (request(method, path, token, body) for method, path, body in reads)


def _row(name: str, windows: Sequence[Window]) -> dict[str, Any]:
    taken = [took for window in windows for took in window.latencies_s]
    return {
        "": name,
        "moves/s": median([window.rate for window in windows]),
        "moves p50 ms": percentile_ms(taken, 50),
        "moves p99 ms": percentile_ms(taken, 99),
    }
