"""A whole state that agrees with what a seat has seen: its view and its feed.

What the view shows is as it is. The feed is read as passages of cards (`passages`), and a card is found for each of
them that fits all that was seen (`courses`), and then at random (`mixing`): so hands, pile and gift hold what may have
come there by the very events of the feed, all ways being equally likely as far as exchanges can make them so.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from games.kernel import Chance
from games.plenty_coups.components import COUP_STICK, DECK, in_order
from games.plenty_coups.imagine.card_paths import CardPaths, Effort
from games.plenty_coups.imagine.resampling import mix
from games.plenty_coups.imagine.shown import Cards, Cover, state_shown
from games.plenty_coups.imagine.transfers import GIFT, Reading
from games.plenty_coups.sight import View
from games.plenty_coups.state import State

_EFFORTS = (*[Effort(4, 300)] * 6, *[Effort(5, 1000)] * 4, Effort(4, 300))


def imagine(view: View, feed: Sequence[Any], chance: Chance) -> State:
    """A state that the reader of `view` and `feed` may take for the true one; the true one once the game is over."""
    reading = Reading(view, feed)
    hidden = Hidden(view, reading, chance)
    return state_shown(view, Cover(hidden.hands, hidden.pile, hidden.gift, reading.discards))


class Hidden:
    """The cards that the view does not show, as they may be."""

    def __init__(self, view: View, reading: Reading, chance: Chance) -> None:
        self.hands = [camp.hand if isinstance(camp.hand, tuple) else () for camp in view.camps]
        self.gift = view.offer.give if view.offer and isinstance(view.offer.give, str) else ""
        self.pile: Cards = ()
        if isinstance(view.pile, tuple):
            self.pile = view.pile
        elif not reading.shuffles:
            self.pile = DECK
        else:
            self._deal(view, reading, chance)

    def _deal(self, view: View, reading: Reading, chance: Chance) -> None:
        lying = _lying(view, reading, chance)
        for pile in reading.piles:
            cards = in_order(lying[pile.place])
            self.pile += pile.order or tuple(chance("imagine", cards, len(cards)))
        for place, camp in enumerate(view.camps):
            if not isinstance(camp.hand, tuple):
                self.hands[place] = in_order(lying[place])
        if view.offer and not self.gift:
            (self.gift,) = lying[GIFT]


def _lying(view: View, reading: Reading, chance: Chance) -> dict[int, list[str]]:
    """The cards unseen, by their places."""
    card_paths = _courses(reading, chance)
    lying = defaultdict(
        list, {place: [card_paths.face[at] for at in cards] for place, cards in card_paths.present.items()}
    )
    unseen = Counter(DECK) - Counter(_seen(view))
    strange = list((Counter(face for faces in lying.values() for face in faces) - unseen).elements())
    missing = list((unseen - Counter(face for faces in lying.values() for face in faces)).elements())
    for face, instead in zip(strange, missing, strict=True):  # where courses that fit were not found
        faces = next(faces for faces in lying.values() if face in faces)
        faces[faces.index(face)] = instead
    return lying


def _seen(view: View) -> Iterator[str]:
    """The cards that the view shows, wherever they lie."""
    yield from (*view.display, *view.discards, *(proposal.card for proposal in view.proposals))
    for raid in view.raids:
        yield from raid.cards
    for camp in view.camps:
        yield from camp.hand if isinstance(camp.hand, tuple) else ()
        yield from (camp.ally_card,) if camp.ally_card else ()
        yield from (COUP_STICK,) * camp.disdained
    if view.offer and isinstance(view.offer.give, str):
        yield view.offer.give


def _courses(reading: Reading, chance: Chance) -> CardPaths:
    """Courses that fit, sought with more and more effort; after dozens of gifts unseen they may not be found."""
    for effort in _EFFORTS:
        card_paths = CardPaths(reading, chance, effort)
        if card_paths.find(must=effort is _EFFORTS[-1]):
            break
    mix(card_paths)
    return card_paths
