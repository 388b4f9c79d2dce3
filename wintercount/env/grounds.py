"""The slots of a ground, which the codings of Manitou and Big Manitou share."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wintercount.env.layout import Slots


class Pieces(NamedTuple):
    """The pieces of a ground: prizes with their name, cards, and heroes."""

    prize: str
    prizes: Sequence[str]
    cards: Sequence[str]
    heroes: Sequence[str]


class GroundSlots:
    """The slots of a ground: its prizes, the cards of each seat, heroes face up, and the last hero laid."""

    def __init__(self, slots: Slots, ground: int, seats: Sequence[int], pieces: Pieces) -> None:
        name = f"ground {ground}"
        self._players = len(seats)
        self._prizes = slots.marks(f"{name}/{pieces.prize}", pieces.prizes)
        self._last = slots.marks(f"{name}/last up", pieces.heroes)
        self._laid = [slots.marks(f"{name}/laid by {seat}", pieces.cards) for seat in seats]
        self._up = [slots.marks(f"{name}/up of {seat}", pieces.heroes) for seat in seats]

    def write(self, prizes: Iterable[str], sides: Iterable[Sequence[str]], own: int, marks: list[int]) -> None:
        """Adds the prizes and the cards of each seat, as seat `own` sees them."""
        marks += map(self._prizes.__getitem__, prizes)
        for seat, side in enumerate(sides, 1):
            if side:
                marks += map(self._laid[(seat - own) % self._players].__getitem__, side)

    def write_heroes(self, seat: int, cards: Sequence[str], own: int, marks: list[int]) -> None:
        """Adds the heroes of a seat that are face up."""
        marks += map(self._up[(seat - own) % self._players].__getitem__, cards)

    def write_last(self, card: str, marks: list[int]) -> None:
        """Adds the hero that was laid last."""
        marks.append(self._last[card])
