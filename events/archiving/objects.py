"""Files that are written once and read whole or in part, in a directory or an object storage."""

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

ANSWER_S, CONNECT_S, RETRIES = 10.0, 3.0, 3  # of a request to an object storage
NAME = 12  # hexadecimal digits
SIGNING, PLACE_GOOD_FOR = (AzureStore, GCSStore, S3Store), timedelta(minutes=10)
AT_ONCE = 4  # threads of a process
PLACE_S = 0.1  # that a thread waits for its turn: the archive answers in less, or hangs


class ArchiveUnavailable(redis.ConnectionError):
    """The archive does not answer: handled like a store that does not answer."""


class MissingObject(Exception):
    """The archive holds no such file, or not that much of it."""


class ListedFile(NamedTuple):
    """A file that is there: another content has another mark."""

    name: str
    bytes: int
    mark: str


class Objects:
    """The files under a directory, or under a URL such as `s3://bucket/prefix`.

    `index` is the file on this machine with the catalogue of what they hold; without it, the catalogue is in memory.
    At most `at_once` threads of the process ask at a time: one that hangs keeps no others from running tables. An
    object storage has `answer_s` seconds for an answer, and as long for retries; set it before the first request.
    """

    def __init__(self, where: str, index: Path | None = None, at_once: int = AT_ONCE) -> None:
        self.where, self.index = where, index
        self._places = threading.BoundedSemaphore(at_once)
        self._directory = None if "://" in where else Path(where)
        self._opened: Any = None
        self.answer_s = ANSWER_S

    @property
    def _store(self) -> Any:
        """Opened on first use: a process can serve what is in the store without an archive."""
        if self._opened is None:
            self._opened = _local(self._directory) if self._directory else _remote(self.where, self.answer_s)
        return self._opened

    def write(self, name: str, content: bytes) -> None:
        """Writes a file, which is on disk when this returns; writing the same file again is harmless."""
        with self._answering(missing=ArchiveUnavailable):
            obstore.put(self._store, name, content, use_multipart=False)
            self._settle(name)

    def add(self, path: Callable[[str], str], content: bytes) -> str:
        """Writes a file whose name is the beginning of its SHA-256, reads it back and returns that name.

        Raises `ArchiveUnavailable` if the archive does not keep it.
        """
        name = name_of(content)
        self.write(path(name), content)
        if self.kept(path(name)) != content:
            raise ArchiveUnavailable(f"the archive does not keep {path(name)} as it was written")
        return name

    def take(self, name: str, file: IO[bytes]) -> None:
        """Copies an open file, in parts; it has its name only when all of it is there and on disk."""
        with self._answering(missing=ArchiveUnavailable):
            obstore.put(self._store, name, file, use_multipart=True)
            self._settle(name)

    def _settle(self, name: str) -> None:
        """Waits until a file of a directory is on disk, where others may do what they may in that directory."""
        if self._directory:
            _as_private(self._directory / name, self._directory)
            _on_disk(self._directory / name, self._directory)

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        with self._answering(), suppress(NotFoundError, FileNotFoundError):
            obstore.delete(self._store, name)

    def read(self, name: str) -> bytes:
        """A whole file; raises `MissingObject`."""
        with self._answering():
            return bytes(obstore.get(self._store, name).bytes())

    def kept(self, name: str) -> bytes | None:
        """The same of one that may not be there: then None."""
        try:
            return self.read(name)
        except MissingObject:
            return None

    def part(self, name: str, offset: int, length: int) -> bytes:
        """`length` bytes of a file from an offset; raises `MissingObject`."""
        with self._answering():
            found = self._range(name, offset, length)
        if len(found) != length:
            raise MissingObject(f"{name} ends before {offset + length}")
        return found

    def _range(self, name: str, offset: int, length: int) -> bytes:
        """So much of a range as there is: storages refuse one that begins behind the end.

        What took long to refuse a range hangs, and would take as long to say a size.
        """
        began = time.monotonic()
        try:
            return bytes(obstore.get_range(self._store, name, start=offset, length=length))
        except (BaseError, OSError):
            if time.monotonic() - began > self.answer_s / 2 or obstore.head(self._store, name)["size"] > offset:
                raise
            return b""

    def place(self, name: str) -> Path | str:
        """Where whoever takes a file away finds it: a path of this machine, or an address that is good for a while.

        Raises `MissingObject` where the storage gives no such addresses.
        """
        if self._directory:
            return self._directory / name
        with self._answering():
            if not isinstance(self._store, SIGNING):
                raise MissingObject(f"{name}: this storage gives no addresses to others")
            return str(obstore.sign(self._store, "GET", name, PLACE_GOOD_FOR))

    def names(self, under: str) -> list[str]:
        """The files whose names begin so, in order."""
        return [found.name for found in self.listed(under)]

    def listed(self, under: str) -> list[ListedFile]:
        """The files whose names begin so, in the order of their names."""
        with self._answering(missing=ArchiveUnavailable):
            found = (one for page in obstore.list(self._store, prefix=under) for one in page)
            return sorted(ListedFile(one["path"], one["size"], _mark(one)) for one in found)

    @contextmanager
    def _answering(self, missing: type[Exception] = MissingObject) -> Iterator[None]:
        """A place among those who ask; raises `ArchiveUnavailable` if none is free, or if there is no answer.

        `missing` is raised where there is no such file; to whoever writes or lists, no bucket.
        """
        if not self._places.acquire(timeout=PLACE_S):
            raise ArchiveUnavailable("the archive takes its time: others wait for it")
        try:
            yield
        except (NotFoundError, FileNotFoundError) as error:
            raise missing(_sentence(error)) from error
        except (BaseError, OSError) as error:
            raise ArchiveUnavailable(f"the archive does not answer: {_sentence(error)}") from error
        finally:
            self._places.release()


def name_of(content: bytes) -> str:
    """The name of a file that is named for its content."""
    return hashlib.sha256(content).hexdigest()[:NAME]


def _sentence(error: Exception) -> str:
    """What an error says to people: what is for those who debug the library follows after an empty line."""
    return str(error).partition("\n\n")[0]


def _mark(found: Any) -> str:
    return f"{found['e_tag']} {found['last_modified']}"


def _remote(url: str, answer_s: float) -> Any:
    answer, connect = timedelta(seconds=answer_s), timedelta(seconds=min(answer_s, CONNECT_S))
    options = {"timeout": answer, "connect_timeout": connect, "allow_http": True}
    retries = {"max_retries": RETRIES, "retry_timeout": answer}
    return from_url(url, client_options=options, retry_config=retries)  # type: ignore[call-overload]


def _local(directory: Path) -> Any:
    """The files in a directory. One that is made here is for its owner alone: seeds and hidden cards lie in them."""
    private_directory(directory)
    return LocalStore(directory)


def _as_private(path: Path, root: Path) -> None:
    """Takes from a file, and from the directories that lead to it, what others may not do in the whole directory."""
    taken = ~root.stat().st_mode & UMASK
    for one in (path, *path.parents):
        if one == root:
            return
        mode = stat.S_IMODE(one.stat().st_mode)
        if mode & taken:
            with suppress(PermissionError):  # somebody else has made it, who shares the directory
                one.chmod(mode & ~taken)


def _on_disk(path: Path, root: Path) -> None:
    """Waits until a file and its directories are on disk, because the store then drops what is archived."""
    for one in (path, *path.parents):
        to_disk(one)
        if one == root:
            return
