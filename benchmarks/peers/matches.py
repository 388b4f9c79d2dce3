"""Moves over the network, and secret simultaneous choices: beside boardgame.io, in memory and with FlatFile."""

import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import requests
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.engine import Luck
from benchmarks.figures import Size
from benchmarks.host import ADDRESS, DATA, TIMEOUT_S, Host, service, store
from benchmarks.http import FASTEST
from benchmarks.load import Lane, Window, drive, request
from benchmarks.peers.compared import Contender, Contest, Group, Part, Turns
from benchmarks.peers.nodes import GAMES, Driver, driver, server
from benchmarks.play import GAME, Client, Script, choice, open_for
from service.tables.playing import Play

SEATS, MOVES = 4, 168  # of a match
CHOICES = "secret choices at once"
METRICS = "of-the-benchmark"
ORDINARY = re.compile(r"/tables/<[^/]+>(/moves)?$")  # resources that are also answered on the event loop
ON_THE_LOOP = 0.95
NOTES = f"""
Four people at each table, one request under way at a table. Ours is Big Manitou with {SEATS} seats, some
{MOVES} moves of which 16 are secret and simultaneous; theirs a trick-taking game that was written for this as
its documentation says, {MOVES} moves of which 12 are. Its rules are much smaller: no tiles, no trials, no
house rules.

Ours is `POST …/moves` over HTTP/1.1: one web process or two, a Valkey with `appendfsync always`, moves chosen
beforehand, nobody listens to the stream. Theirs is what its own client speaks, an `update` over a WebSocket:
one Node.js process, each seat connected and told of every move, moves chosen from what a seat was told, the
next when all four seats know the last. So theirs pushes four views a move and ours answers with one. What
plays and what serves share the cores, on both sides.

A move of ours is on disk before it is answered. boardgame.io tells a move before FlatFile has written it, and
FlatFile does not sync; in memory nothing is kept. Ours keeps every event with hashes; boardgame.io keeps the
state and a log of actions, which FlatFile reads and writes whole at every move.

`ignoreStaleStateID` is what boardgame.io offers for simultaneous moves (`tolerant`); without it (`strict`,
its default) a choice that was made before others' arrived is refused without an answer, and has to be sent
again. Choices are measured from when the first of four is sent until all four are accepted, a table after the
other.

FlatFile needs node-persist, whose version boardgame.io leaves open. Here it is 3.1.0, because with 3.1.3 each
write waits for a timer of a second; koa-compose is held at 4.1.0, because with 4.2.0 the lobby of boardgame.io
answers 404.
"""


class Sides(NamedTuple):
    """Who is measured: ours, and boardgame.io by where it keeps matches."""

    hosts: Mapping[str, Host]
    clients: Sequence[Client]
    drivers: Mapping[str, Driver]


class Asked:
    """How many choices were sent and how many were accepted."""

    def __init__(self) -> None:
        self.sent, self.accepted = 0, 0

    def told(self, by: str) -> str:
        """In words."""
        return f"{by}: {self.sent / self.accepted:.2f} requests for each choice that was accepted"


def matches(size: Size) -> Part:
    """Moves at some numbers of tables, and choices."""
    turns = Turns(size)
    with sides() as both:
        groups = [turns.of(contest) for contest in moves(both, size)]
        chosen, told = choices(both, turns)
        share = min(share_on_the_loop(host) for host in both.hosts.values())
    notes = f"{NOTES}\n{told} The event loop answered {share:.0%} of our requests or more.\n"
    few = f"only {share:.0%} of our requests were answered on the loop" if share < ON_THE_LOOP else ""
    return Part("Moves over the network: boardgame.io", notes, [*groups, chosen], turns.yards, fault=few)


def share_on_the_loop(host: Host) -> float:
    """The share of the requests to play and to read that the event loop answered, of all processes of a host."""
    answer = requests.get(f"{host.url}/metrics", headers={"Authorization": f"Bearer {METRICS}"}, timeout=TIMEOUT_S)
    answer.raise_for_status()
    counted = {True: 0.0, False: 0.0}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            if sample.name == "wintercount_requests_total" and ORDINARY.search(sample.labels["resource"]):
                counted[sample.labels.get("lane") == "loop"] += sample.value
    return counted[True] / max(1, sum(counted.values()))


@contextmanager
def sides() -> Iterator[Sides]:
    """The services of both, on the same machine."""
    DATA.mkdir(exist_ok=True)
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(dir=DATA, prefix="benchmark-"))
        url = stack.enter_context(store())
        hosts = {
            f"{count} web": stack.enter_context(
                service(url, WINTERCOUNT_WEB_PROCESSES=count, WINTERCOUNT_METRICS_TOKEN=METRICS)
            )
            for count in ("1", "2")
        }
        drivers = {
            where: stack.enter_context(driver(stack.enter_context(server(kept))))
            for where, kept in (("in memory", None), ("FlatFile", Path(directory).resolve()))
        }
        yield Sides(hosts, [Client(hosts["1 web"], f"seat {seat}") for seat in range(1, SEATS + 1)], drivers)


