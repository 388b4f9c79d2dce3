"""Greedy Tomahawk: values each card at each pile against the cards the opponent may hold, and chooses the best sum.

The value of a card at a pile is what it wins and loses on average over a few continuations of the battle: scalps and
the animals of the territory. Its price is what it could bring later. The unit is one victory point.
"""

import random
from collections.abc import Callable, Sequence
from heapq import nlargest
from itertools import permutations
from operator import getitem
from statistics import fmean
from typing import NamedTuple

import msgspec

from games.kernel import Event
from games.tomahawk.battles import fought
from games.tomahawk.components import TURNS, TerritoryFace
from games.tomahawk.events import Card
from games.tomahawk.house_rules import Options
from games.tomahawk.imagine import Memory, free_faces, free_names
from games.tomahawk.moves import ChooseSpecials, Kept, LookInForests, Placement, PlayCards
from games.tomahawk.sight import PileView, SeatView, SlotCard, View
from games.tomahawk.slots import Warrior, can_dance, scalps, values_of, warrior_of
from worker.players import Candidate
from worker.players.float_sums import added

NOISE = 20.0  # points by which a novice misjudges a move at most

FUTURES = 10  # continuations of a battle; more are slower and hardly stronger
CHOICES = 100  # placements that are returned
WHIM = 0.1  # random addition, so that nobody can predict a placement

# What is given up by playing a card now and not later. The price of a point of value comes from 160 games of this
# player against itself at each of 0.1, 0.35 and 0.5 (against 0.2: 47, 58 and 57 % won), where a price on hair did not
# help; the prices of the specials are set by hand from what they do.
PRICE_OF_VALUE = 0.4
PRICES = {
    "great_spirit": 2.0,
    "shifting_spirit": 1.6,
    "sequoia_heart": 2.2,
    "dusk_dance": 1.6,
    "windswept_skull": 3.0,
    "sky_power": 2.0,
    "teasing_cloud": 1.6,
}
DANCE = 0.5  # that the opponent's next card there is any of the four it holds back

# Points by which a side that kept the special won or lost on average, in 700 such games with specials kept at random.
KEEPING = {
    "great_spirit": -0.5,
    "shifting_spirit": 2.1,
    "sequoia_heart": -0.2,
    "dusk_dance": -1.4,
    "windswept_skull": -0.5,
    "sky_power": 1.2,
    "teasing_cloud": -1.1,
}

Fighter = tuple[Warrior, int]  # a warrior and its value after the effects of characters


class Future(NamedTuple):
    """How a battle may go on: the warriors there, seen and guessed, and the card that one of this turn would face."""

    own: tuple[Fighter, ...]
    rival: tuple[Fighter, ...]
    faces: Warrior


def weigh(view: View, feed: Sequence[Event], luck: random.Random) -> list[Candidate]:
    """The moves that look best to `view.seat`, best first; a whim of luck tells equal ones apart."""
    if view.phase == "play_cards":
        hand = _known(_own(view).hand)
        guess = Guess(view.seat or 0, [warrior_of(card) for card in hand], _rivals(view, feed), luck)
        return _place(view, hand, guess)
    return DECISIONS[view.phase](view, feed, luck)


def _specials(view: View, _feed: Sequence[Event], luck: random.Random) -> list[Candidate]:
    """Keep the two best specials, and get rid of the longest hair."""
    seat = _own(view)
    faces, dealt = _known(seat.faces), _known(seat.dealt)
    best = sorted(dealt, key=lambda card: KEEPING[card.name] + luck.random())[-2:]
    kept: list[Kept] = []
    for special in best:
        same = [f for f in faces if f.value == special.value and f.card not in [row.replaces for row in kept]]
        kept.append(Kept(special.card, max(same, key=lambda card: (card.hair, luck.random())).card))
    return [Candidate(ChooseSpecials(tuple(kept)), 0, 0.0)]


def _look(_view: View, _feed: Sequence[Event], _luck: random.Random) -> list[Candidate]:
    """To look costs nothing."""
    return [Candidate(LookInForests(), 0, 0.0)]


def _place(view: View, hand: Sequence[Card], guess: "Guess") -> list[Candidate]:
    """The placements with the highest sums."""
    piles = [pile for pile in view.piles if not _is_forced(view, pile)]
    expectations = [_expectations(view, pile, guess) for pile in piles]
    sums = [(added(map(getitem, expectations, cards)), cards) for cards in permutations(range(len(hand)), len(piles))]
    return [
        Candidate(
            PlayCards(tuple([Placement(p.pile, hand[n].card) for p, n in zip(piles, cards, strict=True)])), 0, expected
        )
        for expected, cards in nlargest(CHOICES, sums)
    ]


