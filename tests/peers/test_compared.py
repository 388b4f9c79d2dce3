"""Ratios, the page and the plot: what is slower is told as plainly as what is faster."""

import math
import re
from collections.abc import Sequence

import pytest

from benchmarks.figures import Size
from benchmarks.load import Window
from benchmarks.peers import compared
from benchmarks.peers.compared import Contender, Contest, Group, Part, Row, Turns, each_timed, for_a_while, row_of
from benchmarks.peers.page import page, place, plot
from benchmarks.peers.steps import BASE, rows
from benchmarks.research import Speed


def row(by: str, *rates: float, ours: bool = False, p99_ms: float | None = None) -> Row:
    """A row of turns in which the yardstick read 10."""
    return Row(by, ours, list(rates), [rate / 10 for rate in rates], p99_ms, p99_ms)


def part(*rows_: Row, unit: str = "moves/s") -> Part:
    """A part with one contest."""
    return Part("Moves: a peer", "\nAs it is.\n", [Group("moves", unit, list(rows_))], [10.0, 10.0], {"commit": "abc"})


def lines_of(*rows_: Row) -> list[str]:
    """The page of one contest, line by line."""
    return page({"one": part(*rows_)}).splitlines()


def test_a_ratio_is_of_the_same_turns() -> None:
    """The median of the ratios of each turn, not the ratio of the medians."""
    group = part(row("ours", 10, 40, 90, ours=True), row("theirs", 10, 10, 10)).groups[0]
    assert group.ratio(group.rows[1]) == (1.0, 4.0, 9.0)
    assert group.ratio(group.rows[0]) == (1.0, 1.0, 1.0)


def test_a_loss_is_told_as_plainly_as_a_gain() -> None:
    """Whatever is below 1 is bold, and both are counted above."""
    lines = lines_of(row("ours", 100, ours=True), row("faster", 400), row("slower", 50))
    assert "Of 2 comparisons ours is slower in 1 and as fast or faster in 1." in lines
    assert "| ours | 100 | 100 to 100 | 10 |  |" in lines
    assert "| faster | 400 | 400 to 400 | 40 | **0.25 (0.25 to 0.25)** |" in lines
    assert "| slower | 50 | 50 to 50 | 5 | 2 (2 to 2) |" in lines
    assert "- commit: abc" in lines


def test_times_stand_where_they_were_taken() -> None:
    """With columns of their own."""
    lines = lines_of(row("ours", 100, ours=True, p99_ms=3.5), row("theirs", 100, p99_ms=4.0))
    assert "|  | moves/s | of the turns | for a yardstick | p50 ms | p99 ms | ours : theirs |" in lines
    assert "| theirs | 100 | 100 to 100 | 10 | 4 | 4 | 1 (1 to 1) |" in lines


def test_a_plot_shows_every_peer_and_nothing_of_ours_alone() -> None:
    """A line each, texts escaped; of environments those that were chosen."""
    drawn = plot({"one": part(row("ours", 1, ours=True), row("a < b", 2), row("other of ours", 2, ours=True))})
    assert re.findall(r'end">(.*?)</text>', drawn) == ["moves: a &lt; b"]
    steps = part(row(BASE, 1, ours=True), row("rlcard uno", 1), row("rlcard mahjong", 1), unit="steps/s")
    assert re.findall(r'end">(.*?)</text>', plot({"steps": steps})) == ["moves: rlcard uno"]


@pytest.mark.parametrize(("ratio", "at"), [(1, 0.5), (100, 1), (0.01, 0), (10, 0.75), (1e9, 1), (1e-9, 0)])
def test_a_ratio_lies_on_a_logarithmic_scale(ratio: float, at: float) -> None:
    """As fast in the middle, and what is beyond the scale at its end."""
    assert math.isclose(place(ratio), at, abs_tol=1e-12)


def test_contenders_are_measured_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """One turn before does not count; a figure is told for the two yardsticks around its turn."""
    paces, done = iter([10.0, 30.0, 50.0]), list[str]()

    def contender(by: str, rates: Sequence[float]) -> Contender:
        left = iter(rates)

        def measure() -> Window:
            done.append(by)
            return Window(next(left), [0.001, 0.003])

        return Contender(by, measure, ours=by == "ours")

    monkeypatch.setattr(compared, "pace", lambda *_: next(paces))
    turns = Turns(Size(rounds=2))
    group = turns.of(Contest("moves", "moves/s", [contender("ours", [1, 20, 80]), contender("theirs", [9, 40, 40])]))

    assert done == ["ours", "theirs"] * 3
    assert turns.yards == [10.0, 30.0, 50.0]
    assert group.rows[0] == Row("ours", True, [20, 80], [1.0, 2.0], 3.0, 3.0)
    assert (group.rows[1].ours, group.rows[1].rate, group.rows[1].share) == (False, 40, 1.5)


def test_what_takes_no_times_tells_none() -> None:
    """Rates alone."""
    assert row_of("ours", [Window(5.0, [])], [10.0], ours=True) == Row("ours", True, [5.0], [0.5])


def test_work_is_done_at_least_once() -> None:
    """However short the window; each call counts."""
    assert for_a_while(lambda: 3, 0.0).rate > 0
    assert len(each_timed([lambda: sum(range(1000))] * 4).latencies_s) == 4


def test_environments_are_held_against_one_of_ours() -> None:
    """Which stands first; then the fastest, whosever it is."""
    slow, fast = Speed(10.0, 9.0, 1.0), Speed(30.0, 29.0, 3.0)
    found = rows([{"rlcard uno": slow, BASE: slow, "openspiel hearts": fast}] * 2)
    assert [one.by for one in found] == [BASE, "openspiel hearts", "rlcard uno"]
    assert found[0] == Row(BASE, True, [10.0, 10.0], [1.0, 1.0])
