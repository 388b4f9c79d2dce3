"""What the codings of Manitou and Big Manitou share: a ground, what can be won there, who laid what, who is face up."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wintercount.env.layout import Slots


class Pieces(NamedTuple):
    """What may lie on a ground of a game: what can be won there, by its name and piece by piece, cards, and heroes."""

    prize: str
    prizes: Sequence[str]
    cards: Sequence[str]
    heroes: Sequence[str]


class GroundSlots:
    """The slots of a ground: its prizes, each seat's cards, its heroes face up, and of two the one laid last."""

    def __init__(self, slots: Slots, ground: int, seats: Sequence[int], pieces: Pieces) -> None:
        name = f"ground {ground}"
        self._players = len(seats)
        self._prizes = slots.marks(f"{name}/{pieces.prize}", pieces.prizes)
        self._last = slots.marks(f"{name}/last up", pieces.heroes)
        self._laid = [slots.marks(f"{name}/laid by {seat}", pieces.cards) for seat in seats]
        self._up = [slots.marks(f"{name}/up of {seat}", pieces.heroes) for seat in seats]

    def tell(self, prizes: Iterable[str], sides: Iterable[Sequence[str]], own: int, marks: list[int]) -> None:
        """Adds the marks that are 1 for what lies on a ground, as seat `own` sees it: prizes, and each seat's cards."""
        marks += map(self._prizes.__getitem__, prizes)
        for seat, side in enumerate(sides, 1):
            if side:
                marks += map(self._laid[(seat - own) % self._players].__getitem__, side)

    def tell_heroes(self, seat: int, cards: Sequence[str], own: int, marks: list[int]) -> None:
        """Adds those for heroes of a seat that stand face up, in the order in which they were laid."""
        marks += map(self._up[(seat - own) % self._players].__getitem__, cards)

    def tell_last(self, card: str, marks: list[int]) -> None:
        """Adds that for the hero that was laid last."""
        marks.append(self._last[card])
