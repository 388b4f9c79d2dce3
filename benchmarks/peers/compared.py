"""What stands beside what: rows of ours and of peers, measured by turns, with the yardstick between the turns."""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.figures import Size, percentile_ms
from benchmarks.load import Window
from benchmarks.yardstick import pace, plain


class Contender(NamedTuple):
    """Who is measured: `measure` does a turn of it and tells what it came to."""

    by: str
    measure: Callable[[], Window]
    ours: bool = False


class Contest(NamedTuple):
    """Contenders that do the same; the first is ours, to which the others are compared."""

    title: str
    unit: str
    contenders: Sequence[Contender]


class Row(msgspec.Struct, frozen=True):
    """What one did, turn by turn: how much a second, and how much for a yardstick; times where they were taken."""

    by: str
    ours: bool
    rates: list[float]
    shares: list[float]
    p50_ms: float | None = None
    p99_ms: float | None = None

    @property
    def rate(self) -> float:
        """The median of the turns."""
        return statistics.median(self.rates)

    @property
    def share(self) -> float:
        """The median for a yardstick."""
        return statistics.median(self.shares)


class Ratio(NamedTuple):
    """How many times as fast as another: in the slowest turn, the median one and the fastest."""

    low: float
    middle: float
    high: float


class Group(msgspec.Struct, frozen=True):
    """The rows of a contest, the first of which the others are held against."""

    title: str
    unit: str
    rows: list[Row]

    def ratio(self, row: Row) -> Ratio:
        """How many times as fast the first row was, in the same turns."""
        turns = [one / other for one, other in zip(self.rows[0].shares, row.shares, strict=True)]
        return Ratio(min(turns), statistics.median(turns), max(turns))


class Part(msgspec.Struct, frozen=True):
    """What a part of the comparison found, what that means, and under which circumstances."""

    title: str
    notes: str
    groups: list[Group]
    yards: list[float]
    described: dict[str, str] = {}
    fault: str = ""  # why it does not count


class Turns:
    """Measures contests; the yardstick is read before, between and after all turns."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.yards = [pace(plain, size.yard_s)]

    def of(self, contest: Contest) -> Group:
        """Measures all contenders by turns; one turn of each before that does not count."""
        for contender in contest.contenders:
            contender.measure()
        turns = [self._turn(contest) for _ in tqdm(range(self.size.rounds), desc=contest.title, leave=False)]
        rows = []
        for number, contender in enumerate(contest.contenders):
            windows = [found[number] for found, _ in turns]
            rows.append(row_of(contender.by, windows, [yard for _, yard in turns], ours=contender.ours))
        return Group(contest.title, contest.unit, rows)

    def _turn(self, contest: Contest) -> tuple[list[Window], float]:
        found = [contender.measure() for contender in contest.contenders]
        self.yards.append(pace(plain, self.size.yard_s))
        return found, statistics.mean(self.yards[-2:])


def row_of(by: str, windows: Sequence[Window], yards: Sequence[float], *, ours: bool) -> Row:
    """The figures of one contender from its turns, and the yardsticks that these are told for."""
    rates = [window.rate for window in windows]
    shares = [rate / yard for rate, yard in zip(rates, yards, strict=True)]
    latencies = [took for window in windows for took in window.latencies_s]
    times = [percentile_ms(latencies, percent) for percent in (50, 99)] if latencies else []
    return Row(by, ours, rates, shares, *times)


def each_timed(calls: Iterable[Callable[[], object]]) -> Window:
    """The rate of calls made one after the other, by the clock, and how long each took; what is between is not."""
    taken_s = []
    for call in calls:
        begun = time.perf_counter()
        call()
        taken_s.append(time.perf_counter() - begun)
    return Window(len(taken_s) / sum(taken_s), taken_s)


def for_a_while(work: Callable[[], int], seconds: float) -> Window:
    """How much a second of the process is done; `work` tells how much it did."""
    done, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds or not done:
        done += work()
    return Window(done / spent, [])
