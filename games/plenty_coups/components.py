"""What is in the box (PC-1) and what the table takes from it (PC-2.4)."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec

PREFIX = "PC"  # of rule ids
RULES_VERSION = 1

TRIBES = ("black", "yellow", "green", "red", "blue", "white")  # PC-1.1, in canonical order
COUP_STICK = "coup-stick"
HORSE = "horse"


class Warrior(NamedTuple):
    """What a warrior card shows."""

    tribe: str
    value: int


WARRIORS = {f"warrior-{tribe}-{value}": Warrior(tribe, value) for tribe in TRIBES for value in (1, 2, 3, 4)}
WEAPONS = {"weapon-2": 2, "weapon-3": 3, "weapon-4": 4}

COPIES = {  # PC-1.2: copies of each face, in canonical order (PC-1.4)
    **dict.fromkeys(WARRIORS, 1),
    **dict.fromkeys(WEAPONS, 4),
    HORSE: 10,
    COUP_STICK: 8,
}
DECK = tuple(face for face, copies in COPIES.items() for _ in range(copies))
WORTHY = frozenset({COUP_STICK, "weapon-4", *(face for face, (_, value) in WARRIORS.items() if value == 4)})  # PC-4.95

# Groups of which three make the display be swept (PC-5.3): warriors of one value, whatever their tribes.
GROUPS = {face: f"warrior-{WARRIORS[face].value}" if face in WARRIORS else face for face in COPIES}

# `$` would let a last line break pass in Python, so it is ruled out by hand.
Card = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(COPIES)})$(?!\n)")]
Tribe = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(TRIBES)})$(?!\n)")]

PLAYERS = (2, 3, 4, 5, 6)
CAMPS = {2: 3, 3: 3, 4: 4, 5: 5, 6: 6}  # PC-2.3
HORSES_PER_CAMP = 6  # PC-2.4
HORSES_IN_BOX = 36  # PC-1.6
MARKERS = 4  # PC-1.5: of each tribe

ROUNDS = 12  # PC-3.1
WINTER = 10  # PC-3.2: the first round of winter
HAND = 3  # PC-3.10
DISPLAY = 4  # PC-5.3
SWEEPS = 10  # PC-R17: at most so many in one filling
TO_TAKE = {**dict.fromkeys(range(1, WINTER), 2), WINTER: 1, 11: 0, 12: 0}  # PC-3.5: cards by round
FREE_HERD = 5  # PC-6.2: horses beyond these score


_RANKS = {face: place for place, face in enumerate(COPIES)}
rank = _RANKS.__getitem__


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """PC-1.4: the cards in canonical order."""
    return tuple(sorted(cards, key=rank))


def without(cards: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    """`cards` less one copy for each of `gone`, the leftmost; the others keep their order."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def holds(hand: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """Whether all of `cards` are in the hand, counting copies."""
    for card in cards:  # noqa: SIM110 - a plain loop is faster, and every move with cards comes by here
        if hand.count(card) < cards.count(card):
            return False
    return True


def warriors_in(cards: Iterable[str]) -> tuple[str, ...]:
    """The warriors among the cards, in their order."""
    return tuple([card for card in cards if card in WARRIORS])


def printed_value(warriors: Iterable[str]) -> int:
    """The sum of the values that the warriors show."""
    return sum([WARRIORS[card].value for card in warriors])
