"""Yardsticks: fixed pieces of work, by which figures of different machines and different hours compare.

Machines differ in speed, and so do the hours of one. A figure is therefore told for a yardstick that is measured in the
same run: before, between and after what it is held against. One is plain Python, as deciding and folding are; one
reads, writes and hashes a record, as the log does. Neither will ever be made faster.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

YardName = Literal["plain", "records"]
STEADY = 0.1  # how much a yardstick may move in a run
SECONDS = 0.3  # of the process, that one is measured for
SQUARES = 1000
RECORD = msgspec.json.encode(
    {
        "type": "CardPlayed",
        "version": 57,
        "payload": {"hunt": 1, "seat": 2, "turn": 3, "card": "hunter-4", "ground": 2, "extra": False, "phase": "play"},
        "rules": ["BM-5.3", "BM-5.4"],
        "note": "x" * 600,
    }
)


class Yards(NamedTuple):
    """How often a second each yardstick was done, by the time of the process."""

    plain: float
    records: float


REFERENCE = Yards(plain=25_000, records=250_000)  # of the machine for which aims are given in figures


def plain() -> None:
    """Adds up a thousand squares."""
    total = 0
    for number in range(SQUARES):
        total += number * number


def records() -> None:
    """Reads a record of some 800 bytes, writes it again and hashes it."""
    sha256(msgspec.json.encode(msgspec.json.decode(RECORD))).digest()


def yards(seconds: float = SECONDS) -> Yards:
    """Measures both."""
    return Yards(pace(plain, seconds), pace(records, seconds))


def pace(work: Callable[[], object], seconds: float) -> float:
    """How often a second of the process the work is done."""
    times, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds or not times:
        work()
        times += 1
    return times / spent


def between(before: Yards, after: Yards) -> Yards:
    """What figures that were found between two measurements are told for."""
    return Yards(*map(statistics.mean, zip(before, after, strict=True)))


def moved(paces: Sequence[float]) -> float:
    """By what share of its median a yardstick moved."""
    return (max(paces) - min(paces)) / statistics.median(paces)


def told(paces: Sequence[float]) -> str:
    """A yardstick of a run: its median, each time it was measured, and whether it was steady."""
    steady = moved(paces) <= STEADY
    warning = "" if steady else ": **more than a tenth, so that figures of this run compare badly with each other**"
    median, each = f"{statistics.median(paces):,.0f}", ", ".join(f"{pace:,.0f}" for pace in paces)
    return f"{median} a second; in the course of the run {each}; moved by {moved(paces):.0%}{warning}"
