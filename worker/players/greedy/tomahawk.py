"""Greedy Tomahawk: what each card may bring at each pile, tried against what the opponent may hold; the best placement.

A card at a pile is worth what it wins and loses on average over a few ways in which the battle there may go on: scalps, and
the animals of the territory. What a card could bring later is its price. The unit is one victory point.
"""

import random
from collections.abc import Callable, Sequence
from itertools import permutations
from statistics import fmean
from typing import NamedTuple

import msgspec

from games.kernel import Event, Move
from games.tomahawk import View
from games.tomahawk.battle import animals_multiplier, battle
from games.tomahawk.components import TURNS, TerritoryFace
from games.tomahawk.imagine import free_faces, free_names
from games.tomahawk.memory import Memory
from games.tomahawk.moves import ChooseSpecials, Kept, LookInForests, Placement, PlayCards
from games.tomahawk.options import Options
from games.tomahawk.rows import Card
from games.tomahawk.sight import PileView, SeatView
from games.tomahawk.slots import CHARMED

FUTURES = 16  # ways in which a battle may go on; more are slower and hardly stronger

WEIGHTS = {
    "value": 0.2,
    "dance": 0.5,
    "hair": 0.3,
    "whim": 0.1,
}
# What a special is worth when it is kept for later, and among specials.
SPECIALS = {
    "great_spirit": 2.0,
    "shifting_spirit": 1.0,
    "sequoia_heart": 1.0,
    "dusk_dance": 1.0,
    "windswept_skull": 2.0,
    "sky_power": 1.5,
    "teasing_cloud": 1.5,
}

Fighter = tuple[Card, int]  # a warrior and its value after the effects of characters


class Future(NamedTuple):
    """How a battle may go on: the warriors there, seen and guessed, and the card that one of this turn would face."""

    own: tuple[Fighter, ...]
    rival: tuple[Fighter, ...]
    faces: Card


def choose(view: View, feed: Sequence[Event], luck: random.Random) -> Move:
    """The move that looks best to `view.seat`; a whim of luck tells equal ones apart."""
    return DECISIONS[view.phase](view, feed, luck)


def _specials(view: View, _feed: Sequence[Event], luck: random.Random) -> Move:
    """Keep the two best specials, and get rid of the longest hair."""
    seat = _own(view)
    faces, dealt = _known(seat.faces), _known(seat.dealt)
    best = sorted(dealt, key=lambda card: SPECIALS[card.name] + luck.random() * WEIGHTS["whim"])[-2:]
    kept: list[Kept] = []
    for special in best:
        same = [f for f in faces if f.value == special.value and f.card not in [row.replaces for row in kept]]
        kept.append(Kept(special.card, max(same, key=lambda card: (card.hair, luck.random())).card))
    return ChooseSpecials(tuple(kept))


def _look(_view: View, _feed: Sequence[Event], _luck: random.Random) -> Move:
    """To look costs nothing."""
    return LookInForests()


def _place(view: View, feed: Sequence[Event], luck: random.Random) -> Move:
    """The placement with the highest sum."""
    hand = _known(_own(view).hand)
    rivals = _rivals(view, feed)
    piles = [
        pile
        for pile in view.piles
        if view.forced is None or (view.forced.seat, view.forced.pile) != (view.seat, pile.pile)
    ]
    worths = [_worths(view, pile, hand, rivals, luck) for pile in piles]
    places = range(len(piles))
    best = max(permutations(range(len(hand)), len(piles)), key=lambda cards: sum([worths[n][cards[n]] for n in places]))
    return PlayCards(tuple(Placement(pile.pile, hand[n].card) for pile, n in zip(piles, best, strict=True)))  # type: ignore[arg-type]  # piles are 1 to 4


def _worths(
    view: View, pile: PileView, hand: Sequence[Card], rivals: Sequence[Card], luck: random.Random
) -> list[float]:
    """What each card of the hand is worth at a pile."""
    face, turns = _face(pile), pile.territory.turns if pile.territory else 0
    to_come = turns - len(pile.slots) - 1
    futures = [_future(view, pile, hand, rivals, to_come, luck) for _ in range(FUTURES)]
    dances = to_come > 0 and face.terrain != "forest"
    worths = []
    for card in hand:
        worth = fmean([_outcome(view.options, face, view.seat or 0, card, future) for future in futures])
        worth += WEIGHTS["dance"] if dances and card.name == "dusk_dance" else 0.0
        worths.append(worth - (_price(card) if view.turn < TURNS else 0.0) + luck.random() * WEIGHTS["whim"])
    return worths


