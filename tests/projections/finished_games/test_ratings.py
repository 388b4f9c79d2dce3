"""Ratings: by places, in the order in which games ended, the same however they arrived."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.finished_games import ratings
from projections.finished_games.games import NAMES, SCHEMA, Game
from projections.finished_games.index import enter, remove
from projections.finished_games.ratings import NEW, START, UNIT, Rating, after
from projections.sqlite_files import open_database, transaction
from tests.projections.finished_games.synthetic import game

TWO = ("manitou", 2)


def taken_in(*batches: Sequence[Game]) -> sqlite3.Connection:
    """An index into which games came batch by batch, and were rated behind each."""
    database = open_database(None, SCHEMA)
    for batch in batches:
        with transaction(database):
            enter(database, 0, [(1, one) for one in batch])
        ratings.fold(database)
    return database


def contents(database: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is kept."""
    return {name: sorted(database.execute(f"select * from {name}").fetchall(), key=repr) for name in NAMES}  # noqa: S608 - own names


def rating_of(database: sqlite3.Connection, holder: str) -> float | None:
    """Somebody's rating at tables of two, in points."""
    found = ratings.of_holder(database, holder, [TWO])
    return found[0].rating / UNIT if found else None


def test_who_wins_gains_what_the_other_loses() -> None:
    """Two who are new: the model of Plackett and Luce with 1500 points, a deviation of 500, and 250 for luck."""
    told = after({}, ["p_ann", "p_ben"], [1, 2])

    assert told == {"p_ann": Rating(1658123, 483954, 1), "p_ben": Rating(1341877, 483954, 1)}
    assert not NEW.settled


def test_equal_places_of_equals_change_nothing_but_the_deviation() -> None:
    """Both are first."""
    told = after({}, ["p_ann", "p_ben"], [1, 1])

    assert {one.rating for one in told.values()} == {START * UNIT}
    assert all(one.deviation < NEW.deviation for one in told.values())


def test_whoever_holds_two_seats_keeps_the_mean() -> None:
    """A level that is first and last among three is rated once."""
    told = after({}, ["ai:greedy", "p_ann", "ai:greedy"], [1, 2, 3])

    assert told["ai:greedy"].games == 1
    assert abs(told["ai:greedy"].rating - START * UNIT) < 50 * UNIT


RESULTS = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.lists(st.sampled_from(["p_ann", "p_ben", "p_cat", "ai:greedy"]), min_size=2, max_size=2),
        st.sampled_from([(1, 2), (2, 1), (1, 1)]),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(RESULTS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_ratings_are_the_same_to_the_byte_however_games_arrive(results: list[Any], rng: Any, size: int) -> None:
    """In their order at once, or in any order and in batches of any size; several end in one second."""
    games = [game(number, *result) for number, result in enumerate(results)]
    shuffled = rng.sample(games, len(games))
    batches = [shuffled[at : at + size] for at in range(0, len(shuffled), size)]

    assert contents(taken_in(*batches)) == contents(taken_in(games))


def test_a_latecomer_is_rated_where_it_ended() -> None:
    """What was rated behind it is taken away, and rated again."""
    first, late, last = (game(n, n, ["p_ann", "p_ben"], places) for n, places in enumerate([(1, 2), (2, 1), (1, 2)]))
    before = taken_in([first, last])
    assert len(ratings.points_of(before, "p_ann", TWO, "~", 10)) == 2
    found = taken_in([first, last], [late])

    assert [point.place for point in ratings.points_of(found, "p_ann", TWO, "~", 10)] == [
        last.place, late.place, first.place
    ]  # fmt: skip
    assert contents(found) == contents(taken_in([first, late, last]))


def test_what_the_store_lost_is_taken_out_of_the_ratings() -> None:
    """Only the store told of it: what was rated behind it is rated again."""
    kept, lost = game(1, 2, ["p_ann", "p_ben"], (1, 2)), game(2, 1, ["p_ann", "p_cat"], (1, 2))
    database = open_database(None, SCHEMA)
    with transaction(database):
        enter(database, 1, [(1, kept)])
        enter(database, 0, [(1, lost)])
    ratings.fold(database)
    assert rating_of(database, "p_cat")
    with transaction(database):
        remove(database, 1)
    ratings.fold(database)

    assert rating_of(database, "p_cat") is None
    alone = open_database(None, SCHEMA)
    with transaction(alone):
        enter(alone, 1, [(1, kept)])
    ratings.fold(alone)
    assert contents(database) == contents(alone)


@pytest.mark.parametrize(
    "uncounted",
    [
        {"rated": False},
        {"holders": ["ai:greedy", "ai:greedy"]},
        {"left": ["p_ann", "p_ben"], "holders": ["ai:greedy", "ai:greedy"]},
    ],
)
def test_what_tells_nobody_apart_is_not_rated(uncounted: dict[str, Any]) -> None:
    """A casual game, one that a level played against itself, and one that everybody left."""
    database = taken_in([game(1, 1, places=(1, 2), **{"holders": ["p_ann", "p_ben"]} | uncounted)])

    assert contents(database)["ratings"] == []
    assert len(contents(database)["games"]) == 1


def test_whoever_left_comes_last_and_the_level_that_played_on_is_not_rated() -> None:
    """Even if the level wins: the other is rated as if the game had been won against the person who left."""
    left = game(1, 1, ["ai:greedy", "p_ben"], (1, 2), left=["p_ann", None])
    database = taken_in([left])

    assert rating_of(database, "p_ben") == 1658.123
    assert rating_of(database, "p_ann") == 1341.877
    assert rating_of(database, "ai:greedy") is None


def test_leaders_are_those_who_are_settled_the_highest_first() -> None:
    """Provisional ratings have a list of their own; pages follow on each other."""
    games = [game(n, n, ["p_ann", "p_ben"], (1, 2) if n % 3 else (2, 1)) for n in range(30)]
    database = taken_in(games, [game(99, 99, ["p_ben", "p_cat"], (1, 2))])
    told = ratings.leaders(database, TWO, None, 10, settled=True)

    assert [one.holder for one in told] == ["p_ann", "p_ben"]
    assert [one.games for one in told] == [30, 31]
    assert [one.holder for one in ratings.leaders(database, TWO, None, 10, settled=False)] == ["p_cat"]
    assert ratings.leaders(database, TWO, (told[0].rating, "p_ann"), 10, settled=True) == told[1:]
