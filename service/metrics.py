"""Metrics of the web process and of the log."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

from service.house import House

REQUESTS = Counter("wintercount_requests", "Requests answered", ("method", "resource", "status"))
SECONDS = Histogram(
    "wintercount_request_seconds",
    "Time to answer",
    ("method", "resource"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
answered = cache(REQUESTS.labels)  # by method, resource and status: finding a label takes longer than counting
seconds = cache(SECONDS.labels)  # by method and resource
STREAMS = Gauge("wintercount_streams", "Event streams open")
BATCHES = Gauge("wintercount_batches", "Batches in the log")
DUE = Gauge("wintercount_due", "Turns and clocks that are due now")
OLDEST_DUE = Gauge("wintercount_oldest_due_seconds", "How long the longest waiting of them has been due")


def observe_log(house: House) -> None:
    """Reads the figures of the log."""
    now = house.now_ms()
    ends = house.log.feed_ends()
    due = [entry.at_ms for partition in ends for entry in house.log.due(partition) if entry.at_ms <= now]
    BATCHES.set(sum(ends.values()))
    DUE.set(len(due))
    OLDEST_DUE.set((now - min(due, default=now)) / 1000)
