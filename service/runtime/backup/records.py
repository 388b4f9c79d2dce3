"""The file of a backup: records in MessagePack, each behind its length, compressed by gzip; the last one seals all.

The order is that in which they are restored: a header, per partition its tables and then its feed, people, keys.
"""

import contextlib
import fcntl
import gzip
import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from events.disk import opener, to_disk

FORM = 1  # of the file; a later one is refused, not guessed
LENGTH = struct.Struct(">I")
MOST = 1 << 28  # bytes of a record: the longest table takes a few MiB, and a small file may unpack to any number
PART = ".part"  # ends the name of a file that is being written
LEFT = "wintercount-*.backup" + PART  # as a directory has them
SPEED = 4  # of gzip: most of it is hashes, salts and ciphertext, which no effort makes smaller

Entry = tuple[str, tuple[bytes, ...]]  # of a stream: its id, and names and values in turn


class BackupRefused(Exception):
    """The file is no whole backup, or one of a later release."""


class Header(msgspec.Struct, frozen=True, tag=True):
    """What the backup is of."""

    form: int
    release: str
    partitions: int
    at: str


class TableCopy(msgspec.Struct, frozen=True, tag=True):
    """A table up to a version: its entries, the requests that led to them, and the hash of its last event.

    An archived table has no entries here, and its place in the archive.
    """

    table: str
    version: int
    hash: bytes
    entries: tuple[Entry, ...]
    requests: dict[bytes, bytes]
    place: bytes = b""


class FeedCopy(msgspec.Struct, frozen=True, tag=True):
    """A page of a partition's feed."""

    partition: int
    entries: tuple[Entry, ...]


class DueCopy(msgspec.Struct, frozen=True, tag=True):
    """What was due in a partition, and when, at the moment at which its feed was cut off; its archived parts then."""

    partition: int
    end: int
    due: dict[str, float]
    parts: dict[bytes, bytes] = {}


class SegmentsCopy(msgspec.Struct, frozen=True, tag=True):
    """The segments of the archive in their order, as far as archived tables of the backup lie in them."""

    names: tuple[str, ...]


class KeyCopy(msgspec.Struct, frozen=True, tag=True):
    """A key that is copied as it is: bytes, or a hash."""

    key: str
    value: bytes | dict[bytes, bytes]


class PersonCopy(msgspec.Struct, frozen=True, tag=True):
    """All keys of an account, or of its transcripts, which are restored together or, if it was erased, not at all."""

    person: str
    kind: str
    keys: tuple[KeyCopy, ...]


class End(msgspec.Struct, frozen=True, tag=True):
    """The last record: how many others there are, and the SHA-256 of their bytes."""

    records: int
    digest: bytes


Record = Header | TableCopy | FeedCopy | DueCopy | SegmentsCopy | KeyCopy | PersonCopy | End
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Record)


class Writer:
    """Writes records to a file that others may not read; `end` seals it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._packed = file, gzip.GzipFile("", "wb", SPEED, file, mtime=0)
        self._digest, self._count = hashlib.sha256(), 0

    def write(self, record: Record) -> None:
        """Adds a record."""
        packed = _encoder.encode(record)
        framed = LENGTH.pack(len(packed)) + packed
        self._digest.update(framed)
        self._packed.write(framed)
        self._count += 1

    def end(self) -> None:
        """Writes the last record and has all of it on disk."""
        self.write(End(self._count, self._digest.digest()))
        self._packed.close()
        self._file.flush()
        os.fsync(self._file.fileno())


def save(path: Path, write: Callable[[Writer], Any], check: Callable[[Path], Any], part: Path | None = None) -> None:
    """Makes the file of that name, all of it or nothing: it takes the name when `check` has read what was written.

    Until then it is `part`, by default a name of its own beside it. Raises `BackupRefused` while another writes that.
    """
    part = part or path.with_name(path.name + PART)
    with _own(part) as file:
        try:
            writer = Writer(file)
            write(writer)
            writer.end()
            check(part)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    to_disk(path.parent)


def _own(part: Path) -> IO[bytes]:
    """An empty file of that name, locked as long as this process lives, by which others tell that it is not left."""
    while True:
        file = open(part, "ab", opener=_opener)  # noqa: SIM115 - whoever asks closes it
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise BackupRefused(f"another process is writing {part}") from None
        except OSError:  # a file system without locks: nobody removes anything there
            pass
        if _is_at(file, part):
            file.truncate(0)
            return file
        file.close()  # it was taken for one that was left


def remove_left(folder: Path) -> None:
    """Removes what backups into a directory have left that were killed; what is being written stays."""
    for part in folder.glob(LEFT):
        with contextlib.suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(file, part):
                part.unlink()


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Whether that name is still the file's."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.lstat())
    except FileNotFoundError:
        return False


def _opener(path: str, flags: int) -> int:
    """Opens a file that others may not read, and none to which a link leads."""
    return opener(path, flags | os.O_NOFOLLOW)


def records_of(path: Path) -> Iterator[Record]:
    """All records of a backup but the last, which is compared with them; raises `BackupRefused`."""
    digest, end = hashlib.sha256(), None
    for count, (framed, record) in enumerate(_read(path)):
        if isinstance(record, End) and not count:
            raise BackupRefused(f"{path} is no backup of Wintercount")
        if isinstance(record, End) and (count, digest.digest()) != (record.records, record.digest):
            raise BackupRefused(f"{path} was altered: its records are not those that were written")
        if end or isinstance(record, End):
            end = framed
            continue
        _check(path, count, record)
        digest.update(framed)
        yield record
    if end is None:
        raise BackupRefused(f"{path} ends before its end: it was cut off")


def _check(path: Path, number: int, record: Record) -> None:
    """Raises `BackupRefused` for a file that does not begin as this release's backups do."""
    if isinstance(record, Header) != (number == 0):
        raise BackupRefused(f"{path} is no backup of Wintercount")
    if isinstance(record, Header) and record.form != FORM:
        raise BackupRefused(f"{path} was written by release {record.release}, whose backups have another form")


def _read(path: Path) -> Iterator[tuple[bytes, Record]]:
    try:
        with gzip.open(path, "rb") as file:
            while length := file.read(LENGTH.size):
                (size,) = LENGTH.unpack(length)
                if size > MOST:
                    raise BackupRefused(f"{path} was made by hand: a record of {size} bytes is none of a store")
                packed = file.read(size)
                yield length + packed, _decoder.decode(packed)
    except (OSError, EOFError, zlib.error, struct.error, msgspec.DecodeError, ValueError) as error:
        raise BackupRefused(f"{path} cannot be read as a backup: {error}") from None
