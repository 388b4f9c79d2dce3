"""What it costs to wait for a replica: appends on a cluster, acknowledged by its primaries and by its replicas."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.figures import Figures, Size, percentile_ms
from benchmarks.log import played_batches
from events.log import PARTITIONS, Batch, partition_of
from events.scripts import LOCAL, REPLICA
from events.store import RedisLog, connect
from tools.cluster import running

WRITERS = (1, 8)  # at the same time, each at tables of its own


def cluster(_: str, size: Size) -> Figures:
    """Batches a second, and how long one takes, by who acknowledges them and how many write at the same time."""
    played = played_batches(size.batches)
    with running() as found:
        rows = [row for writers in WRITERS for row in _both(found.url, writers, played, size.rounds)]
    note = (
        "Three primaries and three replicas on the same two cores, `appendfsync always` everywhere; the batches of "
        "random games, one connection a writer. `replica` waits in the same trip until a replica has the batch on disk."
    )
    return Figures("Appends on a cluster, by `WINTERCOUNT_ACK`", note, rows, [])


def _both(url: str, writers: int, played: list[tuple[str, Batch]], rounds: int) -> list[dict[str, Any]]:
    """The rows of either kind of acknowledgement, measured by turns: what else the machine does meets both."""
    taken: dict[str, list[float]] = {LOCAL: [], REPLICA: []}
    spent = dict.fromkeys(taken, 0.0)
    for by in rounds * (LOCAL, REPLICA):
        begun = time.perf_counter()
        taken[by] += _appending(url, by, writers, played)
        spent[by] += time.perf_counter() - begun
    return [
        {
            "": f"{by}, {writers} at a time",
            "batches/s": len(taken[by]) / spent[by],
            "p50 ms": percentile_ms(taken[by], 50),
            "p99 ms": percentile_ms(taken[by], 99),
        }
        for by in taken
    ]


def _appending(url: str, acknowledged_by: str, writers: int, played: list[tuple[str, Batch]]) -> list[float]:
    """Seconds that each append took, to an empty store."""
    with contextlib.closing(connect(url, acknowledged_by)) as client, ThreadPoolExecutor(writers) as pool:
        client.flushall(target_nodes=client.PRIMARIES)
        log = RedisLog(client, PARTITIONS)
        shares = [[one for one in played if partition_of(one[0], writers) == number] for number in range(writers)]
        return [latency for share in pool.map(lambda share: _append(log, share), shares) for latency in share]


def _append(log: RedisLog, share: list[tuple[str, Batch]]) -> list[float]:
    """Seconds that each append took."""
    taken = []
    for table, batch in share:
        begun = time.perf_counter()
        log.append(table, batch)
        taken.append(time.perf_counter() - begun)
    return taken
