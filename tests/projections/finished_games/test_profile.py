"""Profiles: the months of a player, out of what the index keeps of each holder."""

from events.times import stamp
from projections.finished_games.games import SCHEMA
from projections.finished_games.index import enter
from projections.finished_games.profile import Month, figures_of
from projections.sqlite_files import open_database, transaction
from tests.projections.finished_games.synthetic import BEGUN_MS, game


def test_months_are_those_of_utc() -> None:
    """The last millisecond of a month is of it, and the next one is of the next."""
    first_ms = 1_793_491_200_000
    assert stamp(first_ms) == "2026-11-01T00:00:00.000Z"
    ends_s, database = (first_ms - BEGUN_MS) // 1000, open_database(None, SCHEMA)
    with transaction(database):
        enter(database, 1, [(0, game(6, ends_s, ("p_dan", "p_ben"), (1, 2)))])
        enter(database, 1, [(0, game(7, ends_s - 1, ("p_dan", "p_ben"), (1, 2)))])
    assert figures_of(database, "p_dan").activity == [Month("2026-11", 1), Month("2026-10", 1)]
