"""Pairs that favour each other are found among those who do not, and nobody where nobody does."""

import math
import random
from collections.abc import Iterator

import pytest

from projections.played.mutual_favour import (
    ERROR,
    GIVES_WAY,
    LEAST_GAMES,
    TOGETHER,
    Beyond,
    Favour,
    HeldSeat,
    Sum,
    _divergence,
    _favour,
    favours,
    held,
)
from projections.played.plackett_luce import LUCK, NEW, UNIT, Rating, after
from tests.long import long_but_for

PEOPLE = 16
SETTLED = Rating(1500 * UNIT, 100 * UNIT, 50)
Order = list[str]


def population(seed: int, games: int, seats: int, collude: str = "") -> Iterator[list[HeldSeat]]:
    """Games of people of different strength, rated as games are; p01 and p02 may favour each other in one way."""
    luck, known = random.Random(seed), dict[str, Rating]()
    names = [f"p{number:02}" for number in range(1, PEOPLE + 1)]
    strength = {name: luck.gauss(1500, 200) for name in names}
    for number in range(games):
        people = luck.sample(names, seats)
        if number % 8 == 0:
            people = [*names[:2], *luck.sample(names[2:], seats - 2)]
        order = sorted(people, key=lambda one: -strength[one] / LUCK + math.log(luck.expovariate(1)))
        order = agreed(order, collude)
        ranks = [order.index(one) + 1 for one in people]
        yield held(people, ranks, known.get)
        known |= after(known, people, ranks)


def agreed(order: Order, collude: str) -> Order:
    """What the two make of it where both sit: one gives way, or the others come last."""
    if not {"p01", "p02"} <= set(order):
        return order
    others = [one for one in order if one not in ("p01", "p02")]
    return {
        "": order,
        GIVES_WAY: ["p02", *others, "p01"],
        TOGETHER: [*(one for one in order if one not in others), *others],
    }[collude]


def striking(found: list[Favour]) -> set[tuple[str, str, str]]:
    return {one[:3] for one in found if one.stands_out}


@pytest.mark.slow
@pytest.mark.parametrize("seats", long_but_for({2}.__contains__, [2, 3, 4]))
def test_nobody_stands_out_where_nobody_favours(seats: int) -> None:
    """Over several populations: not one pair of hundreds."""
    for seed in range(4):
        found = favours(population(seed, 700, seats))
        assert found
        assert striking(found) == set()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_that_gives_way_is_found(seats: int) -> None:
    """And nobody else is told of; where there are others, the one who wins so is ahead of them, too."""
    found = striking(favours(population(1, 1600 if seats == 2 else 700, seats, GIVES_WAY)))
    assert (GIVES_WAY, "p01", "p02") in found
    assert {kind[1:] for kind in found} == {("p01", "p02")}


@pytest.mark.parametrize(("kind", "expected"), [(GIVES_WAY, 0.5 - 0.2 - 0.1), (TOGETHER, 0.5 + (0.2 - 0.1) / 2)])
def test_what_is_expected_is_set_right_by_the_games_without_the_other(kind: str, expected: float) -> None:
    """One is 0.2 beyond expectation there and the other 0.1 behind: more than luck explains by so much in 400 games."""
    by = Beyond(420, 20 * 0.9 + 400 * (0.2 + 1 / 20))
    to = Beyond(420, 20 * 0.7 - 400 * (0.1 + 1 / 20))
    found = Sum(20, 20 * 0.5, 20 * 0.5, 20 * 0.9, 20 * 0.7)
    assert _favour((kind, "p01", "p02"), found, {"p01": by, "p02": to}, 1).expected == pytest.approx(expected)


def test_two_who_keep_the_others_down_are_found() -> None:
    found = striking(favours(population(2, 700, 4, TOGETHER)))
    assert found == {(TOGETHER, "p01", "p02")}


def test_the_same_games_give_the_same_report() -> None:
    assert favours(population(3, 300, 3)) == favours(population(3, 300, 3))


def game(winner: str, loser: str, before: Rating = SETTLED) -> list[HeldSeat]:
    return [HeldSeat(winner, 1, before), HeldSeat(loser, 2, before)]


def test_few_games_tell_nothing() -> None:
    """Nor those of ratings that are provisional, nor of AI players."""
    assert favours([game("p_a", "p_b")] * (LEAST_GAMES - 1)) == []
    assert favours([game("p_a", "p_b", NEW)] * 50) == []
    assert favours([game("ai:greedy", "p_b")] * 50) == []


def test_the_bound_on_luck_by_hand() -> None:
    """All of 40 games won, where half are expected: luck may carry a mean as far as 0.876, of two tests."""
    one, _ = favours([game("p_b", "p_a")] * 40)
    assert (one.kind, one.by, one.to, one.games, one.score, one.expected) == (GIVES_WAY, "p_a", "p_b", 40, 1.0, 0.5)
    assert one.lowest == pytest.approx(math.exp(-math.log(2 / ERROR) / 40), abs=1e-4)
    assert one.highest == 1.0
    assert one.stands_out


def test_what_is_expected_by_hand() -> None:
    """200 points apart, of deviations of 60 and 80 points: luck carries a game of two 367 points, to four digits."""
    stronger, weaker = Rating(1600 * UNIT, 60 * UNIT, 50), Rating(1400 * UNIT, 80 * UNIT, 50)
    games = [[HeldSeat("p_a", 1, weaker), HeldSeat("p_b", 2, stronger)]] * LEAST_GAMES
    one = next(one for one in favours(games) if one.to == "p_b")
    spread = math.sqrt(60**2 + 80**2 + 2 * 250**2)
    assert one.expected == round(1 / (1 + math.exp(-200 / spread)), 4)


def test_an_edge_lies_where_the_bound_says() -> None:
    """In the middle, on both sides; the interval narrows with the games."""
    games = [game("p_a", "p_b"), game("p_b", "p_a")]
    widths = []
    for number in (20, 200):
        one = favours(games * (number // 2))[0]
        for edge in (one.lowest, one.highest):
            assert _divergence(0.5, edge) * number == pytest.approx(math.log(2 / ERROR), rel=1e-2)
        widths.append(one.highest - one.lowest)
        assert not one.stands_out
    assert widths[0] > 2 * widths[1]
