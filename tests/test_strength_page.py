"""What `make strength` writes of the figures: which aims they reach, and which steps of the ladder they show."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import strength
from benchmarks.strength import levels_of
from benchmarks.strength_page import aims_table, gaps


def row(share: float, low: float, players: int = 2, **others: Any) -> dict[str, Any]:
    """The figures of 100 games of Tomahawk, expert against greedy, unless told otherwise."""
    figures = {"game": "tomahawk", "one": "expert", "others": "greedy", "iterations": 60, "iterations_of_others": 0}
    figures |= {"players": players, "share": share, "low": low, "high": 0.95, "margin": 1.5, "n": 100, "ms_median": 3.0}
    return figures | others


def reached(rows: list[dict[str, Any]], aim: str, game: str) -> str:
    """The last column of an aim in the table."""
    (line,) = [line for line in aims_table(rows).splitlines() if line.startswith(f"| {aim}") and f"| {game} |" in line]
    return line.split(" | ")[-1].removesuffix(" |")


def test_an_aim_is_reached_or_told_to_be_short() -> None:
    """The lower bound counts; what was not measured is not reached."""
    aim = "expert over greedy, 2 seats: lower bound at least 75 %"
    assert reached([row(0.82, 0.76)], aim, "tomahawk") == "yes"
    assert reached([row(0.8, 0.744)], aim, "tomahawk") == "no, 0.6 points short"
    assert reached([row(0.82, 0.76)], aim, "manitou") == "no"


@pytest.mark.parametrize(("games", "told"), [(59, "no, 0.6 points short"), (60, "yes")])
def test_of_several_budgets_the_largest_counts_that_has_enough_games(games: int, told: str) -> None:
    """However many more there are at a smaller one; with fewer, that of the most games counts."""
    whole, part = row(0.9, 0.8, n=games, iterations=60), row(0.8, 0.744, n=400, iterations=12)
    assert reached([part, whole], "expert over greedy, 2 seats", "tomahawk") == told


def test_a_step_of_the_ladder_is_shown_beyond_luck() -> None:
    """A level is above the next where the interval lies above what equal players win."""
    rows = [row(0.5, 0.45), row(0.6, 0.51, one="greedy", others="novice")]
    missing = ["novice over uniform", "skilled over greedy", "expert over greedy", "expert over skilled"]
    assert list(gaps(rows, "tomahawk")) == [(step, [2]) for step in missing]
    assert "| 1 of 5 steps | not shown: novice over uniform with 2 seats;" in aims_table(rows)


def test_a_level_at_the_budget_of_another_is_told_for_both() -> None:
    """An expert with the iterations of a skilled player is one; a greedy player is nobody else."""
    assert levels_of(row(0.8, 0.7)) == ["expert"]
    assert levels_of(row(0.8, 0.7, iterations=4)) == ["skilled", "expert"]
    assert levels_of(row(0.8, 0.7, one="greedy", others="uniform", iterations=0)) == ["greedy"]


@pytest.mark.slow
def test_a_campaign_may_start_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without recorded games they are played; a further run plays only what is missing."""
    page = tmp_path / "players.md"
    marks = [f"<!-- {name}: {end} -->\n" for name in ("aims", "strength") for end in ("begin", "end")]
    page.write_text("".join(marks))
    for name, path in {"RECORD": "record", "PAGE": page.name, "PLOT": "plot.svg", "STRENGTH": "strength.json"}.items():
        monkeypatch.setattr(strength, name, tmp_path / path)
    asked = "strength --games tomahawk --players 2 --pairs greedy:uniform --processes 1 --n"
    for games in (2, 4):
        monkeypatch.setattr(sys, "argv", [*asked.split(), str(games)])
        strength.main()
        assert len((tmp_path / "record").read_text().splitlines()) == games
        assert f"| {games} | " in page.read_text()
    assert {found["level"] for found in json.loads((tmp_path / "strength.json").read_text())} == {"greedy"}
