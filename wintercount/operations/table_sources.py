"""Archives and stored tables as sources, and what commands print of them: conversions, explained moves, replays."""

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from events.log import LogUnreadable
from events.store import RedisLog
from events.verify import NO_ARCHIVE
from games.payloads import event_type, payload_of
from projections.history import TableCache, TableHistory
from rulings.archive_format import ArchiveRefused, lines_in, open_archive, read_history
from rulings.notation import NotationError, document_of, parse, replay, write
from service.stores import log_at
from service.transcripts import is_transcript
from worker.ai_explanations import Explanation

Source = Callable[[], TableHistory]
MOST_TEXT = 4 << 20  # bytes: services take in 60,000 characters, and the longest recorded game has 15,000


class NoTable(LookupError):
    """There is no such table, or the name is not one of a table."""


@contextlib.contextmanager
def naming(path: str, *others: type[Exception]) -> Iterator[None]:
    """Names the file in errors about it, which become `ArchiveRefused`."""
    kinds: tuple[type[Exception], ...] = (ArchiveRefused, LogUnreadable, NotationError, OSError, EOFError, *others)
    try:
        yield
    except kinds as error:
        text = str(error)
        kind = type(error) if isinstance(error, ArchiveRefused) else ArchiveRefused
        raise kind(text if text.startswith(path) else f"{path}: {text}") from None


def is_text(path: str) -> bool:
    """Whether a file holds a text in notation rather than an archive."""
    with naming(path), open_archive(Path(path)) as file:
        return file.read(1) != b"{"


def text_in(path: str) -> str:
    """Returns the text of a file; raises `ArchiveRefused` for another kind of file, or one larger than any game."""
    with open_archive(Path(path)) as file:
        text = file.read(MOST_TEXT + 1)
    if len(text) > MOST_TEXT:
        raise ArchiveRefused(f"{path}: a text in notation has at most {MOST_TEXT} bytes")
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise ArchiveRefused(f"{path} is neither an archive of a table nor a text in notation") from None


def explained(found: Explanation) -> Iterator[str]:
    """Yields how an AI player chose a move, in lines."""
    ai = found.ai
    yield f"{found.table} version {found.version}, seat {found.seat}: {ai['player']} {ai['version']} ({ai['level']})"
    yield from (f"  instead of {row['player']} {row['version']}: {row['why']}" for row in ai.get("instead_of", ()))
    yield f"  recorded: {_compact(found.recorded)}"
    yield f"  {found.detail}"
    if found.computed is None:
        return
    yield f"  iterations: {found.computed.iterations}; moves weighed: {found.computed.weighed}"
    yield f"  visits   value  move (the value is {found.meaning})"
    for row in found.computed.candidates:
        yield f"  {row.visits:6d} {row.value:7.3f}  {_compact(row.move)}"


def _compact(move: Any) -> str:
    return msgspec.json.encode(move).decode()


def from_file(path: str) -> Source:
    """Returns a source that reads a complete archive; it raises `ArchiveRefused`."""

    def load() -> TableHistory:
        with naming(path), open_archive(Path(path)) as archive:
            return read_history(lines_in(archive))

    return load


def source_of(name: str, url: Callable[[], str]) -> Source:
    """Returns a source that reads the archive of that name, if there is such a file, or else the store at `url`."""
    return from_file(name) if is_archive_file(name) else kept_in(log_at(url()), name)


def is_archive_file(name: str) -> bool:
    """Whether the name is a file rather than a table; raises `NoTable` if it can be neither."""
    found = Path(name).is_file()
    if Path(name).is_dir():
        raise NoTable(f"{name} is a directory: {NO_ARCHIVE}")
    if not found and is_transcript(name):
        raise NoTable(f"{name} is a transcript: a text has no chain, so nothing proves it")
    if not found and not name.startswith("t_"):
        raise NoTable(f"there is no file {name!r}, and the id of a table begins with t_")
    return found


def table_names(log: RedisLog) -> list[str]:
    """Returns the names of all tables of a store."""
    return sorted({pointer.table for partition in range(log.partitions) for pointer in log.whole_feed(partition)})


def kept_in(log: RedisLog, name: str) -> Source:
    """Returns a source that reads a table of an open store; it raises `NoTable`."""

    def load() -> TableHistory:
        history = TableCache(log, capacity=1).load(name)
        if history is None:
            raise NoTable(f"there is no table {name!r}")
        return history

    return load


def parse_options(texts: Sequence[str]) -> dict[str, Any]:
    """Returns house rules given as NAME=VALUE; a value that is not JSON is a string."""
    return {name: json_or_text(value) for name, _, value in (text.partition("=") for text in texts)}


def json_or_text(text: str) -> Any:
    """Returns the value of a JSON text, or the text itself if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def converted(path: str, form: str) -> Iterator[str]:
    """Yields the lines of a file in another form; raises `ArchiveRefused`.

    A text in notation is replayed to its end first, so the result is a game by the rules.
    """
    with naming(path):
        document = parse(text_in(path)) if is_text(path) else document_of(from_file(path)(), None, over=True)
        played = replay(document)
    if form == "notation":
        yield from write(document).splitlines()
        return
    for turn in played.turns:
        for event in turn.events:
            yield msgspec.json.encode({"type": event_type(event), "payload": payload_of(event)}).decode()
