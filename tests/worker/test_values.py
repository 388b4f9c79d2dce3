"""The trial that finds values of a standing: it names what is moved, and sees what that does."""

import random
from collections.abc import Callable

import pytest

from benchmarks.values import effects, flat, moved, shares, spread, trials
from worker.players.search.plenty_coups_values import VALUES

Share = Callable[[float], float]


@pytest.mark.parametrize("players", VALUES)
def test_each_value_is_moved_by_itself(players: int) -> None:
    """One value moved by one deviation leaves the others as they are."""
    values = VALUES[players]
    still = dict.fromkeys(flat(values), 0.0)
    assert moved(values, still) == values
    for name, value in flat(values).items():
        assert flat(moved(values, still | {name: 1.0})) == flat(values) | {name: value + spread(value)}


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        (lambda by: 0.5 + 0.1 * by - 0.05 * by**2, 0.9, 1.0),
        (lambda by: 0.5 - 0.05 * by - 0.05 * by**2, -0.6, -0.4),
        (lambda by: 0.5 - 0.05 * by**2, -0.1, 0.1),
    ],
    ids=["more is better, up to a deviation", "half a deviation less", "as it is"],
)
def test_the_best_is_found_where_it_is(share: Share, low: float, high: float) -> None:
    """A share that falls off by the square, one deviation away or half of one, or nowhere but here."""
    luck = random.Random(3)
    rows = [({"threat": by, "horse": luck.gauss()}, share(by)) for by in [luck.gauss() for _ in range(20_000)]]
    found = effects(rows)
    assert low < found["threat"].step() < high
    assert abs(found["horse"].step()) < 0.2


def test_a_trial_tells_shares_and_leaves_the_values_alone() -> None:
    """Half of the seats, rounded up, each with its share of the victory; the values are those of before."""
    values = VALUES[3]
    rows = list(trials(3, 2, "short"))
    assert VALUES[3] is values
    assert [set(by) for by, _ in rows] == [set(flat(values))] * 4
    assert all(share in {0, 1 / 3, 1 / 2, 1} for _, share in rows)
    assert rows == list(trials(3, 2, "short"))


def test_values_that_are_moved_are_those_played_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who shuns points off the herd, prey and coups does not win against those who want them."""
    values = VALUES[3]
    monkeypatch.setitem(VALUES, 3, values)
    silly = values._replace(off_herd=-1.0, prey=-1.0, coup=-1.0, returns=0.0)
    assert sum(shares(f"silly-{n}", [silly, values, values])[0] for n in range(6)) < 1