def _is_forced(view: View, pile: PileView) -> bool:
    return view.forced is not None and (view.forced.seat, view.forced.pile) == (view.seat, pile.pile)


def _expectations(view: View, pile: PileView, guess: "Guess") -> list[float]:
    """What each card of the hand is worth at a pile."""
    face = msgspec.convert(pile.territory, TerritoryFace, from_attributes=True)
    to_come = face.turns - len(pile.slots) - 1
    futures = [guess.future(pile, to_come) for _ in range(FUTURES)]
    dances = can_dance(face, len(pile.slots) + 1)
    expectations = []
    for card in guess.hand:
        expected = fmean([_outcome(view.options, face, card, future) for future in futures])
        expected += DANCE if dances and card[0] == "dusk_dance" else 0.0
        expectations.append(expected - (_price(card) if view.turn < TURNS else 0.0) + guess.luck.random() * WHIM)
    return expectations


def _price(card: Warrior) -> float:
    """Returns the cost of not keeping a card for later."""
    name, value, _ = card
    return PRICES.get(name, PRICE_OF_VALUE * value)


def _outcome(options: Options, face: TerritoryFace, card: Warrior, future: Future) -> float:
    """The points that a card brings at a territory in one future, less those that it brings the opponent."""
    value, other = values_of(card, future.faces)
    sides = [(*future.own, (card, value)), (*future.rival, (future.faces, other))]
    names = ([warrior[0] for warrior, _ in sides[0]], [warrior[0] for warrior, _ in sides[1]])
    found = fought(options, face, names, ([value for _, value in sides[0]], [value for _, value in sides[1]]))
    prize = face.animals * found.multiplier
    return scalps(card, future.faces, value, other) + (prize, -prize, 0)[found.winner]


# What may be


class Guess(NamedTuple):
    """What one seat holds, and what its opponent may hold."""

    seat: int
    hand: Sequence[Warrior]
    rivals: Sequence[Warrior]
    luck: random.Random

    def future(self, pile: PileView, to_come: int) -> Future:
        """One way in which the battle at a pile may go on, with `to_come` slots after the one of this turn."""
        slots = [self._slot(*(slot.cards[n] for n in (self.seat - 1, 2 - self.seat))) for slot in pile.slots]
        slots += [self._slot(SlotCard(0), SlotCard(0)) for _ in range(to_come)]
        laid = next((row.card for row in pile.laid if row.seat != self.seat), msgspec.UNSET)
        return Future(tuple([own for own, _ in slots]), tuple([rival for _, rival in slots]), self._rival(laid))

    def _slot(self, own: SlotCard, rival: SlotCard) -> tuple[Fighter, Fighter]:
        """The warriors of a slot; of one that is not face up, guessed as far as they are not known."""
        mine = self.luck.choice(self.hand) if isinstance(own.card, msgspec.UnsetType) else warrior_of(own.card)
        other = self._rival(rival.card)
        if isinstance(own.value, int) and isinstance(rival.value, int):
            return (mine, own.value), (other, rival.value)
        first, second = values_of(mine, other)
        return (mine, first), (other, second)

    def _rival(self, card: Card | msgspec.UnsetType) -> Warrior:
        return self.luck.choice(self.rivals) if isinstance(card, msgspec.UnsetType) else warrior_of(card)


def _rivals(view: View, feed: Sequence[Event]) -> list[Warrior]:
    """The cards that the opponent may still have: the faces of its tribe and the specials that were not seen."""
    memory, rival = Memory(view, feed), 3 - (view.seat or 0)
    free = free_names(memory)
    specials = {special.name: (special.name, special.value, special.hair) for special in view.components.specials}
    warriors = [("warrior", face.value, face.hair) for face in free_faces(memory, rival)]
    return warriors + [specials[name] for name in free]


def _own(view: View) -> SeatView:
    return view.seats[(view.seat or 0) - 1]


def _known(cards: tuple[Card, ...] | msgspec.UnsetType) -> tuple[Card, ...]:
    """Cards that the view shows its own seat."""
    return () if isinstance(cards, msgspec.UnsetType) else cards


DECISIONS: dict[str, Callable[[View, Sequence[Event], random.Random], list[Candidate]]] = {
    "choose_specials": _specials,
    "mountain_look": _look,
}
