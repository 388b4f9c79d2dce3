"""Levels are as strong as they claim, by a sequential test with errors of 5 %: luck does not pass it."""

from collections.abc import Iterator

import pytest

from benchmarks.chances import sprt
from benchmarks.matches import mirrored, play
from tests.long import long_but_for

MOST = 60  # games

Claim = tuple[str, str, str, float, float, float]
CLAIMS: list[Claim] = [  # game, level, against, share that is too little, share that is claimed, scale of the budget
    ("manitou", "greedy", "uniform", 0.7, 0.9, 1.0),
    ("big-manitou", "greedy", "uniform", 0.7, 0.9, 1.0),
    ("tomahawk", "greedy", "uniform", 0.7, 0.9, 1.0),
    ("plenty-coups", "greedy", "uniform", 0.6, 0.9, 1.0),
    ("manitou", "skilled", "greedy", 0.5, 0.75, 0.6),
    ("big-manitou", "skilled", "greedy", 0.5, 0.75, 1.0),
    ("tomahawk", "skilled", "greedy", 0.5, 0.75, 1.0),
    ("plenty-coups", "skilled", "greedy", 0.5, 0.75, 0.3),
]


def shares(game: str, one: str, others: str, scale: float) -> Iterator[float]:
    """The share of the victory in each game, deal by deal."""
    for match in mirrored(game, one, others, 2, [f"sprt-{number}" for number in range(MOST // 2)], scale):
        yield play(match).share(match.levels.index(one) + 1)


def is_short(claim: Claim) -> bool:
    """Whether both players answer at once, and soon end their game; those that search take minutes."""
    return "skilled" not in claim and "plenty-coups" not in claim


@pytest.mark.slow
@pytest.mark.parametrize("claim", long_but_for(is_short, CLAIMS, lambda claim: "-".join(claim[:3])))
def test_level_is_stronger(claim: Claim) -> None:
    """A level wins as often as is claimed rather than as is too little."""
    game, one, others, low, high, scale = claim
    assert sprt(shares(game, one, others, scale), low, high)[0] == "stronger"
