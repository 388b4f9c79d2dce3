"""How long an AI player takes for a choice: processor time of one core, whole games of each level against `greedy`."""

from collections.abc import Iterator
from typing import Any

from tqdm import tqdm

from benchmarks.figures import Aim, Figures, Size, median, percentile_ms
from benchmarks.machine import how_players_run
from benchmarks.matches import Match, play
from games import GAMES

AIMS = {"greedy": 10, "skilled": 250, "expert": 1000}  # milliseconds of the median choice


def thinking(_: str, size: Size) -> Figures:
    """The time of a choice, by game, number of players and level."""
    asked = [
        (game, players, level)
        for game in GAMES
        for players in sorted({min(GAMES[game].players), min(size.seats, max(GAMES[game].players))})
        for level in AIMS
    ]
    rows = [row(*one, size) for one in tqdm(asked, desc="thinking", leave=False)]
    aims = [
        Aim(f"median choice of {level} in ms", max(_medians(rows, level)), most, most=True, yard="plain")
        for level, most in AIMS.items()
    ]
    note = f"Processor time on one core; players were {how_players_run()} (`make compiled`)."
    return Figures("The time of a choice of an AI player", note, rows, aims)


def row(game: str, players: int, level: str, size: Size) -> dict[str, Any]:
    """The figures of one level; choices of which there is but one take next to nothing and count like all others."""
    levels = (level, *["greedy"] * (players - 1))
    taken = play(Match(game, levels, "thinking", size.budgets)).seconds[level]
    return {
        "": f"{game}/{players} {level}",
        "choices": len(taken),
        "median ms": 1000 * median(taken),
        "p95 ms": percentile_ms(taken, 95),
        "longest ms": 1000 * max(taken),
    }


def _medians(rows: list[dict[str, Any]], level: str) -> Iterator[float]:
    return (found["median ms"] for found in rows if found[""].endswith(f" {level}"))
