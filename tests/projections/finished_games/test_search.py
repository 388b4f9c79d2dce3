"""Search among games played: each filter, pages, and what nobody may learn from them."""

import sqlite3

import pytest

from projections.finished_games import ratings, search
from projections.finished_games.games import SCHEMA, Game
from projections.finished_games.index import enter
from projections.finished_games.search import GameFilter, GameQuery, page
from projections.lobby_queries import TimeRange
from projections.sqlite_files import open_database, transaction
from tests.projections.finished_games.synthetic import game

GAMES = [
    game(0, 0, ["p_ann", "p_ben"], (1, 2), options={"hand": 5, "open": True}),
    game(1, 10, ["p_ann", "ai:greedy"], (2, 1), moves=90),
    game(2, 20, ["p_ben", "ai:greedy", "p_cat"], (1, 1, 3), disputed=True, game="tomahawk"),
    game(3, 30, ["p_ann", "p_ben"], (1, 2), visibility="private", rated=False, opened_by="p_ann"),
    game(4, 40, ["p_cat", "p_ben"], (1, 2), rated=False, options={"hand": 7, "open": False}),
]


def index(games: list[Game]) -> sqlite3.Connection:
    """An index that holds these games, rated."""
    database = open_database(None, SCHEMA)
    with transaction(database):
        enter(database, 0, [(0, one) for one in games])
    ratings.fold(database)
    return database


def found(wanted: GameFilter, asker: str | None = None) -> list[int]:
    """The numbers of the games that are found."""
    rows, cursor = page(index(GAMES), wanted, GameQuery(asker, None, 100))
    assert cursor is None
    return [int(one.row["id"][2:]) for one in rows]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (GameFilter(), [4, 2, 1, 0]),
        (GameFilter(game="tomahawk"), [2]),
        (GameFilter(players=2), [4, 1, 0]),
        (GameFilter(player="p_ann"), [1, 0]),
        (GameFilter(player="p_ann", won=True), [0]),
        (GameFilter(player="p_ann", won=False), [1]),
        (GameFilter(player="p_ben", level="greedy"), [2]),
        (GameFilter(level="greedy"), [2, 1]),
        (GameFilter(level="greedy", won=True, game="manitou"), [1]),
        (GameFilter(options={"hand": 5}), [0]),
        (GameFilter(options={"open": False}), [4]),
        (GameFilter(options={"hand": 7, "open": True}), []),
        (GameFilter(rated=True), [2, 1, 0]),
        (GameFilter(rated=False), [4]),
        (GameFilter(disputed=True), [2]),
        (GameFilter(disputed=False), [4, 1, 0]),
        (GameFilter(moves_from=90), [1]),
        (GameFilter(moves_to=89), [4, 2, 0]),
        (GameFilter(rating_from=1501), []),
        (GameFilter(rating_from=1500, rating_to=1500), [2, 0]),
        (GameFilter(rating_from=1400, rating_to=1700, players=2), [1, 0]),
        (GameFilter(ended=TimeRange(GAMES[1].result["ended_at"], GAMES[4].result["ended_at"])), [2, 1]),
        (GameFilter(game="plenty-coups"), []),
    ],
)
def test_a_filter_lists_what_fits(wanted: GameFilter, numbers: list[int]) -> None:
    """Public games alone, the last that ended first."""
    assert found(wanted) == numbers


@pytest.mark.parametrize("most", [1, 2, 3, 100])
@pytest.mark.parametrize("size", [1, 2, 10])
@pytest.mark.parametrize("asker", [None, "p_ann"])
def test_pages_hold_every_game_once(monkeypatch: pytest.MonkeyPatch, most: int, size: int, asker: str | None) -> None:
    """However few are looked at for a page: short pages have cursors too, and none names what is not shown."""
    monkeypatch.setattr(search, "MOST_READ", most)
    database, cursor, numbers = index(GAMES), None, []
    for _ in range(20):
        rows, cursor = page(database, GameFilter(players=2), GameQuery(asker, cursor, size))
        numbers += [int(one.row["id"][2:]) for one in rows]
        assert asker or GAMES[3].place != cursor
        if cursor is None:
            break
    assert numbers == ([4, 3, 1, 0] if asker else [4, 1, 0])