def _price(card: Card) -> float:
    """What is given up by not keeping a card for later."""
    return SPECIALS.get(card.name, WEIGHTS["value"] * card.value - WEIGHTS["hair"] * card.hair)


def _outcome(options: Options, face: TerritoryFace, seat: int, card: Card, future: Future) -> float:
    """The points that a card brings at a territory in one future, less those that it brings the opponent."""
    value, other = _values(card, future.faces)
    sides = [(*future.own, (card, value)), (*future.rival, (future.faces, other))]
    first, second = sides if seat == 1 else sides[::-1]
    found = battle(
        options,
        face,
        (tuple([c for c, _ in first]), tuple([c for c, _ in second])),
        (tuple([v for _, v in first]), tuple([v for _, v in second])),
    )
    prize = face.animals * animals_multiplier(found) if found.winner else 0
    return _scalps(card, value, future.faces, other) + (prize if found.winner == seat else -prize)


def _values(one: Card, two: Card) -> tuple[int, int]:
    """The values of two warriors face to face (TO-5.3)."""
    first = two.value if one.name == "sky_power" else one.value
    second = one.value if two.name == "sky_power" else two.value
    return (
        0 if two.name == "teasing_cloud" and first in CHARMED else first,
        0 if one.name == "teasing_cloud" and second in CHARMED else second,
    )


def _scalps(one: Card, first: int, two: Card, second: int) -> int:
    """The tokens that `one` takes from `two`, less those that it loses (TO-5.5)."""
    if first > second:
        return two.hair * (2 if one.name == "windswept_skull" else 1)
    return -one.hair * (2 if two.name == "windswept_skull" else 1) if first < second else 0


# What may be


def _future(
    view: View, pile: PileView, hand: Sequence[Card], rivals: Sequence[Card], to_come: int, luck: random.Random
) -> Future:
    """One way in which the battle at a pile may go on."""
    me = (view.seat or 0) - 1
    pairs: list[tuple[Fighter, Fighter]] = []
    for slot in pile.slots:
        mine, other = slot.cards[me], slot.cards[1 - me]
        own = mine.card if isinstance(mine.card, Card) else luck.choice(hand)
        rival = other.card if isinstance(other.card, Card) else luck.choice(rivals)
        values = (mine.value, other.value)
        pairs.append(((own, values[0]), (rival, values[1])) if isinstance(values[0], int) else _guess(own, rival))
    pairs += [_guess(luck.choice(hand), luck.choice(rivals)) for _ in range(to_come)]
    laid = [row.card for row in pile.laid if row.seat != view.seat and isinstance(row.card, Card)]
    own_side, rival_side = zip(*pairs, strict=True) if pairs else ((), ())
    return Future(own_side, rival_side, laid[0] if laid else luck.choice(rivals))


def _guess(own: Card, rival: Card) -> tuple[Fighter, Fighter]:
    first, second = _values(own, rival)
    return (own, first), (rival, second)


def _rivals(view: View, feed: Sequence[Event]) -> list[Card]:
    """The cards that the opponent may still have: the faces of its tribe and the specials that were not seen."""
    memory, rival = Memory(view, feed), 3 - (view.seat or 0)
    by_name = {special.name: special for special in view.components.specials}
    warriors = [Card("?", "warrior", face.value, face.hair) for face in free_faces(memory, rival)]
    return warriors + [Card("?", name, by_name[name].value, by_name[name].hair) for name in free_names(memory)]


def _face(pile: PileView) -> TerritoryFace:
    return msgspec.convert(pile.territory, TerritoryFace, from_attributes=True)


def _own(view: View) -> SeatView:
    return view.seats[(view.seat or 0) - 1]


def _known(cards: tuple[Card, ...] | msgspec.UnsetType) -> tuple[Card, ...]:
    """Cards that the view shows its own seat."""
    return () if isinstance(cards, msgspec.UnsetType) else cards


DECISIONS: dict[str, Callable[[View, Sequence[Event], random.Random], Move]] = {
    "choose_specials": _specials,
    "play_cards": _place,
    "mountain_look": _look,
}
