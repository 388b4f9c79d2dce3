"""Trials of strength between heroes, shared by the games of the Manitou family (BM-5.4, MA-5.3, MA-5.4).

At most one seat has face-up heroes on a ground, one or two of them (BM-R26, MA-R20): the *defenders*, in the order
in which they were laid.
"""

from collections.abc import Collection, Mapping, Set
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from games.manitou_family_parties import SeatCard, SeatCards

Relation = Literal["attacker_beats", "defender_beats", "identical"]
Beats = Mapping[str, Set[str]]
Hero = TypeVar("Hero")


class Trial(NamedTuple):
    """The result of a trial: the defender, the protected hero, and who is turned face down."""

    contest: Literal["single", "pair"]
    defender: str
    protected: str | None
    relation: Relation
    attacker_down: bool
    defender_down: bool


class Attacker(msgspec.Struct, frozen=True, gc=False):
    """The hero just laid."""

    seat: int
    card: str
    hero: str


class Defender(Attacker, frozen=True, gc=False):
    """The hero attacked, and the other one of a pair."""

    protected: str | None


def hero_of(card: str) -> str:
    """Returns the hero on a card: `chief` for `chief-2`."""
    return card.rpartition("-")[0]


# Plain values: heroes may be names or numbers.


def relation(beats: Mapping[Hero, Collection[Hero]], attacker: Hero, defender: Hero) -> Relation:
    """Compares two heroes by the table `beats` (BM-1.5, MA-5.2)."""
    if attacker == defender:
        return "identical"
    return "attacker_beats" if defender in beats[attacker] else "defender_beats"


def attacked(defenders: tuple[Hero, ...], attacks_last: bool) -> tuple[Hero, Hero | None]:
    """Returns the hero attacked, the last or first one laid, and the other one of a pair (BM-5.4b, MA-5.4)."""
    if len(defenders) == 1:
        return defenders[0], None
    first, last = defenders
    return (last, first) if attacks_last else (first, last)


def falls(found: Relation, is_pair: bool, equal_suffices: bool) -> tuple[bool, bool]:
    """Returns whether attacker and defender are turned face down (BM-5.4a, BM-5.4b, MA-5.3, MA-5.4).

    Against a pair the attacker always falls; an identical hero succeeds only if `equal_suffices`.
    """
    if not is_pair:
        return found != "attacker_beats", found != "defender_beats"
    return True, found == "attacker_beats" or (found == "identical" and equal_suffices)


def has_two(counts_all: bool, laid: int, face_up: int) -> bool:
    """Returns whether a seat has two heroes on a ground, counting face-up or all laid ones (BM-4.5b, MA-4.5b)."""
    return (laid if counts_all else face_up) >= 2


# The cards


def trial(
    beats: Beats, attacker: str, defenders: tuple[str, ...], *, attacks_last: bool = True, equal_suffices: bool = True
) -> Trial:
    """Resolves the card `attacker` against one or two defenders (BM-5.4a, BM-5.4b, MA-5.3, MA-5.4)."""
    defender, protected = attacked(defenders, attacks_last)
    found, is_pair = relation(beats, hero_of(attacker), hero_of(defender)), protected is not None
    attacker_down, defender_down = falls(found, is_pair, equal_suffices)
    return Trial("pair" if is_pair else "single", defender, protected, found, attacker_down, defender_down)


def turned_by(found: Trial, attacker: SeatCard, theirs: SeatCards) -> dict[str, Any]:
    """Returns what the event of a trial states in every game: the heroes, and which of them are face up after it."""
    defender = SeatCard(theirs.seat, found.defender)
    down = (attacker,) * found.attacker_down + (defender,) * found.defender_down
    return {
        "contest": found.contest,
        "attacker": Attacker(attacker.seat, attacker.card, hero_of(attacker.card)),
        "defender": Defender(theirs.seat, found.defender, hero_of(found.defender), found.protected),
        "relation": found.relation,
        "turned_down": down,
        "face_up_after": standing(attacker, theirs, down),
    }


def standing(attacker: SeatCard, theirs: SeatCards, down: tuple[SeatCard, ...]) -> SeatCards | None:
    """Returns the heroes face up when these have been turned down."""
    if attacker not in down:
        return SeatCards(attacker.seat, (attacker.card,))
    left = tuple([card for card in theirs.cards if SeatCard(theirs.seat, card) not in down])
    return SeatCards(theirs.seat, left) if left else None
