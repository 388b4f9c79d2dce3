"""Tables that the store has lost, in whole or in part: a process saves what it holds of them in its data directory.

A file a table, in the form of a backup: events with their seals, as the log has them. Files are only added, and their
names tell what is in them, so a repeat changes nothing.
"""

import logging
import os
import threading
import time
from pathlib import Path

from events.log import PARTITIONS
from events.recorded import fields_of
from events.times import stamp
from projections.history import History
from service import __version__
from service.runtime.backup.checking import table_faults
from service.runtime.backup.copying import entries_of
from service.runtime.backup.records import FORM, BackupRefused, Header, TableCopy, Writer, records_of, save
from service.runtime.private_files import make_private

FOLDER = "saved"
SUFFIX = ".saved"

log = logging.getLogger(__name__)


class Saver:
    """Writes files into a folder of the data directory, up to so many bytes."""

    def __init__(self, data: Path, most_bytes: int) -> None:
        self.directory, self._most_bytes = data / FOLDER, most_bytes
        self._lock = threading.Lock()

    def save(self, history: History) -> None:
        """Writes a table that the store does not hold as it is here; logs where to, or why not."""
        path = self.directory / f"{history.table.id}-{history.table.head.place}{SUFFIX}"
        try:
            with self._lock:
                self._write(path, history)
        except (OSError, BackupRefused) as error:
            log.critical("%s was not saved: what only this process knows of it is lost: %s", history.table.id, error)

    def count(self) -> int:
        """How many tables lie in the folder."""
        return saved_in(self.directory)

    def _write(self, path: Path, history: History) -> None:
        if path.exists():
            return
        make_private(self.directory)
        if self._used() >= self._most_bytes:
            raise OSError(f"{self.directory} is full; compare and recover, then remove its files")
        part = path.with_suffix(f".{os.getpid()}.part")  # another process may be writing the same table
        save(path, lambda writer: _write(writer, history), _check, part)
        log.critical("%s was saved as %s: `wintercount compare` tells what the store has lost", history.table.id, path)

    def _used(self) -> int:
        with os.scandir(self.directory) as files:
            return sum(map(_size, files))


def saved_in(folder: Path) -> int:
    """How many saved tables lie in a folder."""
    return sum(1 for _ in folder.glob(f"*{SUFFIX}"))


def _size(file: os.DirEntry[str]) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # another process has just given it its name
        return 0


def _write(writer: Writer, history: History) -> None:
    head = history.table.head
    entries = entries_of((f"{event.version}-0".encode(), fields_of(event)) for event in history.events)
    writer.write(Header(FORM, __version__, PARTITIONS, stamp(time.time_ns() // 10**6)))
    writer.write(TableCopy(history.table.id, head.version, head.hash, entries, {}))


def _check(part: Path) -> None:
    """Raises `BackupRefused` if the file does not hold a whole table."""
    for record in records_of(part):
        if isinstance(record, TableCopy) and (fault := next(table_faults(record), None)):
            raise BackupRefused(fault)
