"""A store with an archive beside it, for tests: tables are played, projected and archived in one process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import obstore
import pytest
import redis

from events.archiving.objects import Objects
from events.log import PARTITIONS
from events.scripts import Client
from events.store import RedisLog
from projections.history import TableCache, TableHistory
from tests.tables import ANN, Visit, catch_up
from worker.archiver import ANSWERED_MS, ArchivedCounts, Archiver


class Archive:
    """The store of a client, the directory of its archive, and a house on them."""

    def __init__(self, client: Client, directory: Path) -> None:
        self.client, self.directory = client, directory
        self.log = self.opened()
        self.visit = Visit(self.log)

    def opened(self) -> RedisLog:
        """The log as a process that starts now opens it."""
        return RedisLog(self.client, PARTITIONS, Objects(str(self.directory)))

    def played(self, game: str = "tomahawk", seats: str = "ai ai") -> TableHistory:
        """A table that was played to its end by machines."""
        return self.visit.play_to_the_end(self.visit.open(game, seats, by=ANN, rated=True))

    def project(self) -> None:
        """Brings the projections up to date."""
        catch_up(self.log)

    def archive(self, *, after_ms: int = 0, later_ms: int = 0) -> ArchivedCounts:
        """Archives what has closed, as if it were so much later."""
        self.project()
        return Archiver(self.log, lambda: self.visit.handler.now_ms() + later_ms, after_ms).archive_due()

    def archive_for_good(self) -> ArchivedCounts:
        """Archives what has closed, as if it were so much later that no request is answered any more."""
        return self.archive(later_ms=ANSWERED_MS)

    def copy(self, table: str) -> dict[bytes, bytes]:
        """All that the store holds in the partition of a table."""
        return {key: self.client.dump(key) for key in self._keys(table)}

    def put_back(self, table: str, copy: dict[bytes, bytes]) -> None:
        """Lets the partition of a table go back alone, as a primary of a cluster does: the archive's names stay."""
        self.client.delete(*self._keys(table))
        for key, kept in copy.items():
            self.client.restore(key, 0, kept)

    def _keys(self, table: str) -> list[bytes]:
        return list(self.client.scan_iter(self.log.partition_key(self.log.partition(table), "*")))

    def load(self, table: str) -> TableHistory:
        """A table as a process that starts now reads it."""
        found = TableCache(self.opened()).load(table)
        assert found
        return found


@contextmanager
def hanging(monkeypatch: pytest.MonkeyPatch, what: str) -> Iterator[list[str]]:
    """A storage that does not answer before the block ends; which names it was asked for."""
    asked, go_on, answers = list[str](), threading.Event(), getattr(obstore, what)

    def hangs(store: object, name: str, **more: Any) -> Any:
        asked.append(name)
        go_on.wait()
        return answers(store, name, **more)

    monkeypatch.setattr(obstore, what, hangs)
    try:
        yield asked
    finally:
        go_on.set()


@pytest.fixture
def archive(valkey: redis.Redis, tmp_path: Path) -> Archive:
    """A store with an empty archive."""
    return Archive(valkey, tmp_path / "archive")
