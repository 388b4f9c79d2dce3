"""Parties of hunters and heroes, shared by the games of the Manitou family: choosing, dealing, counting strength.

The rules of both games carry the same numbers (BM-4.2, MA-4.2), so refusals differ only in the prefix of the game.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec
from msgspec import UnsetType

from games.kernel import Chance, Event, Move, MoveRefused, MoveSet

HAND_SIZE = 3  # BM-3.7, MA-3.4: the initial and the largest size of a hand


Secret = tuple[str, ...] | UnsetType  # unset for seats that may not read it (BM-7.6, MA-7.4)


class SeatCard(msgspec.Struct, frozen=True, gc=False):
    """A card and the seat that owns it: the same card id exists in every deck."""

    seat: int
    card: str


class SeatCards(msgspec.Struct, frozen=True, gc=False):
    """Some cards of a seat."""

    seat: int
    cards: tuple[str, ...]


class LaidCard(msgspec.Struct, frozen=True, gc=False):
    """A card on a ground; a hero turned down is not face up."""

    card: str
    face_up: bool


class SideView(msgspec.Struct, frozen=True, gc=False):
    """A seat's cards on a ground, in the order laid."""

    seat: int
    cards: tuple[LaidCard, ...]


class PartySize(msgspec.Struct, frozen=True, gc=False):
    """The number of cards that a seat takes on a hunt."""

    seat: int
    size: int


class HuntEvent(Event, frozen=True, gc=False):
    """An event of a hunt."""

    hunt: int


class SeatEvent(HuntEvent, frozen=True, gc=False):
    """An event of a seat in a hunt."""

    seat: int


class ChooseParty(Move, frozen=True, gc=False):
    """BM-4.2, MA-4.2: the cards that a seat takes on the hunt; their order has no meaning."""

    cards: tuple[str, ...]


class PartyChoice(MoveSet, frozen=True, tag="choose_party", gc=False):
    """BM-4.10, MA-4.6: any `choose` cards of the reserve."""

    choose: int
    from_: tuple[str, ...] = msgspec.field(name="from")

    def expansions(self) -> Iterator[ChooseParty]:
        """Yields every party of the right size, cards in deck order."""
        return (ChooseParty(cards) for cards in combinations(self.from_, self.choose))

    def sample(self, chance: Chance) -> ChooseParty:
        """Returns one party, each equally likely."""
        return ChooseParty(chance("choose_party", self.from_, self.choose))


def turn_order(dealer: int, players: int) -> tuple[int, ...]:
    """Returns the seats clockwise, from the dealer's left to the dealer (BM-3.3, MA-3.2)."""
    return (*range(dealer + 1, players + 1), *range(1, dealer + 1))


def check_party(prefix: str, cards: Sequence[str], size: int, reserve: Collection[str]) -> None:
    """BM-4.2a to BM-4.2c, MA-4.2a to MA-4.2c: a party is `size` different cards of the reserve."""
    if len(cards) != size:
        raise MoveRefused(f"{prefix}-4.2a", f"the party has {size} cards, not {len(cards)}")
    if len(set(cards)) != size:
        twice = next(card for card in cards if cards.count(card) > 1)
        raise MoveRefused(f"{prefix}-4.2b", f"{twice} appears twice")
    for card in cards:
        if card not in reserve:
            raise MoveRefused(f"{prefix}-4.2c", f"{card} is not in the reserve")


def shuffled(chance: Chance, party: tuple[str, ...]) -> tuple[str, ...]:
    """Shuffles a party (sorted) into a face-down pile, the top card first (BM-3.7, MA-3.4)."""
    return chance("shuffle_party", party, len(party))


def strength(card: str) -> int:
    """Returns the printed strength of a hunter: 5 for `hunter-5` and `hunter-5-1`."""
    return int(card.split("-")[1])


def penalised(totals: Mapping[int, int], order: Sequence[int]) -> tuple[int, ...]:
    """Returns the seats with the highest total of hunters, in turn order; none if it is 0 (BM-5.5, MA-5.6)."""
    highest = max(totals.values())
    return tuple([seat for seat in order if totals[seat] == highest]) if highest else ()
