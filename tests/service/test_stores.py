"""What the settings say of the archive and of dumps: how many threads may wait for them."""

import threading
from contextlib import suppress
from pathlib import Path

import pytest

from events.archiving.objects import ArchiveUnavailable, Objects
from service.config import Settings
from service.stores import archive_of, dumps_in
from tests.archives import hanging
from tests.servers import wait_until


@pytest.mark.parametrize("threads", [3, 8, 16])
def test_a_storage_that_hangs_leaves_threads_to_running_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    """By default dumps lie where the archive does, and their readers share its limit."""
    monkeypatch.setattr("events.archiving.objects.PLACE_S", 0.0)
    settings = Settings(threads=threads, archive=str(tmp_path), data=str(tmp_path))
    Objects(str(tmp_path)).write("one", b"0")
    with hanging(monkeypatch, "get") as asked:
        kept = [objects for objects in (archive_of(settings), dumps_in(settings)) if objects]
        asking = [threading.Thread(target=read, args=(objects,)) for objects in kept for _ in range(threads)]
        for one in asking:
            one.start()
        wait_until(lambda: len(asked) + sum(not one.is_alive() for one in asking) == len(asking))
        waiting = len(asked)
    for one in asking:
        one.join()
    assert 2 <= waiting < threads


def read(objects: Objects) -> None:
    """Reads a file, where there is room to wait for it."""
    with suppress(ArchiveUnavailable):
        objects.read("one")
