"""The public games that ended within a span of time."""

import pytest

from projections.finished_games import index
from projections.finished_games.games import FORM
from projections.finished_games.index import ended_in, enter
from projections.sqlite_files import opened, transaction
from tests.projections.finished_games.synthetic import BEGUN_MS, game


def test_the_games_of_a_span_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its beginning belongs to it and its end does not; private games are left out, and each page goes on behind."""
    monkeypatch.setattr(index, "AT_ONCE", 2)
    games = [game(number, 10 * number, ["p_ann", "p_ben"], (1, 2)) for number in range(6)]
    games[2] = game(2, 20, ["p_ann", "p_ben"], (1, 2), visibility="private")
    database = opened(None, FORM)
    with transaction(database):
        enter(database, 0, [(0, one) for one in games])

    span = (BEGUN_MS, BEGUN_MS + 50_000)
    first = ended_in(database, span)
    second = ended_in(database, span, first[-1][0])
    assert [name for _, name in first + second] == [games[number].row["table"] for number in (0, 1, 3, 4)]
    assert ended_in(database, span, second[-1][0]) == []
