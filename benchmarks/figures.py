"""Figures: what a part of the benchmarks found, and how it is written down."""

import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from benchmarks.yardstick import REFERENCE, SECONDS, YardName, Yards

UNITS = {False: "for a yardstick,", True: "yardsticks,"}  # of a rate, of a time; and which


class Size(msgspec.Struct, frozen=True):
    """How much is measured: seconds of a window, windows of each kind, and tables played at once."""

    seconds: float = 1.5
    rounds: int = 5
    tables: tuple[int, ...] = (1, 10, 50)
    events: int = 500  # of the table that is read
    batches: int = 1000  # that are written to the log
    engine_s: float = 1.0
    asking: int = 50  # clients that ask for expensive reads, each with an account of its own
    budgets: float = 1.0  # of AI players, as a share of their own
    seats: int = 4  # of AI players at the larger of two tables
    games: int = 1_000_000  # that are searched
    questions: int = 300  # of each kind
    yard_s: float = SECONDS  # for a yardstick


SMOKE = Size(
    seconds=0.05,
    rounds=1,
    tables=(1, 2),
    events=20,
    batches=20,
    asking=7,
    engine_s=0.02,
    budgets=0.01,
    seats=2,
    games=2000,
    questions=3,
    yard_s=0.01,
)


class Aim(msgspec.Struct, frozen=True):
    """What a figure ought to reach: at least `wanted`, or with `most` at most.

    A figure with a `yard` depends on the machine: a rate a second, or with `most` milliseconds. What is wanted holds
    where that yardstick reads as in `REFERENCE`; elsewhere the figure is held against it in proportion.
    """

    what: str
    found: float
    wanted: float
    most: bool = False
    yard: YardName | None = None

    def met(self, yards: Yards) -> bool:
        """Whether it does, where the yardsticks read so."""
        found, wanted = self.found, self.wanted
        if self.yard:
            found, wanted = self.multiple(found, yards), self.multiple(wanted, REFERENCE)
        return found <= wanted if self.most else found >= wanted

    def multiple(self, figure: float, yards: Yards) -> float:
        """So many for a yardstick; of a time, how many yardsticks are done in it."""
        yard: float = getattr(yards, self.yard or "")
        return figure / 1000 * yard if self.most else figure / yard


class Figures(msgspec.Struct, frozen=True):
    """What a part found: rows with the same columns, what they mean, the aims, and how the yardsticks read."""

    title: str
    note: str
    rows: list[dict[str, Any]]
    aims: list[Aim] = []
    yards: Yards = REFERENCE


def percentile_ms(latencies_s: Sequence[float], percent: int) -> float:
    """The time in milliseconds within which that share of the answers came."""
    ordered = sorted(latencies_s)
    return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def median(values: Sequence[float]) -> float:
    """The median."""
    return float(statistics.median(values))


def markdown(figures: Figures) -> str:
    """A part as Markdown: a heading, a table, and the aims."""
    columns = list(figures.rows[0])
    lines = [f"## {figures.title}", "", figures.note, "", _row(columns), _row(["---"] * len(columns))]
    lines += [_row([_number(row[column]) for column in columns]) for row in figures.rows]
    return "\n".join([*lines, "", *(_aim(aim, figures.yards) for aim in figures.aims)]).rstrip() + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _aim(aim: Aim, yards: Yards) -> str:
    bound = "at most" if aim.most else "at least"
    verdict = "met" if aim.met(yards) else "**not met**"
    found, wanted = _for_a_yardstick(aim, aim.found, yards), _for_a_yardstick(aim, aim.wanted, REFERENCE)
    return f"- {aim.what}: {_number(aim.found)}{found}, wanted {bound} {_number(aim.wanted)}{wanted}: {verdict}"


def _for_a_yardstick(aim: Aim, figure: float, yards: Yards) -> str:
    return f" ({_number(aim.multiple(figure, yards))} {UNITS[aim.most]} {aim.yard})" if aim.yard else ""


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
