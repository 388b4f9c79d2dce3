"""Features of a seat for statistics, such as its first ground, read from event payloads.

A game's `features` maps event types to functions that read features from a payload. If several events give the same
feature of a seat, the first counts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Feature(NamedTuple):
    """A feature of a seat, and its value, which is one of a few."""

    seat: int
    name: str
    value: str


Told = Callable[[Mapping[str, Any]], Iterable[Feature]]
Features = Mapping[str, Told]  # by the type of the event


def is_so(seat: int, name: str, holds: object) -> Feature:
    """Returns a feature whose value is yes or no."""
    return Feature(seat, name, "yes" if holds else "no")


# Shared by games with parties

HUNTER = "hunter"


def first_party(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """Yields features of the seat's party on the first hunt: heroes, composition, and the hunters' total strength."""
    if payload["hunt"] == 1:
        seat, cards = payload["seat"], [card.split("-") for card in payload["cards"]]
        strengths = [int(card[1]) for card in cards if card[0] == HUNTER]
        yield Feature(seat, "heroes_in_first_party", str(len(cards) - len(strengths)))
        yield Feature(seat, "first_party", composition(kind for kind, *_ in cards))
        yield Feature(seat, "hunters_strength_in_first_party", str(sum(strengths)))


def composition(kinds: Iterable[str]) -> str:
    """Returns a party as text, like `chief:1 hunter:6 scout:1`, in alphabetical order."""
    return " ".join(f"{kind}:{number}" for kind, number in sorted(Counter(kinds).items()))


def first_card(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """Yields the ground and the kind of the seat's first card."""
    yield Feature(payload["seat"], "first_ground", str(payload["ground"]))
    yield Feature(payload["seat"], "first_card", payload["card"].partition("-")[0])
