"""What games with parties tell of them to statistics."""

from typing import Any

import pytest

from games import GAMES
from games.features import Feature, first_party

PARTIES = {  # cards, and what is told of them
    "big-manitou": (
        "hunter-1 hunter-8 hunter-9 hunter-10 chief-1 chief-2 scout-1",
        ("3", "chief:2 hunter:4 scout:1", "28"),
    ),
    "manitou": (
        "hunter-5-1 hunter-5-2 hunter-7 chief-1 medicine_man-1 medicine_man-2 scout-2 matriarch-1",
        ("5", "chief:1 hunter:3 matriarch:1 medicine_man:2 scout:1", "17"),
    ),
}
ENDS = [  # a seat's row of the last event, and what is told of it
    (
        "big-manitou",
        {"totem_cylinder": True, "horse_cylinder": False, "tomahawk_majority": True},
        {"totem_cylinder": "yes", "horse_cylinder": "no", "tomahawk_majority": "yes"},
    ),
    (
        "big-manitou",
        {"totem_cylinder": False, "horse_cylinder": True, "tomahawk_majority": False},
        {"totem_cylinder": "no", "horse_cylinder": "yes", "tomahawk_majority": "no"},
    ),
    ("manitou", {"prisoners": 2, "penalties": 0}, {"took_prisoners": "yes", "paid_penalty": "no"}),
    ("manitou", {"prisoners": 0, "penalties": 3}, {"took_prisoners": "no", "paid_penalty": "yes"}),
    ("tomahawk", {"bonus": 5, "scalps": 8, "territories": 7}, {"most_wanted": "yes", "scalps_over_territories": "yes"}),
    ("tomahawk", {"bonus": 0, "scalps": 7, "territories": 7}, {"most_wanted": "no", "scalps_over_territories": "no"}),
]
NAMES = ("heroes_in_first_party", "first_party", "hunters_strength_in_first_party")


def chosen(cards: list[str], hunt: int = 1) -> dict[str, Any]:
    return {"hunt": hunt, "seat": 2, "count": len(cards), "cards": cards}


@pytest.mark.parametrize("slug", PARTIES)
def test_a_first_party_is_told_whole(slug: str) -> None:
    """MA-3.4, BM-3.6: each kind of card with its number; hunters by how strong they are together."""
    cards, told = PARTIES[slug]
    expected = [Feature(2, name, value) for name, value in zip(NAMES, told, strict=True)]
    assert list(GAMES[slug].features["PartyChosen"](chosen(cards.split()))) == expected
    assert list(first_party(chosen(cards.split()[::-1]))) == expected


def test_a_party_of_hunters_alone_is_told() -> None:
    """It has no heroes."""
    told = {name: value for _, name, value in first_party(chosen(["hunter-1", "hunter-2"]))}
    assert told == dict(zip(NAMES, ("0", "hunter:2", "3"), strict=True))


def test_parties_of_later_hunts_are_not_told() -> None:
    """They depend on what is left."""
    assert list(first_party(chosen(["hunter-1"], hunt=2))) == []


@pytest.mark.parametrize(("slug", "row", "told"), ENDS)
def test_the_end_is_told_by_what_a_seat_has_of_it(slug: str, row: dict[str, Any], told: dict[str, str]) -> None:
    """BM-6.2, MA-6.2, TO-6.2, TO-6.3: the parts of a score that a seat has or has not."""
    found = GAMES[slug].features["GameEnded"]({"scores": [{"seat": 2} | row]})
    assert list(found) == [Feature(2, name, answer) for name, answer in told.items()]
