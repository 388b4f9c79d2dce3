"""What the codings of Manitou and Big Manitou share: the choice of a party, and the slots of a ground."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.manitou_family_parties import ChooseParty, PartyChoice
from wintercount.env.choices import AnyOf
from wintercount.env.layout import Actions, Slots


class PartyActions:
    """The actions by which a party is chosen, card by card."""

    def __init__(self, actions: Actions, cards: Sequence[str]) -> None:
        self.numbers = actions.add("choose", cards)
        self._card_of = dict(zip(self.numbers, cards, strict=True))
        self._number_of = {card: action for action, card in self._card_of.items()}

    def choose(self, entry: PartyChoice) -> AnyOf:
        """Opens the choice."""
        return AnyOf([self._number_of[card] for card in entry.from_], entry.choose, self._party)

    def _party(self, actions: Sequence[int]) -> ChooseParty:
        return ChooseParty(tuple([self._card_of[action] for action in actions]))

    def spell(self, move: ChooseParty) -> Sequence[int]:
        """Returns the actions that make a party."""
        return sorted(self._number_of[card] for card in move.cards)


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
        self._prizes = slots.marks(f"{name}/{pieces.prize}", pieces.prizes)
        self._last = slots.marks(f"{name}/last up", pieces.heroes)
        self._laid = [slots.marks(f"{name}/laid by {seat}", pieces.cards) for seat in seats]
        self._up = [slots.marks(f"{name}/up of {seat}", pieces.heroes) for seat in seats]

    def marks(self, row: Any, prizes: Sequence[str], own: int) -> list[int]:
        """Returns the marks of the view's `row` of the ground, as seat `own` sees it."""
        players = len(self._laid)
        marks = [self._prizes[prize] for prize in prizes]
        marks += [self._laid[(side.seat - own) % players][card.card] for side in row.sides for card in side.cards]
        marks += [self._up[(hero.seat - own) % players][hero.card] for hero in row.heroes]
        return marks + [self._last[hero.card] for hero in row.heroes[-1:]]
