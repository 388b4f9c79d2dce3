"""The leaderboard holds the sum of what the partitions have counted, despite crashes and races."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from events.store import RedisLog
from projections import leaderboard
from projections.leaderboard import LeaderboardPage
from projections.standings import NAME
from projections.store import Checkpoint, ProjectionStore, current

pytestmark = pytest.mark.usefixtures("valkey_log")


@pytest.fixture
def store(valkey_log: RedisLog) -> ProjectionStore:
    """The standings, with nothing counted."""
    return current(valkey_log, NAME)


def count(store: ProjectionStore, partition: int, player: str, figures: tuple[int, int], game: str = "manitou") -> str:
    """A partition has counted so much of a player by now; the row's name."""
    field, (played, won) = f"{game}|{player}", figures
    row = {"game": game, "player": player, "name": player.title(), "bot": False, "played": played, "won": won}
    stands = store.checkpoint(partition)
    counted = [("HSET", "rows", field, msgspec.json.encode(row).decode()), leaderboard.unsummed(field)]
    assert store.apply(partition, stands, Checkpoint(stands.position + 1), counted)
    return field


def listed(store: ProjectionStore, game: str | None = None, size: int = 100) -> list[tuple[str, str, int, int]]:
    """All rows, read page by page."""
    return [(r["game"], r["player"], r["played"], r["won"]) for page in pages(store, game, size) for r in page]


def pages(store: ProjectionStore, game: str | None, size: int) -> Iterator[list[dict[str, Any]]]:
    cursor: str | None = None
    while True:
        rows, cursor = leaderboard.page(store, game, LeaderboardPage(cursor, size))
        yield rows
        if cursor is None:
            return


def test_who_has_won_most_comes_first_and_of_them_who_has_played_least(store: ProjectionStore) -> None:
    """Then by name, and each game by itself."""
    for player, figures in {"ann": (9, 2), "ben": (100, 10), "cat": (3, 2), "dan": (9, 2), "eve": (1, 0)}.items():
        count(store, 0, player, figures)
    count(store, 0, "zoe", (1, 1), game="big-manitou")
    leaderboard.sum_up(store, 0)

    assert [player for _, player, _, _ in listed(store)] == ["zoe", "ben", "cat", "ann", "dan", "eve"]
    assert listed(store, "big-manitou") == [("big-manitou", "zoe", 1, 1)]
    assert [player for _, player, _, _ in listed(store, "manitou")] == ["ben", "cat", "ann", "dan", "eve"]
    assert listed(store, "tomahawk") == []


def test_a_result_that_is_counted_and_not_yet_summed_up_is_so_by_whoever_goes_on(store: ProjectionStore) -> None:
    """Killed between the two, a process leaves the mark."""
    count(store, 3, "ann", (1, 1))
    assert listed(store) == []

    leaderboard.sum_up(ProjectionStore(store.log, NAME, store.generation), 3)

    assert listed(store) == [("manitou", "ann", 1, 1)]
    assert store.members(3, "unsummed") == []


def test_totals_of_which_a_failover_lost_something_are_worked_out_anew(store: ProjectionStore) -> None:
    """One that is gone, one of a game that is gone, one of more games and one of nobody; what is marked waits."""
    fields = [count(store, 3, player, (2, 1)) for player in ("ann", "ben", "cat", "dan")]
    count(store, 5, "cat", (4, 0))
    for partition in (3, 5):
        leaderboard.sum_up(store, partition)
    lost, gone, more, _ = fields
    _lose(store, "totals", lost, store.log.partition(lost))
    _lose(store, "rows", gone, 3)
    _lose(store, "rows", more, 5)
    count(store, 7, "eve", (1, 1))

    assert leaderboard.renew_wrong(store) == 3
    assert listed(store) == [("manitou", player, 2, 1) for player in ("ann", "cat", "dan")]
    assert store.members(7, "unsummed") == ["manitou|eve"]
    assert leaderboard.renew_wrong(store) == 0


def _lose(store: ProjectionStore, name: str, field: str, partition: int) -> None:
    """A row is gone, and with a total its place in the order."""
    store.log.client.hdel(store.key(partition, name), field)
    if name == "totals":
        store.log.client.delete(store.key(partition, "leaders"))
