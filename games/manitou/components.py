"""The box: a tribe's set of cards, the two herds, the hide thieves, and what a hunt lays out (MA-1, MA-2.6)."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

PREFIX = "MA"  # of rule ids
RULES_VERSION = 1
PLAYERS = (2, 3, 4)  # MA-1.1

Tribe = Literal["red", "blue", "green", "yellow"]
Herd = Literal["small", "large"]

TRIBES: tuple[Tribe, ...] = ("red", "blue", "green", "yellow")  # MA-1.2
GROUNDS = (1, 2, 3)
HUNTS = 3  # MA-3.1
TURNS = 7  # a seat's turns in a hunt, MA-3.5
FULL_PARTY = 8  # MA-3.3; the dealer's is the option `dealer_party`
PENALTY = -10  # MA-1.6

STRENGTH = {  # MA-1.3, ruling MA-R3: the 5 is there twice
    "hunter-1": 1,
    "hunter-2": 2,
    "hunter-3": 3,
    "hunter-4": 4,
    "hunter-5-1": 5,
    "hunter-5-2": 5,
    "hunter-6": 6,
    "hunter-7": 7,
    "hunter-8": 8,
    "hunter-9": 9,
    "hunter-10": 10,
}
BEATS = {  # MA-5.2, ruling MA-R32
    "chief": {"medicine_man", "rainmaker", "scout"},
    "medicine_man": {"rainmaker", "matriarch"},
    "rainmaker": {"scout", "matriarch"},
    "scout": {"medicine_man", "matriarch"},
    "matriarch": {"chief"},
}
HERO_CARDS = tuple(f"{hero}-{copy}" for hero in BEATS for copy in (1, 2))  # MA-1.3
CARDS = (*STRENGTH, *HERO_CARDS)  # a set in deck order, MA-1.3
DECK_ORDER = {card: place for place, card in enumerate(CARDS)}

SMALL_HERD = (  # MA-1.5: all ten printed; the option `small_herd_omit` leaves out one
    "buffalo-1",
    "buffalo-2-1",
    "buffalo-2-2",
    "buffalo-3",
    "buffalo-4-1",
    "buffalo-4-2",
    "buffalo-5-1",
    "buffalo-5-2",
    "buffalo-6",
    "buffalo-7",
)
LARGE_HERD = ("buffalo-10-1", "buffalo-10-2", "buffalo-11", "buffalo-12", "buffalo-13")  # besides the lowest, 9 or 8
VALUE = {card: int(card.split("-")[1]) for card in (*SMALL_HERD, "buffalo-8", "buffalo-9", *LARGE_HERD)}
HERD_ORDER = {card: place for place, card in enumerate(VALUE)}  # MA-1.5

LAYOUT: dict[int, tuple[tuple[Herd, ...], ...]] = {  # MA-2.6, ruling MA-R5: by players, for grounds 1, 2, 3
    2: (("large", "small"), ("small",), ("small",)),
    3: (("large", "small"), ("large",), ("small",)),
    4: (("large", "small"), ("large", "small"), ("small",)),
}


@cache
def small_herd(omit: int | str) -> tuple[str, ...]:
    """The small buffalo cards in herd order, without the second one of value `omit` (MA-1.5, ruling MA-R2)."""
    return tuple(card for card in SMALL_HERD if card != f"buffalo-{omit}-2")


@cache
def large_herd(low: int) -> tuple[str, ...]:
    """The large buffalo cards in herd order, the lowest of value `low` (MA-1.5, ruling MA-R1)."""
    return (f"buffalo-{low}", *LARGE_HERD)


@cache
def buffalo_of(value: int, count: int) -> tuple[str, ...]:
    """`count` of the buffalo cards of a value, in herd order (MA-1.5)."""
    return tuple(card for card in VALUE if VALUE[card] == value)[:count]


@cache
def hide_thief_cards(count: int) -> tuple[str, ...]:
    """The supply of hide thieves (MA-1.6, ruling MA-R4)."""
    return tuple(f"hide-thief-{number}" for number in range(1, count + 1))


def in_deck_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards of one set in deck order (MA-1.3)."""
    return tuple(sorted(cards, key=DECK_ORDER.__getitem__))


def in_herd_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Buffalo cards, the small herd first, by value (MA-1.5)."""
    return tuple(sorted(cards, key=HERD_ORDER.__getitem__))
