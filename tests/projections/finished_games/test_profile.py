"""Profiles: results, opponents and months of a player, out of what the index keeps of each holder."""

import sqlite3

import pytest

from events.times import stamp
from projections.finished_games import profile
from projections.finished_games.games import SCHEMA
from projections.finished_games.index import enter
from projections.finished_games.profile import Month, Result, figures_of
from projections.sqlite_files import open_database, transaction
from tests.projections.finished_games.synthetic import BEGUN_MS, game

DAY_S = 86_400


@pytest.fixture
def database() -> sqlite3.Connection:
    """Ann has played Ben, levels, and at three; one game is private."""
    found = open_database(None, SCHEMA)
    played = [
        game(1, 0, ("p_ann", "p_ben"), (1, 2)),
        game(2, 1, ("p_ben", "p_ann"), (1, 2), game="tomahawk"),
        game(3, 2, ("p_ann", "p_ben", "ai:greedy"), (1, 2, 3)),
        game(4, 40 * DAY_S, ("p_ann", "ai:greedy"), (2, 1)),
        game(5, 41 * DAY_S, ("p_ann", "p_ben"), (1, 2), visibility="private"),
    ]
    with transaction(found):
        enter(found, 1, [(0, one) for one in played])
    return found


def test_months_are_those_of_utc(database: sqlite3.Connection) -> None:
    """The last millisecond of a month is of it, and the next one is of the next."""
    first_ms = 1_793_491_200_000
    assert stamp(first_ms) == "2026-11-01T00:00:00.000Z"
    ends_s = (first_ms - BEGUN_MS) // 1000
    with transaction(database):
        enter(database, 1, [(0, game(6, ends_s, ("p_dan", "p_ben"), (1, 2)))])
        enter(database, 1, [(0, game(7, ends_s - 1, ("p_dan", "p_ben"), (1, 2)))])
    assert figures_of(database, "p_dan").activity == [Month("2026-11", 1), Month("2026-10", 1)]


def test_only_the_last_games_count(database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "MOST_COUNTED", 2)
    figures = figures_of(database, "p_ann")
    assert figures.results == [Result("manitou", 2, 1, 0), Result("manitou", 3, 1, 1)]
    assert [one.games for one in figures.opponents] == [2, 1]
