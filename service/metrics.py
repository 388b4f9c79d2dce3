"""Metrics of the web processes, of the log, and of the workers, whose counts are in the store.

If the environment names a directory when prometheus_client is imported, each web process writes its figures to files
there, and any of them can add these up.
"""

import contextlib
import os
import struct
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from events.store import RedisLog
from projections.due_timers import all_timers
from projections.runner import PROJECTIONS
from projections.store import all_current
from service.command_handler import CommandHandler
from service.config import SHARED_METRICS

REQUESTS = Counter("wintercount_requests", "Requests answered", ("lane", "method", "resource", "status"))
SECONDS = Histogram(
    "wintercount_request_seconds",
    "Time to answer",
    ("method", "resource"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
TRIES, PAUSE_S = 100, 0.01  # to read a file that another process is just creating
LIVE_GAUGES = "gauge_live*.db"  # files that count only while their process lives
answered = cache(REQUESTS.labels)  # by lane, method, resource and status; finding labels takes longer than counting
seconds = cache(SECONDS.labels)  # by method and resource
STREAMS = Gauge("wintercount_streams", "Event streams open", multiprocess_mode="livesum")
LATEST: Final = "livemostrecent"  # of several web processes, the latest figure counts
BATCHES = Gauge("wintercount_batches", "Batches in the log", multiprocess_mode=LATEST)
DUE = Gauge("wintercount_due", "Due turns and clocks", multiprocess_mode=LATEST)
OLDEST_DUE = Gauge("wintercount_oldest_due_seconds", "Time since the oldest of these was due", multiprocess_mode=LATEST)
BEHIND = Gauge("wintercount_projections_behind", "Batches that lists and standings lack", multiprocess_mode=LATEST)


def update_log_metrics(handler: CommandHandler) -> None:
    """Updates the figures of the log."""
    now = handler.now_ms()
    ends = handler.log.feed_ends()
    due = [entry.at_ms for entry in all_timers(handler.log) if entry.at_ms <= now]
    BATCHES.set(sum(ends.values()))
    DUE.set(len(due))
    OLDEST_DUE.set((now - min(due, default=now)) / 1000)
    if isinstance(handler.log, RedisLog):
        BEHIND.set(_behind(handler.log))


def dispatcher_lag(now_ms: int, log: RedisLog) -> dict[str, float]:
    """Returns how long the oldest timer has been due, in seconds, and how many batches the projections lack."""
    return {"oldest_due_s": (now_ms - log.first_due_ms(now_ms)) / 1000, "projections_behind": _behind(log)}


def _behind(log: RedisLog) -> int:
    return max(store.behind() for store in all_current(log, PROJECTIONS))


TURNS = "wintercount:turns"  # a hash: turns by waiting time, the sum of these times, and replaced players
WAITS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
WHYS = ("crashed", "failed", "overtime", "nonsense")


def web_metrics() -> bytes:
    """Returns the figures of all web processes that share the port, in the format of Prometheus."""
    if SHARED_METRICS not in os.environ:
        return generate_latest()
    _remove_gauges_of_ended_processes(Path(os.environ[SHARED_METRICS]))
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    for _ in range(TRIES):
        with contextlib.suppress(struct.error):
            return generate_latest(registry)
        time.sleep(PAUSE_S)
    return generate_latest(registry)


def _remove_gauges_of_ended_processes(directory: Path) -> None:
    """Removes figures such as open streams; counters stay."""
    for file in directory.glob(LIVE_GAUGES):
        try:
            os.kill(int(file.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)


def count_turn(client: Any, waited_s: float | None, failures: Sequence[str]) -> None:
    """Counts an AI turn: how long it waited, and why players were replaced. A lost answer may count it twice."""
    with client.pipeline(transaction=False) as pipe:
        if waited_s is not None:
            below = next((str(bound) for bound in WAITS_S if waited_s <= bound), "+Inf")
            pipe.hincrby(TURNS, below, 1)
            pipe.hincrbyfloat(TURNS, "seconds", waited_s)
        for why in failures:
            pipe.hincrby(TURNS, why, 1)
        pipe.execute()


class TurnsCollector:
    """Collects the figures of the workers from the store."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def collect(self) -> Iterator[Metric]:
        """Yields the metrics for prometheus_client."""
        kept = {name.decode(): float(value) for name, value in self._client.hgetall(TURNS).items()}
        names = [*map(str, WAITS_S), "+Inf"]
        below = accumulate(kept.get(name, 0.0) for name in names)
        yield HistogramMetricFamily(
            "wintercount_turn_seconds",
            "Time from when an AI turn was due to when it was played",
            buckets=list(zip(names, below, strict=True)),
            sum_value=kept.get("seconds", 0.0),
        )
        given_up = CounterMetricFamily("wintercount_given_up", "AI players that were replaced", labels=["why"])
        for why in WHYS:
            given_up.add_metric([why], kept.get(why, 0.0))
        yield given_up
