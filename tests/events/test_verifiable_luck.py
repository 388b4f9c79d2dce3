"""Luck that can be proved: the same from the same seed for ever, evenly spread, each draw apart from all others."""

import itertools
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.verifiable_luck import Imagined, Luck, below, draw, stream

# Worked out from the description at the head of `events.verifiable_luck` with nothing but `hmac` and `hashlib`.
SEED = bytes(range(32)).hex()
CONTRIBUTIONS = ["north wind", None]
KEY = bytes.fromhex("cace4331bc40f34fd3b522b323ec32eaa722abd6cc72b50b790c2fca94ba9daa")
FIRST_BLOCK = [2451208481, 1224190533, 3025675107, 4112853244, 440941484, 3497450834, 694608762, 3566212126]
SECOND_BLOCK = [4107475173, 2073899324]
LETTERS = "abcdefghij"


def luck(seed: str = SEED, contributions: Sequence[str | None] = CONTRIBUTIONS, **before: int) -> Luck:
    return Luck(seed, contributions, before)


def drawn(chance: Luck, kind: str = "deal", count: int = 10) -> str:
    return "".join(chance(kind, LETTERS, count))


def test_known_numbers() -> None:
    """Block b of draw n is HMAC-SHA256(key, "kind|n|b"), read as eight numbers."""
    assert list(itertools.islice(stream(KEY, "deal", 0), 10)) == FIRST_BLOCK + SECOND_BLOCK


def test_known_draws_of_imagined_worlds() -> None:
    """What an AI player imagines for a number is fixed for ever, as what it plays follows from it."""
    chance = Imagined(7)

    assert ["".join(chance(kind, LETTERS, 5)) for kind in ("deal", "draw")] == ["gfabe", "bhdca"]
    assert "".join(Imagined(8)("deal", LETTERS, 5)) == "hbgcd"


def test_known_draws() -> None:
    """What a seed and the contributions lead to is fixed for ever."""
    chance = luck()

    assert [drawn(chance), drawn(chance), drawn(chance, count=3)] == ["befgdjiach", "ifhadcgbje", "ceg"]
    assert drawn(chance, "tiles") == "dehabifjcg"


def test_draws_are_counted_by_kind() -> None:
    """A decision tells how many draws of each kind it made; those before it are not counted again."""
    chance = luck(deal=2)
    drawn(chance)
    drawn(chance, "tiles")
    drawn(chance)

    assert chance.drawn == {"deal": 2, "tiles": 1}


def test_a_draw_has_its_own_number() -> None:
    """Draw n is the same whether the draws before it are made now or were made by earlier decisions."""
    assert drawn(luck(deal=1)) == "ifhadcgbje"
    assert drawn(luck(deal=2), count=3) == "ceg"


def test_no_draw_shifts_another() -> None:
    """Other kinds, and how much was drawn before, change nothing about a draw."""
    chance = luck()
    drawn(chance, "other")
    drawn(chance, count=1)

    assert drawn(chance) == "ifhadcgbje"


@pytest.mark.parametrize(
    ("seed", "contributions"),
    [
        (bytes(range(1, 33)).hex(), CONTRIBUTIONS),
        (SEED, ["north winds", None]),
        (SEED, [None, "north wind"]),
        (SEED, ["north wind"]),
        (SEED, [None, None]),
        (SEED, []),
    ],
)
def test_everything_counts(seed: str, contributions: list[str | None]) -> None:
    """Another seed, another contribution or another order of seats is other luck."""
    assert drawn(luck(seed, contributions)) != drawn(luck())


@pytest.mark.parametrize(
    ("numbers", "bound", "expected"),
    [
        ([2**32 - 2, 7], 3, 2),  # 4294967294 is the largest number below the largest multiple of 3, and 2 modulo 3
        ([2**32 - 1, 7], 3, 1),  # the only number that is rejected for 3: with it, 0 would come up more often
        ([2**32 - 1, 2**32 - 1, 5], 10, 5),
        ([2**32 - 1, 5], 2**31 + 1, 5),  # nearly half of all numbers are rejected
        ([2**31 + 1, 5], 2**31 + 1, 5),
        ([2**31, 5], 2**31 + 1, 2**31),
        ([2**32 - 1], 2, 1),  # none is rejected for a power of two
        ([2**32 - 1], 2**32, 2**32 - 1),
        ([9], 1, 0),
    ],
)
def test_numbers_that_would_tilt_the_odds_are_rejected(numbers: list[int], bound: int, expected: int) -> None:
    """Numbers from the largest multiple of the bound upwards are passed over, so that all outcomes are as likely."""
    assert below(iter(numbers), bound) == expected


@given(st.lists(st.integers(0, 2**32 - 1), min_size=40, max_size=40), st.integers(0, 12))
def test_a_draw_takes_each_item_once(numbers: list[int], count: int) -> None:
    """Whatever the numbers, a draw has as many different items as asked for."""
    taken = draw(itertools.cycle([*numbers, 0]), range(12), count)

    assert len(taken) == len(set(taken)) == count
    assert set(taken) <= set(range(12))


@given(st.permutations(range(8)))
def test_every_order_can_be_drawn(order: Sequence[int]) -> None:
    """There are numbers for every order: those of the partial Fisher-Yates shuffle."""
    items, numbers = list(range(8)), []
    for i, wanted in enumerate(order):
        j = items.index(wanted)
        numbers.append(j - i)
        items[i], items[j] = items[j], items[i]

    assert draw(iter(numbers), range(8), 8) == tuple(order)


def chi_square(counts: Counter[tuple[int, int]], cells: int) -> float:
    """How far counts are from being all the same."""
    mean = sum(counts.values()) / cells
    return sum((count - mean) ** 2 for count in counts.values()) / mean + mean * (cells - len(counts))


@pytest.mark.parametrize(("kind", "critical"), [("deal", 85.4), ("tiles", 85.4)])
def test_every_item_is_as_likely_at_every_place(kind: str, critical: float) -> None:
    """Over 4,000 shuffles of 8 items each comes up at each place as often (chi-square, 49 degrees, p > 0.001)."""
    chance = luck()
    counts = Counter((place, item) for _ in range(4000) for place, item in enumerate(chance(kind, range(8), 8)))

    assert chi_square(counts, 64) < critical
