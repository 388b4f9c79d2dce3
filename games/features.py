"""What statistics tell of a game: features of a seat, such as its first ground, as the events tell them.

A game names in `features` which of its events tell some, and how they are read from the event's payload in whatever
form it has. Of what several events tell of a seat, the first counts.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Feature(NamedTuple):
    """A seat, what is told of it, and which of a few values that has."""

    seat: int
    name: str
    value: str


Told = Callable[[Mapping[str, Any]], Iterable[Feature]]
Features = Mapping[str, Told]  # by the type of the event


def is_so(seat: int, name: str, holds: object) -> Feature:
    """A feature that is there or not."""
    return Feature(seat, name, "yes" if holds else "no")


# What games with parties share


def first_party(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """How many heroes the seat takes along on the first hunt."""
    if payload["hunt"] == 1:
        heroes = sum(not card.startswith("hunter-") for card in payload["cards"])
        yield Feature(payload["seat"], "heroes_in_first_party", str(heroes))


def first_card(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """On which ground the seat lays its first card, and what kind of card that is."""
    yield Feature(payload["seat"], "first_ground", str(payload["ground"]))
    yield Feature(payload["seat"], "first_card", payload["card"].partition("-")[0])
