"""What an operator is told of fair play: who shares an address, and who favours whom beyond luck."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.played import mutual_favour
from projections.played.index import FILE, Played
from projections.store import ProjectionStore, current
from service.accounts.older_stores import sealer_after_carry_over
from service.accounts.player_addresses import MOST_DAYS, Addresses, days_shared
from service.clock import Clock
from service.config import Settings
from service.stores import log_at

DAY_MS = 86_400_000
PATIENCE_S = 600.0  # until all games played are taken in


class Shared(NamedTuple):
    """Two accounts that were seated together, and on how many days the first came from an address of the other's."""

    one: str
    other: str
    games: int
    days: int


class FairPlay:
    """Looks through the games of a store."""

    def __init__(self, settings: Settings, url: str) -> None:
        self._log = log_at(url, settings)
        self._addresses = Addresses(
            self._log.client, sealer_after_carry_over(self._log.client, settings), settings.address_days
        )
        notes = self._log.notes
        self._played = Played(self._log, notes / FILE if notes else None, PATIENCE_S)

    def shared(self) -> list[Shared]:
        """Those seated together who share an address, by the games of the days for which addresses are kept."""
        since = Clock().now_ms() - MOST_DAYS * DAY_MS
        played = self._played.read(lambda database: list(mutual_favour.seated_together(database, since)))
        return list(self._sharing([*played, *_running(self._log)]))

    def _sharing(self, tables: Iterable[list[str]]) -> Iterator[Shared]:
        met = Counter(pair for people in tables for pair in combinations(sorted(set(people)), 2))
        noted = cache(self._addresses.of)
        for (one, other), games in sorted(met.items()):
            if days := days_shared(noted(one), noted(other)):
                yield Shared(one, other, games, days)

    def favours(self) -> list[mutual_favour.Favour]:
        """What every pair scored that met often enough."""
        return self._played.read(lambda database: mutual_favour.favours(mutual_favour.rated_games(database)))


def _running(log: RedisLog) -> Iterator[list[str]]:
    """The people at each public table where a game is being played."""
    for row in _rows(current(log, lobby.NAME)):
        yield [seat["player"] for seat in row["seats"] if seat["player"]]


def _rows(store: ProjectionStore) -> Iterator[dict[str, Any]]:
    before: str | None = None
    while True:
        rows, before = lobby_lists.page(store, "running", lobby_lists.LobbyPage(before, 100))
        yield from rows
        if before is None:
            return