def moves(both: Sides, size: Size) -> Iterator[Contest]:
    """Moves a second at so many tables at once."""
    for tables in size.tables:
        contenders, opened = [], list[Lane]()
        for where, host in both.hosts.items():
            scripts = [Script(host.handler(), both.clients, Luck(number)) for number in range(tables)]
            lanes = [Lane(ADDRESS, host.port, script) for script in scripts]
            contenders.append(Contender(f"wintercount, {where}", partial(our_moves, lanes, scripts, size), ours=True))
            opened += lanes
        for where, driven in both.drivers.items():
            contenders.append(Contender(f"boardgame.io, {where}", partial(their_moves, driven, tables, size)))
        yield Contest(f"moves over the network, {tables} at once", "moves/s", contenders)
        for lane in opened:
            lane.close()


def our_moves(lanes: Sequence[Lane], scripts: Sequence[Script], size: Size) -> Window:
    """A window of ours."""
    for script in scripts:
        script.prepare(needed(len(scripts), size))
    return drive(lanes, size.seconds)


def their_moves(driven: Driver, tables: int, size: Size) -> Window:
    """A window of boardgame.io."""
    driven.ask(open="tolerant", matches=tables * (1 + -(-needed(tables, size) // MOVES)))
    found = driven.ask(play=tables, seconds=size.seconds)
    return window_of(found)


def needed(tables: int, size: Size) -> int:
    """How many moves a table may be sent in a window."""
    return int(FASTEST * size.seconds / tables) + 2


def window_of(found: dict[str, Any]) -> Window:
    """What a driver found, in seconds."""
    return Window(found["rate"], [took / 1000 for took in found["latencies"]])


def choices(both: Sides, turns: Turns) -> tuple[Group, str]:
    """Choices accepted a second, and how many requests that took."""
    tables = turns.size.batches // 50 + 2
    asked: defaultdict[str, Asked] = defaultdict(Asked)

    contenders = []
    for where, host in both.hosts.items():
        by = f"wintercount, {where}"
        contenders.append(Contender(by, partial(our_choices, host, both.clients, tables, asked[by]), ours=True))
    for where, driven in both.drivers.items():
        for game in GAMES:
            by = f"boardgame.io, {where}, {game}"
            contenders.append(Contender(by, partial(their_choices, driven, game, tables, asked[by])))
    group = turns.of(Contest(CHOICES, "choices/s", contenders))
    return group, "; ".join(one.told(by) for by, one in asked.items()) + "."


def our_choices(host: Host, clients: Sequence[Client], tables: int, asked: Asked) -> Window:
    """Four connections that send the choices of a table at once, a table after the other.

    Each has read the table before, as a client that chooses has, and as matches of boardgame.io are in its memory.
    """
    chosen = [choices_of(host, clients, Luck(number)) for number in range(tables)]
    reads, moves = zip(*[zip(*table, strict=True) for table in chosen], strict=True)
    lanes = [Lane(ADDRESS, host.port, iter(asked)) for asked in zip(*reads, *moves, strict=True)]
    for _ in reads:
        all_at_once(lanes)
    taken_s = [all_at_once(lanes) for _ in moves]
    for lane in lanes:
        lane.close()
    asked.sent, asked.accepted = asked.sent + SEATS * tables, asked.accepted + SEATS * tables
    return Window(SEATS * tables / sum(taken_s), taken_s)


def choices_of(host: Host, clients: Sequence[Client], luck: Luck) -> list[tuple[bytes, bytes]]:
    """The choices of the four seats with which a game begins, in seat order: requests that read the table, and move."""
    table = open_for(host.handler(), [client.player for client in clients])
    asked: dict[int, Play] = {}
    while len(asked) < SEATS:
        one = choice(table, luck)
        asked[one.seat] = one
    path = f"/v1/tables/{table.id}"
    return [
        (
            request("GET", path, clients[seat - 1].token),
            request(
                "POST",
                f"{path}/moves",
                clients[seat - 1].token,
                msgspec.json.encode({"game": GAME, "seat": seat, "decision": one.decision, "move": one.move}),
            ),
        )
        for seat, one in sorted(asked.items())
    ]


def all_at_once(lanes: Sequence[Lane]) -> float:
    """Sends the next request of every connection; the seconds until all are answered. Raises if one is refused."""
    begun = time.perf_counter()
    for lane in lanes:
        lane.send()
    for lane in lanes:
        while lane.receive() is None:
            pass
    return time.perf_counter() - begun


def their_choices(driven: Driver, game: str, tables: int, asked: Asked) -> Window:
    """The same at boardgame.io, where what was refused is sent again."""
    driven.ask(open=game, matches=tables)
    found = driven.ask(bid=True)
    asked.sent, asked.accepted = asked.sent + found["sent"], asked.accepted + found["accepted"]
    return window_of(found)
