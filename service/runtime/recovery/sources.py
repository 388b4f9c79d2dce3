"""Where copies of tables are: stores, backups and what processes saved, exported archives, receipts."""

import json
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Protocol

import msgspec
from redis.exceptions import RedisError

from events.archiving.objects import Objects
from events.recorded import Head, Recorded, from_fields
from events.store import IMPORTED
from events.verify import archive_faults, digest_of, event_in, header
from rulings.archive_file import ArchiveRefused, recorded_in
from service.runtime.backup.copying import fields_of
from service.runtime.backup.records import BackupRefused, KeyCopy, Record, TableCopy, records_of
from service.runtime.recovery.holdings import Copy
from service.runtime.recovery.packed import Unread, beginning, packed_lines
from service.runtime.recovery.stores import OtherStore

OURS = (".backup", ".saved")  # how files end that the service's own commands and processes have named
EMPTY = "there is no file in it; directories within it are not looked at"
NO_URL = "it is no URL of a store: one begins with redis://, rediss://, unix:// or redis+cluster://"
ARCHIVE = b'"format":"wintercount-archive"'


class Source(Protocol):
    """Somewhere where tables are, or where somebody knows of them.

    Of a file that anybody may have written (`claimed`) the record proves what could have been, not what was.
    """

    name: str
    claimed: bool

    def heads(self) -> Iterable[tuple[str, Head]]:
        """Each table with a version that is known here; raises `Unread`."""
        ...

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """These tables, as far as they are here; where there are several histories of one, each. Raises `Unread`."""
        ...


class Backup:
    """A backup, or a file that a process saved: both have one form, and anybody who knows it can write one.

    So what is named otherwise may be what somebody handed in for an exported archive.
    """

    def __init__(self, path: Path, archive: Objects | None) -> None:
        self.name, self._path, self._archive = str(path), path, archive
        self.claimed = path.suffix not in OURS
        self._imported: set[str] = set()

    def heads(self) -> list[tuple[str, Head]]:
        """All tables, after the file was read to its end: nothing is believed of one that was altered."""
        found = []
        for record in self._records():
            if isinstance(record, TableCopy):
                found.append((record.table, Head(record.version, record.hash)))
            self._imported |= _imported_in(record)
        return found

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """The tables with their requests; of an archived one as much as its place tells. Raises `Unread`."""
        found = (record for record in self._records() if isinstance(record, TableCopy))
        return (self._copy(record) for record in found if record.table in tables)

    def _records(self) -> Iterator[Record]:
        """All records: the file may be another one each time that it is read."""
        try:
            yield from records_of(self._path)
        except BackupRefused as refusal:
            raise Unread(str(refusal)) from None

    def _copy(self, found: TableCopy) -> Copy:
        if found.place:
            return Copy(found.table, heads=(Head(found.version, found.hash),))
        try:
            requests = {name.decode(): told.decode() for name, told in found.requests.items()}
            events = tuple(from_fields(fields_of(entry)) for entry in found.entries)
            return Copy(found.table, events, requests, imported=found.table in self._imported)
        except (KeyError, ValueError, msgspec.DecodeError) as error:
            return Copy(found.table, fault=f"one of its entries is no event ({type(error).__name__})")


def _imported_in(record: Record) -> set[str]:
    """The tables of which a record of a backup says that they were recorded elsewhere."""
    if not isinstance(record, KeyCopy) or record.key.rpartition(":")[2] != IMPORTED:
        return set()
    return {name.decode(errors="replace") for name in record.value} if isinstance(record.value, dict) else set()


class Exported:
    """A table that was exported; a closed archive, which lacks secrets, tells the hashes alone."""

    claimed = True

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path

    @cached_property
    def _copy(self) -> Copy:
        lines = packed_lines(self._path)
        if faults := list(archive_faults(lines)):
            raise Unread(f"it is no whole archive: {faults[0]}")
        rows = [event_in(line, "event") for line in lines[1:]]
        table = str(header(lines[0])["table"])
        try:
            return Copy(table, _complete(map(recorded_in, rows)))
        except ArchiveRefused:
            return Copy(table, heads=tuple(Head(row["version"], digest_of(row["hash"])) for row in rows))

    def heads(self) -> list[tuple[str, Head]]:
        """The table, at its last version."""
        last = self._copy.events[-1] if self._copy.events else self._copy.heads[-1]
        return [(self._copy.table, Head(last.version, last.hash))]

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """The table."""
        return iter([self._copy] if self._copy.table in tables else [])


def _complete(events: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """The events of an archive in which every secret lies open; raises `ArchiveRefused`."""
    found = tuple(events)
    if any(set(event.envelope.secrets) != set(event.sealed) for event in found):
        raise ArchiveRefused("secrets are still closed")
    return found


class Receipts:
    """What clients were told: a receipt a line, or an answer that has one, as JSON."""

    claimed = True

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path

    @cached_property
    def _told(self) -> list[tuple[str, Head]]:
        lines = [(number, line) for number, line in enumerate(packed_lines(self._path), 1) if line.strip()]
        if not lines:  # so does a backup end that a full disk has cut off
            raise Unread("it is empty")
        return [self._receipt(number, line) for number, line in lines]

    def _receipt(self, number: int, line: bytes) -> tuple[str, Head]:
        try:
            row = json.loads(line)
            row = row.get("receipt", row)
            return row["table"], Head(row["version"], digest_of(row["hash"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            told = f"line {number} is no receipt: it needs `table`, `version` and `hash`"
            raise Unread(told) from None

    def heads(self) -> list[tuple[str, Head]]:
        """Each receipt."""
        return self._told

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """The receipts of each of these tables."""
        concerned = sorted((told for told in self._told if told[0] in tables), key=lambda told: told[0])
        for table, told in groupby(concerned, key=lambda one: one[0]):
            yield Copy(table, heads=tuple(head for _, head in told))


class Nothing:
    """A word that leads to nothing, such as a directory where a disk should be mounted, and why."""

    claimed = True

    def __init__(self, name: str, why: str) -> None:
        self.name, self._why = name, why

    def heads(self) -> Iterator[tuple[str, Head]]:
        """Raises `Unread`."""
        raise Unread(self._why)

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:  # noqa: ARG002 - whatever is asked for
        """None."""
        return iter(())


def sources_of(words: Iterable[str], archive: Objects | None) -> Iterator[Source]:
    """The sources that an operator names: URLs of stores, files, directories of files."""
    for word in words:
        if "://" in word:
            yield _store_at(word, archive)
        else:
            found = [_in_file(path, archive) for path in _files(Path(word))]
            yield from found or [Nothing(str(Path(word)), EMPTY)]


def _store_at(url: str, archive: Objects | None) -> Source:
    """The store at a URL: one that cannot be reached at all, or is none, keeps no others from being asked."""
    name = _without_credentials(url)
    try:
        return OtherStore(url, archive, name)
    except RedisError as error:  # a cluster is asked for its nodes at once
        return Nothing(name, f"the store cannot be read: {error}")
    except ValueError:  # its words may hold a part of the URL that is a password
        return Nothing(name, NO_URL)


def _files(path: Path) -> list[Path]:
    """A file, or those in a directory but not in further ones; none that is still being written."""
    found = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
    return [one for one in found if one.suffix != ".part"]


def _in_file(path: Path, archive: Objects | None) -> Source:
    packed, first = beginning(path)
    if ARCHIVE in first:
        return Exported(path)
    return Backup(path, archive) if packed else Receipts(path)


def _without_credentials(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
