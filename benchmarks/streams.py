"""Event streams over busy tables: how long after its append a frame is there."""

import re
import time
from datetime import datetime
from itertools import repeat

from benchmarks.cost import MOVES_S
from benchmarks.engine import Luck
from benchmarks.figures import Figures, Size, percentile_ms
from benchmarks.host import ADDRESS, Host, service
from benchmarks.load import Lane, drive, request
from benchmarks.play import MOST_PLAYERS, Client, Script

STREAMS = 10  # of a table
RECORDED = re.compile(rb'"at":"([^"]+)"')


class Ear(Lane):
    """A stream of a table: notes how long ago each event was recorded whose frame comes."""

    def __init__(self, host: Host, path: str, token: str) -> None:
        asked = request("GET", path, token).replace(b"\r\n", b"\r\nAccept: text/event-stream\r\n", 1)
        super().__init__(ADDRESS, host.port, repeat(asked))
        self.delays_s: list[float] = []
        self.send()

    def receive(self) -> None:
        """Reads what has come."""
        if not (part := self.socket.recv(1 << 16)):
            raise ConnectionError("the service ended a stream")
        now = time.time()
        self.delays_s += [now - datetime.fromisoformat(at.decode()).timestamp() for at in RECORDED.findall(part)]


def streams(redis_url: str, size: Size) -> Figures:
    """The delay from append to frame while moves flow."""
    tables = size.tables[-1]
    with service(redis_url, WINTERCOUNT_STREAMS="2000", WINTERCOUNT_STREAMS_PER_CLIENT="1000") as host:
        clients = [Client(host, f"seat {seat}") for seat in range(1, MOST_PLAYERS + 1)]
        handler = host.handler()
        scripts = [Script(handler, clients[: 2 + number % 4], Luck(number)) for number in range(tables)]
        needed = int((size.rounds + 1) * MOVES_S * size.seconds / tables) + 2
        ears = []
        for script in scripts:
            script.prepare(1)
            path = f"/v1/tables/{script.table}/events"
            ears += [Ear(host, path, clients[number % 2].token) for number in range(STREAMS)]
            script.prepare(needed)
        lanes = [Lane(ADDRESS, host.port, script) for script in scripts]
        drive(lanes, size.seconds, rate=MOVES_S, ears=ears)
        for ear in ears:
            ear.delays_s.clear()  # what had happened before among them
        found = drive(lanes, size.rounds * size.seconds, rate=MOVES_S, ears=ears)
        for lane in (*lanes, *ears):
            lane.close()
    delays = [delay for ear in ears for delay in ear.delays_s]
    row = {
        "": f"{len(ears)} streams of {tables} tables",
        "moves/s": found.rate,
        "frames": len(delays),
        "delay p50 ms": percentile_ms(delays, 50),
        "delay p99 ms": percentile_ms(delays, 99),
        "move p99 ms": percentile_ms(found.latencies_s, 99),
    }
    note = (
        f"{STREAMS} event streams of each table while at most {MOVES_S:.0f} moves a second are made. A delay lasts "
        "from the time that stands in an event, in whole milliseconds, until its frame has come."
    )
    return Figures("From append to frame", note, [row])
