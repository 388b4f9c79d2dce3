"""Files that are written once and read by range: in a directory, or in an object storage by its URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import obstore
import redis
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, from_url

from events.disk import to_disk

PATIENCE = {"max_retries": 3, "retry_timeout": timedelta(seconds=10)}
OPTIONS = {"timeout": timedelta(seconds=10), "connect_timeout": timedelta(seconds=3), "allow_http": True}


class ArchiveUnavailable(redis.ConnectionError):
    """The archive does not answer. Whoever waits for the store waits for it as well."""


class MissingObject(Exception):
    """The archive holds no such file, or not that much of it."""


class Objects:
    """The files under a directory, or under a URL such as `s3://bucket/prefix`.

    `index` is the file on this machine in which it is noted what they hold; without one it is noted in memory.
    """

    def __init__(self, where: str, index: Path | None = None) -> None:
        self.where, self.index = where, index
        self._directory = None if "://" in where else Path(where)
        self._opened: Any = None

    @property
    def _store(self) -> Any:
        """Opened when it is first used: it needs no archive to serve what is in the store."""
        if self._opened is None:
            self._opened = LocalStore(self._directory, mkdir=True) if self._directory else _remote(self.where)
        return self._opened

    def write(self, name: str, content: bytes) -> None:
        """Writes a file, on disk when this returns; the same file may be written again."""
        with _answering():
            obstore.put(self._store, name, content, use_multipart=False)
            if self._directory:
                _on_disk(self._directory / name, self._directory)

    def read(self, name: str) -> bytes:
        """A whole file; raises `MissingObject`."""
        with _answering():
            return bytes(obstore.get(self._store, name).bytes())

    def part(self, name: str, offset: int, length: int) -> bytes:
        """So many bytes of a file from an offset on; raises `MissingObject`."""
        with _answering():
            found = bytes(obstore.get_range(self._store, name, start=offset, length=length))
        if len(found) != length:
            raise MissingObject(f"{name} ends before {offset + length}")
        return found

    def size(self, name: str) -> int:
        """How many bytes a file has; raises `MissingObject`."""
        with _answering():
            return int(obstore.head(self._store, name)["size"])


def _remote(url: str) -> Any:
    return from_url(url, client_options=OPTIONS, retry_config=PATIENCE)  # type: ignore[call-overload]


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise MissingObject(str(error)) from error
    except (BaseError, OSError) as error:
        raise ArchiveUnavailable(f"the archive does not answer: {error}") from error


def _on_disk(path: Path, root: Path) -> None:
    """Waits until a file and the directories that name it are on disk: what is archived leaves the store."""
    for one in (path, *path.parents):
        to_disk(one)
        if one == root:
            return
