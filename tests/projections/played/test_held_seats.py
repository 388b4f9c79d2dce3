"""Seats and people of games played, as the search for pairs that favour each other reads them."""

import sqlite3

import pytest

from projections.played import ratings
from projections.played.damage import unlisted
from projections.played.database import FORM
from projections.played.entering import enter
from projections.played.mutual_favour import rated_games, seated_together
from projections.played.plackett_luce import NEW, after
from projections.sqlite_files import opened, transaction
from tests.projections.played.synthetic import BEGUN_MS, game


@pytest.fixture
def database() -> sqlite3.Connection:
    """Games of two and of three, as they are kept and rated."""
    found = opened(None, FORM)
    played = [
        game(1, 0, ("p_ann", "p_ben"), (1, 2)),
        game(2, 1, ("p_cat", "p_ann", "ai:greedy"), (1, 2, 3)),
        game(3, 2, ("p_ben", "p_ann"), (1, 2), rated=False, visibility="private"),
        game(4, 3, ("p_ben", "p_ann"), (1, 2)),
        game(5, 4, ("p_cat", "p_dan"), (1, 2)),
        game(6, 5, ("p_ben", "p_cat"), (1, 2)),
    ]
    with transaction(found):
        enter(found, 1, [(0, one) for one in played])
    ratings.fold(found)
    return found


def test_rated_games_are_told_with_what_was_known_before_each(database: sqlite3.Connection) -> None:
    """Of each scale by itself: what a game changes is known at the next of its kind, and at those behind it."""
    first, second, strangers, fourth, other = rated_games(database)
    assert [(seat.holder, seat.rank) for seat in first] == [("p_ann", 1), ("p_ben", 2)]
    assert [seat.before for seat in first] == [NEW, NEW]
    known = after({}, ["p_ann", "p_ben"], [1, 2])
    assert [seat.before for seat in second] == [known["p_ben"], known["p_ann"]]
    assert [seat.before for seat in strangers] == [NEW, NEW]
    known = after(known, ["p_ben", "p_ann"], [1, 2]) | after({}, ["p_cat", "p_dan"], [1, 2])
    assert [seat.before for seat in fourth] == [known["p_ben"], known["p_cat"]]
    assert [seat.before for seat in other] == [NEW] * 3


def test_people_are_told_who_sat_together_since_a_time(database: sqlite3.Connection) -> None:
    """At private tables too; AI seats are nobody."""
    pairs = ("ann ben", "ann cat", "ann ben", "ann ben", "cat dan", "ben cat")
    together = [[f"p_{name}" for name in pair.split()] for pair in pairs]
    assert list(seated_together(database, BEGUN_MS)) == together
    assert list(seated_together(database, BEGUN_MS + 2000)) == together[2:]
    assert list(seated_together(database, BEGUN_MS + 6000)) == []


def test_tables_that_the_index_lacks_are_told(database: sqlite3.Connection) -> None:
    tables = [f"t_{number:016d}" for number in (2, 7, 4, 8)]
    assert unlisted(database, tables) == [tables[1], tables[3]]
