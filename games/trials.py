"""Trials of strength between heroes, shared by the games of the Manitou family (BM-5.4, MA-5.3, MA-5.4).

At most one seat has face-up heroes on a ground, one or two of them (BM-R26, MA-R20): the *defenders*, in the order
in which they were laid.
"""

from collections.abc import Mapping, Set
from typing import Literal, NamedTuple

Relation = Literal["attacker_beats", "defender_beats", "identical"]
Beats = Mapping[str, Set[str]]


class Trial(NamedTuple):
    """How a trial ends: who fought, and who of the two is turned face down."""

    contest: Literal["single", "pair"]
    defender: str
    protected: str | None
    relation: Relation
    attacker_down: bool
    defender_down: bool


def hero_of(card: str) -> str:
    """The hero that a card shows: `chief` of `chief-2`."""
    return card.rpartition("-")[0]


def relation(beats: Beats, attacker: str, defender: str) -> Relation:
    """How the hero `attacker` fares against the hero `defender` (BM-1.5, MA-5.2)."""
    if attacker == defender:
        return "identical"
    return "attacker_beats" if defender in beats[attacker] else "defender_beats"


def trial(
    beats: Beats, attacker: str, defenders: tuple[str, ...], *, attacks_last: bool = True, equal_suffices: bool = True
) -> Trial:
    """The card `attacker` against the card or the pair that lies there (BM-5.4a, BM-5.4b, MA-5.3, MA-5.4).

    Of a pair the one laid last is attacked, or the first without `attacks_last`; against a pair an identical hero
    succeeds if `equal_suffices`, and an attacker that does not succeed falls alone.
    """
    if len(defenders) == 1:
        found = relation(beats, hero_of(attacker), hero_of(defenders[0]))
        return Trial("single", defenders[0], None, found, found != "attacker_beats", found != "defender_beats")
    first, last = defenders
    defender, protected = (last, first) if attacks_last else (first, last)
    found = relation(beats, hero_of(attacker), hero_of(defender))
    succeeds = found == "attacker_beats" or (found == "identical" and equal_suffices)
    return Trial("pair", defender, protected, found, attacker_down=True, defender_down=succeeds)
