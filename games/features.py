"""What statistics count: features of a seat, such as its first ground, read from the events.

A game names in `features` the events that have some, and how they are read from the event's payload. If several events
give the same feature of a seat, the first counts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Feature(NamedTuple):
    """A feature of a seat, and which of a few values it has."""

    seat: int
    name: str
    value: str


Told = Callable[[Mapping[str, Any]], Iterable[Feature]]
Features = Mapping[str, Told]  # by the type of the event


def is_so(seat: int, name: str, holds: object) -> Feature:
    """A feature whose value is yes or no."""
    return Feature(seat, name, "yes" if holds else "no")


# What games with parties share

HUNTER = "hunter"


def first_party(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """The seat's party on the first hunt: how many heroes, all its cards, and how strong its hunters are.

    The strength of hunters is only summed up, so that there are few enough parties to count.
    """
    if payload["hunt"] == 1:
        seat, cards = payload["seat"], [card.split("-") for card in payload["cards"]]
        strengths = [int(card[1]) for card in cards if card[0] == HUNTER]
        yield Feature(seat, "heroes_in_first_party", str(len(cards) - len(strengths)))
        yield Feature(seat, "first_party", composition(kind for kind, *_ in cards))
        yield Feature(seat, "hunters_strength_in_first_party", str(sum(strengths)))


def composition(kinds: Iterable[str]) -> str:
    """A party as text: each kind of card with its number, like `chief:1 hunter:6 scout:1`, in alphabetical order."""
    return " ".join(f"{kind}:{number}" for kind, number in sorted(Counter(kinds).items()))


def first_card(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """On which ground the seat lays its first card, and what kind of card that is."""
    yield Feature(payload["seat"], "first_ground", str(payload["ground"]))
    yield Feature(payload["seat"], "first_card", payload["card"].partition("-")[0])
