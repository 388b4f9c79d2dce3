"""The files of the archive: written once, read whole or in part, in a directory or object storage."""

import hashlib
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple

import obstore
import redis
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import AzureStore, GCSStore, LocalStore, S3Store, from_url

from events.disk import UMASK, private_directory, to_disk

ANSWER_S, CONNECT_S, RETRIES = 10.0, 3.0, 3  # of a request to object storage
NAME = 12  # hexadecimal digits
SIGNING, PLACE_GOOD_FOR = (AzureStore, GCSStore, S3Store), timedelta(minutes=10)
AT_ONCE = 4  # threads of a process
PLACE_S = 0.1  # a thread waits this long for its turn: the archive answers sooner, or hangs


class ArchiveUnavailable(redis.ConnectionError):
    """The archive does not answer; handled like a store that does not answer."""


class MissingObject(Exception):
    """The archive has no such file, or the file is shorter than the range asked for."""


class ListedFile(NamedTuple):
    """A file in the archive; its mark changes with its content."""

    name: str
    bytes: int
    mark: str


class Objects:
    """The files under a directory, or under a URL such as `s3://bucket/prefix`.

    `index` is a local file for the catalogue of their contents; without it, the catalogue is in memory. At most
    `at_once` threads of the process wait for the archive at a time, so that a slow one does not block running tables.
    Object storage has `answer_s` seconds for an answer, and as long for retries; set it before the first request.
    """

    def __init__(self, where: str, index: Path | None = None, at_once: int = AT_ONCE) -> None:
        self.where, self.index = where, index
        self._places = threading.BoundedSemaphore(at_once)
        self._directory = None if "://" in where else Path(where)
        self._opened: Any = None
        self.answer_s = ANSWER_S

    @property
    def _store(self) -> Any:
        """Opened on first use, so that a process can serve running tables without an archive."""
        if self._opened is None:
            self._opened = _local(self._directory) if self._directory else _remote(self.where, self.answer_s)
        return self._opened

    def write(self, name: str, content: bytes) -> None:
        """Writes a file and waits until it is on disk; writing the same file again is harmless."""
        with self._answering(missing=ArchiveUnavailable):
            obstore.put(self._store, name, content, use_multipart=False)
            self._settle(name)

    def add(self, path: Callable[[str], str], content: bytes) -> str:
        """Writes a file named by the beginning of its SHA-256, reads it back and returns the name.

        Raises `ArchiveUnavailable` if the archive does not keep it.
        """
        name = name_of(content)
        self.write(path(name), content)
        with suppress(MissingObject):
            if self.read(path(name)) == content:
                return name
        raise ArchiveUnavailable(f"the archive does not keep {path(name)} as it was written")

    def upload(self, name: str, file: IO[bytes]) -> None:
        """Uploads an open file in parts; the name exists only once the whole file is there and on disk."""
        with self._answering(missing=ArchiveUnavailable):
            obstore.put(self._store, name, file, use_multipart=True)
            self._settle(name)

    def _settle(self, name: str) -> None:
        """Gives a file in a directory that directory's permissions, and waits until it is on disk."""
        if self._directory:
            _as_private(self._directory / name, self._directory)
            _on_disk(self._directory / name, self._directory)

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        with self._answering(), suppress(NotFoundError, FileNotFoundError):
            obstore.delete(self._store, name)

    def read(self, name: str) -> bytes:
        """Returns a whole file; raises `MissingObject`."""
        with self._answering():
            return bytes(obstore.get(self._store, name).bytes())

    def read_range(self, name: str, offset: int, length: int) -> bytes:
        """Returns `length` bytes of a file from an offset; raises `MissingObject`."""
        with self._answering():
            found = self._range(name, offset, length)
        if len(found) != length:
            raise MissingObject(f"{name} ends before {offset + length}")
        return found

    def _range(self, name: str, offset: int, length: int) -> bytes:
        """Returns the part of a range that exists: storages refuse a range that begins after the end.

        A storage that was slow to refuse is not asked for the size as well: it would be as slow again.
        """
        began = time.monotonic()
        try:
            return bytes(obstore.get_range(self._store, name, start=offset, length=length))
        except (BaseError, OSError):
            if time.monotonic() - began > self.answer_s / 2 or obstore.head(self._store, name)["size"] > offset:
                raise
            return b""

    def place(self, name: str) -> Path | str:
        """Returns where a client can download a file: a local path, or a URL that is valid for a while.

        Raises `MissingObject` if the storage signs no URLs.
        """
        if self._directory:
            return self._directory / name
        with self._answering():
            if not isinstance(self._store, SIGNING):
                raise MissingObject(f"{name}: this storage signs no download URLs")
            return str(obstore.sign(self._store, "GET", name, PLACE_GOOD_FOR))

    def list_files(self, under: str) -> list[ListedFile]:
        """Returns the files whose names begin with `under`, ordered by name."""
        with self._answering(missing=ArchiveUnavailable):
            found = (one for page in obstore.list(self._store, prefix=under) for one in page)
            return sorted(ListedFile(one["path"], one["size"], _mark(one)) for one in found)

    @contextmanager
    def _answering(self, missing: type[Exception] = MissingObject) -> Iterator[None]:
        """Limits the threads that wait; raises `ArchiveUnavailable` if too many do, or if there is no answer.

        `missing` is raised if there is no such file or, when writing or listing, no such bucket.
        """
        if not self._places.acquire(timeout=PLACE_S):
            raise ArchiveUnavailable("the archive is slow, and too many threads wait for it already")
        try:
            yield
        except (NotFoundError, FileNotFoundError) as error:
            raise missing(_sentence(error)) from error
        except (BaseError, OSError) as error:
            raise ArchiveUnavailable(f"the archive does not answer: {_sentence(error)}") from error
        finally:
            self._places.release()


def name_of(content: bytes) -> str:
    """Returns the name of a file that is named by its content."""
    return hashlib.sha256(content).hexdigest()[:NAME]


def _sentence(error: Exception) -> str:
    """Returns the error's message without obstore's debugging details, which follow an empty line."""
    return str(error).partition("\n\n")[0]


def _mark(found: Any) -> str:
    return f"{found['e_tag']} {found['last_modified']}"


def _remote(url: str, answer_s: float) -> Any:
    answer, connect = timedelta(seconds=answer_s), timedelta(seconds=min(answer_s, CONNECT_S))
    options = {"timeout": answer, "connect_timeout": connect, "allow_http": True}
    retries = {"max_retries": RETRIES, "retry_timeout": answer}
    return from_url(url, client_options=options, retry_config=retries)  # type: ignore[call-overload]


def _local(directory: Path) -> Any:
    """Opens a directory, creating it for its owner alone: its files hold seeds and hidden cards."""
    private_directory(directory)
    return LocalStore(directory)


def _as_private(path: Path, root: Path) -> None:
    """Removes from a file and its directories the permissions that others do not have on the root."""
    removed = ~root.stat().st_mode & UMASK
    for one in (path, *path.parents):
        if one == root:
            return
        mode = stat.S_IMODE(one.stat().st_mode)
        if mode & removed:
            with suppress(PermissionError):  # another user, who shares the directory, created it
                one.chmod(mode & ~removed)


def _on_disk(path: Path, root: Path) -> None:
    """Waits until a file and its directories are on disk, because the store deletes its copy next."""
    for one in (path, *path.parents):
        to_disk(one)
        if one == root:
            return
