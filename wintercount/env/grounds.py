"""What the codings of Manitou and Big Manitou share: a ground, what can be won there, who laid what, who is face up."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wintercount.env.layout import Slots


class Pieces(NamedTuple):
    """What may lie on a ground of a game: what can be won there, by its name and piece by piece, cards, and heroes."""

    prize: str
    prizes: Sequence[str]
    cards: Sequence[str]
    heroes: Sequence[str]


class GroundSlots:
    """The slots of a ground: its prizes, each seat's cards, its heroes face up, and of two the one laid last."""

    def __init__(self, slots: Slots, ground: int, players: int, pieces: Pieces) -> None:
        name = f"ground {ground}"
        self._players = players
        self._prizes = slots.marks(f"{name}/{pieces.prize}", pieces.prizes)
        self._last = slots.marks(f"{name}/last up", pieces.heroes)
        self._laid = [slots.marks(f"{name}/laid by {distance}", pieces.cards) for distance in range(players)]
        self._up = [slots.marks(f"{name}/up of {distance}", pieces.heroes) for distance in range(players)]

    def tell(self, ground: Any, prizes: Iterable[str], own: int, marks: list[int]) -> None:
        """Adds the marks that are 1 for what seat `own` sees of a ground."""
        marks += map(self._prizes.__getitem__, prizes)
        for side in ground.sides:
            laid = self._laid[(side.seat - own) % self._players]
            marks += [laid[row.card] for row in side.cards]
        for hero in ground.heroes:
            marks.append(self._up[(hero.seat - own) % self._players][hero.card])
        if ground.heroes:
            marks.append(self._last[ground.heroes[-1].card])
