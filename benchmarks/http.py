"""Over HTTP: moves beside the least that a durable move could do, and reads beside a constant answer."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.engine import Luck
from benchmarks.figures import Aim, Figures, Size, median, percentile_ms
from benchmarks.host import ADDRESS, Host, service
from benchmarks.load import Lane, Window, drive, request
from benchmarks.play import MOST_PLAYERS, Client, Script, handler_on, play_to
from events.envelopes import Recorded, fields_from_event
from events.log import Log

FASTEST = 6000  # moves a second for which moves are prepared
READERS = (1, 10)  # connections that read
PROJECTED = "with dispatcher and projections"


class Pair(NamedTuple):
    """Windows of what is measured and of its floor, by turns."""

    measured: list[Window]
    floor: list[Window]

    @property
    def ratio(self) -> float:
        """The share of its floor's throughput that it reaches: the median of all pairs of windows."""
        return median([m.rate / f.rate for m, f in zip(self.measured, self.floor, strict=True)])


def interleaved(
    lanes: Sequence[Lane], floor: Sequence[Lane], size: Size, prepare: Callable[[], Any], name: str
) -> Pair:
    """Measures both by turns, after one window of each that does not count."""
    pair = Pair([], [])
    for turn in tqdm(range(size.rounds + 1), desc=name, unit="round", leave=False):
        prepare()
        floor_window, window = drive(floor, size.seconds), drive(lanes, size.seconds)
        if turn:
            pair.floor.append(floor_window)
            pair.measured.append(window)
    for lane in (*lanes, *floor):
        lane.close()
    return pair


def row_of(name: str | int, pair: Pair, what: str, floor: str) -> dict[str, Any]:
    """The figures of a pair."""
    taken = [took for window in pair.measured for took in window.latencies_s]
    bare = [took for window in pair.floor for took in window.latencies_s]
    return {
        "": name,
        f"{what}/s": median([window.rate for window in pair.measured]),
        f"{floor}/s": median([window.rate for window in pair.floor]),
        "ratio": pair.ratio,
        f"{what} p50 ms": percentile_ms(taken, 50),
        f"{what} p99 ms": percentile_ms(taken, 99),
        f"{floor} p50 ms": percentile_ms(bare, 50),
        f"{floor} p99 ms": percentile_ms(bare, 99),
    }


def moves(redis_url: str, size: Size) -> Figures:
    """Moves a second at some numbers of tables, beside the floor."""
    with service(redis_url) as host:
        pairs = {str(tables): move_pair(host, tables, size) for tables in size.tables}
    most = f"{size.tables[-1]}"
    with service(redis_url, "dispatch") as host:
        pairs[f"{most}, {PROJECTED}"] = move_pair(host, size.tables[-1], size)
    rows = [row_of(name, pair, "moves", "floor") for name, pair in pairs.items()]
    aims = [
        Aim("share of its floor that a move reaches", min(pairs[str(tables)].ratio for tables in size.tables), 0.5),
        Aim(f"moves a second at {most} tables", rows[len(size.tables) - 1]["moves/s"], 1000, yard="plain"),
    ]
    note = (
        "Tables of Big Manitou with 2 to 5 people, one request under way at each; moves are chosen beforehand. The "
        "floor is `POST /floor` of the same web process: it reads a body of the same size strictly and adds one entry "
        "of as many bytes as a move adds, with the same `appendfsync always`. Both are measured by turns."
    )
    return Figures("Moves over HTTP, by tables played at once", note, rows, aims)


def move_pair(host: Host, tables: int, size: Size) -> Pair:
    """Moves at so many tables, beside the floor."""
    handler = host.handler()
    clients = [Client(host, f"seat {seat}") for seat in range(1, MOST_PLAYERS + 1)]
    scripts = [Script(handler, clients[: 2 + number % 4], Luck(number)) for number in range(tables)]
    lanes = [Lane(ADDRESS, host.port, script) for script in scripts]
    floor = [Lane(ADDRESS, host.port, repeat(floor_request(handler.log, clients))) for _ in range(tables)]
    needed = int(FASTEST * size.seconds / tables) + 2

    def prepare() -> None:
        for script in tqdm(scripts, desc="preparing", unit="table", leave=False):
            script.prepare(needed)

    return interleaved(lanes, floor, size, prepare, f"moves at {tables}")


def floor_request(log: Log, clients: Sequence[Client]) -> bytes:
    """A request to the floor: as large as a move's, for an entry as large as all that a move adds on average."""
    table = play_to(handler_on(log), [client.player for client in clients], 100, Luck(1))
    events = [event for event in log.read(table.id) if "move" in event.envelope.secrets or event.version > 20]
    batches = {event.envelope.batch for event in events}
    body = msgspec.json.encode({"seat": 1, "decision": "100-1", "move": _a_move(events)})
    return request("POST", f"/floor/{sum(map(stored, events)) // len(batches)}", clients[0].token, body)


def _a_move(events: Sequence[Recorded]) -> Any:
    return next(event.sealed["move"].value for event in reversed(events) if "move" in event.sealed)


def stored(event: Recorded) -> int:
    """How many bytes the entry of an event has."""
    return sum(len(name) + len(value) for name, value in fields_from_event(event).items())


def reads(redis_url: str, size: Size) -> Figures:
    """The table now and at random versions, beside a constant answer."""
    with service(redis_url) as host:
        clients = [Client(host, f"reader {seat}") for seat in range(1, MOST_PLAYERS + 1)]
        table = play_to(host.handler(), [client.player for client in clients], size.events, Luck(1))
        path, token = f"/v1/tables/{table.id}", clients[0].token
        asked: dict[str, Iterator[bytes]] = {
            "now": repeat(request("GET", path, token)),
            f"at any of {table.version} versions": at_random(path, table.version, token),
        }
        pairs = {
            f"{name}, {readers} at once": read_pair(host, requests, readers, size, name)
            for name, requests in asked.items()
            for readers in READERS
        }
    rows = [row_of(name, pair, "reads", "constant") for name, pair in pairs.items()]
    note = "`GET /v1/tables/…` as a seat sees it, over one connection and over ten, beside a constant answer."
    then = rows[len(READERS)]
    aims = [
        Aim("the table at any version, p99 in ms", then["reads p99 ms"], 10, most=True, yard="plain"),
        Aim("share of a constant answer that reads reach", min(row["ratio"] for row in rows), 0.5),
    ]
    return Figures("Reading a table over HTTP", note, rows, aims)


def read_pair(host: Host, requests: Iterator[bytes], readers: int, size: Size, name: str) -> Pair:
    """One kind of read beside a constant answer."""
    lanes = [Lane(ADDRESS, host.port, requests) for _ in range(readers)]
    floor = [Lane(ADDRESS, host.port, repeat(request("GET", "/floor"))) for _ in range(readers)]
    return interleaved(lanes, floor, size, lambda: None, name)


def at_random(path: str, versions: int, token: str) -> Iterator[bytes]:
    """Reads of a table at random versions."""
    rng = random.Random(1)
    while True:
        yield request("GET", f"{path}?at={rng.randint(1, versions)}", token)
