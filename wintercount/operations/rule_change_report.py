"""Decides every recorded decision of many tables again, with all cores, and sums up what a change would have done.

Each table is one line of a file, so a run that was stopped goes on where it was.
"""

import multiprocessing
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache, partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, NamedTuple, TypeVar

import jinja2
import msgspec

from events.archiving import segments
from events.archiving.compression import ZstdError, ZstdFile
from events.archiving.objects import Objects
from events.archiving.packing import Packed, columns_of, unpack_columns, unpack_events
from events.log import LogUnreadable
from events.times import millis
from games import GAMES
from projections.folding import fold
from projections.history import TableHistory
from rulings.archive_format import ArchiveRefused, lines_in, open_archive, read_columns, read_history
from rulings.rule_change_impact import Impact, NotDecided, impact
from service.dumps import Reading, Readings
from service.stores import log_at
from wintercount.operations.table_sources import NoTable, kept_in, table_names

T = TypeVar("T")

SUFFIXES = (".ndjson", ".ndjson.gz")
Mattered = dict[tuple[str, str], Reading]  # by house rule and value
AT_ONCE = 64  # tables on their way to processes: those of a dump take memory


class Table(NamedTuple):
    """A table to decide again, as it is sent to a process: its name tells it from all others.

    `columns` reads its events, unchecked; `history` reads all of it. Both raise `READING_ERRORS`.
    """

    name: str
    columns: Callable[[], Packed]
    history: Callable[[], TableHistory]


READING_ERRORS = (ArchiveRefused, LogUnreadable, NoTable, ValueError, LookupError)


def _table(name: str, read: Callable[..., Any], *where: Any) -> Table:
    """Returns a table that a function reads there, given how to read it."""
    return Table(name, partial(read, False, *where), partial(read, True, *where))


def in_file(path: str) -> Table:
    """Returns the table of an archive."""
    return _table(path, _from_file, path)


def _from_file(whole: bool, path: str) -> Any:
    with open_archive(Path(path)) as file:
        return _from_lines(whole, lines_in(file))


def _from_content(whole: bool, content: bytes) -> Any:
    return _from_lines(whole, content.splitlines(keepends=True))


def _from_lines(whole: bool, lines: Iterable[bytes]) -> Any:
    return read_history(lines) if whole else read_columns(lines)


def _from_segment(whole: bool, archive: str, place: segments.SegmentRange) -> Any:
    packed = _objects(archive).read_range(segments.path_of(place.segment), place.offset, place.length)
    return _history(unpack_events(packed)) if whole else unpack_columns(packed)


def _from_store(whole: bool, url: str, name: str) -> Any:
    history = kept_in(_log(url), name)()
    return history if whole else columns_of(history.events)


def _history(events: Any) -> TableHistory:
    table = fold(None, events)
    if table is None:
        raise ValueError("it has no events")
    return TableHistory(events, table)


_objects = cache(Objects)
_log = cache(log_at)  # opened once a process


def tables_in(archive: Path) -> Iterator[Table]:
    """Yields the tables of a directory: the archive of a service, or files of archives at any depth."""
    objects = Objects(str(archive))
    sizes = segments.sizes(objects)
    for segment in sorted(sizes):
        for listed in segments.read_listing(objects, segment):
            yield _table(listed.table, _from_segment, str(archive), listed.place(segment))
    if not sizes:
        yield from (in_file(str(path)) for path in sorted(archive.rglob("*")) if path.name.endswith(SUFFIXES))


def tables_of_dump(dump: Path) -> Iterator[Table]:
    """Yields the tables of a dump; raises `ArchiveRefused`."""
    try:
        with ZstdFile(dump) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as tar:
            for entry in tar:
                if (file := tar.extractfile(entry)) is not None:
                    yield _table(Path(entry.name).name.removesuffix(".ndjson"), _from_content, file.read())
    except (ZstdError, tarfile.TarError, EOFError) as damage:
        raise ArchiveRefused(f"{dump} is not a dump, which is a .tar.zst: {damage}") from None


def tables_of_store(url: str) -> Iterator[Table]:
    """Yields all tables of a store."""
    return (_table(name, _from_store, url, name) for name in table_names(_log(url)))


class Question(msgspec.Struct, frozen=True):
    """What is asked of each table: house rules to decide by, and which games and times it is asked of.

    `release`: a run goes on only under the code that began it.
    """

    options: dict[str, Any]
    game: str | None = None
    since: str | None = None
    release: str = msgspec.field(default_factory=lambda: version("wintercount"))

    def covers(self, columns: Packed) -> bool:
        """Whether the question is about this table: a finished one of the game, which ended in time."""
        game, ended = columns.payload[0].get("game"), columns.batches[-1].at
        in_time = self.since is None or millis(ended) >= millis(self.since)
        return in_time and self.game in (None, game) and game in GAMES and "GameEnded" in columns.type


class Line(msgspec.Struct, frozen=True):
    """A line of the file of results: a table by its name, with neither result if the question is not about it."""

    name: str
    decided: Impact | None = None
    not_decided: NotDecided | None = None


def answer(question: Question, table: Table) -> Line:
    """Asks one table."""
    try:
        columns = table.columns()
        if not question.covers(columns):
            return Line(table.name)
        found = impact(columns, question.options, table.history)
    except READING_ERRORS as error:
        found = NotDecided(table.name, f"it cannot be read: {error}")
    return Line(table.name, found) if isinstance(found, Impact) else Line(table.name, None, found)


def answers(ask: Callable[[Table], T], tables: Iterator[Table], processes: int) -> Iterator[T]:
    """Asks tables something in processes; yields the answers as they come."""
    room = BoundedSemaphore(AT_ONCE)

    def sent() -> Iterator[Table]:
        for table in tables:
            room.acquire()
            yield table

    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for found in pool.imap_unordered(ask, sent()):
            room.release()
            yield found


class Results:
    """The results so far, in a file: a line for the question, and one for each table."""

    def __init__(self, path: Path | None, question: Question) -> None:
        self._path, self.question, self.lines = path, question, list[Line]()
        if path and path.exists():
            self._read(path)
        elif path:
            path.write_bytes(msgspec.json.encode(question) + b"\n")

    def _read(self, path: Path) -> None:
        """Reads the file, and drops its last line if it was cut off; raises `ArchiveRefused` for another question."""
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        first, *rest = whole.splitlines() or [b""]
        try:
            begun = msgspec.json.decode(first, type=Question)
            self.lines = [msgspec.json.decode(line, type=Line) for line in rest]
        except msgspec.DecodeError as error:
            raise ArchiveRefused(f"{path} is no file of results: {error}") from None
        if begun != self.question:
            asked = msgspec.json.encode(begun).decode()
            raise ArchiveRefused(f"{path} has the answers to another question, {asked}: name another file")
        os.truncate(path, len(whole))

    def rest(self, tables: Iterator[Table]) -> Iterator[Table]:
        """Yields the tables that have no result yet."""
        known = {line.name for line in self.lines}
        return (table for table in tables if table.name not in known)

    def add(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Keeps results, and passes them on."""
        with self._path.open("ab") if self._path else nullcontext() as file:
            for line in lines:
                self.lines.append(line)
                if file:
                    file.write(msgspec.json.encode(line) + b"\n")
                    file.flush()
                yield line


class First(msgspec.Struct, frozen=True):
    """The first difference of a rule: the one that was played first. `link` opens the moment before it."""

    table: str
    version: int
    ended_at: str
    link: str


class OfRule(msgspec.Struct, frozen=True):
    """What differs by one rule: how many games and decisions, and the first of them."""

    rule: str
    games: int
    decisions: int
    first: First


class Summary(msgspec.Struct, frozen=True):
    """What a change would have done. Scores and winners after a first difference are hypothetical.

    `cut_off`: games whose recorded moves cannot go on to the end, so that scores and winners are unknown.
    """

    question: Question
    games: int
    decisions: int
    games_that_differ: int
    decisions_that_differ: int
    scores_that_differ: int
    winners_that_differ: int
    cut_off: int
    rules: list[OfRule]
    not_decided: list[NotDecided]

    def fails(self, on: str | None) -> bool:
        """Whether what may not differ does, or may do so where a game was cut off."""
        decision, score = self.decisions_that_differ, self.scores_that_differ + self.cut_off
        found = {"decision": decision, "score": score, "winner": self.winners_that_differ + self.cut_off}
        return on is not None and found[on] > 0


def summary(results: Results, site: str) -> Summary:
    """Sums up the results; links lead to this site."""
    decided = [line.decided for line in results.lines if line.decided]
    other = sorted((found for found in decided if found.differing), key=lambda found: (found.ended_at, found.table))
    rules = sorted({rule for found in other for rule in found.rules})
    return Summary(
        question=results.question,
        games=len(decided),
        decisions=sum(found.decisions for found in decided),
        games_that_differ=len(other),
        decisions_that_differ=sum(found.differing for found in other),
        scores_that_differ=sum(found.scores is True for found in other),
        winners_that_differ=sum(found.winners is True for found in other),
        cut_off=sum(found.winners is None for found in other),
        rules=[_of_rule(rule, [found for found in other if rule in found.rules], site) for rule in rules],
        not_decided=[line.not_decided for line in results.lines if line.not_decided],
    )


def _of_rule(rule: str, found: Sequence[Impact], site: str) -> OfRule:
    first, decisions = found[0], sum(one.rules[rule] for one in found)
    version = first.firsts[rule]
    link = f"{site}/#/tables/{first.table}/{version - 1}"
    return OfRule(rule, len(found), decisions, First(first.table, version, first.ended_at, link))


def lines(found: Summary) -> Iterator[str]:
    """Yields a summary as text."""
    yield f"{found.decisions:,} decisions of {found.games:,} games decided again"
    yield f"differing decisions: {found.decisions_that_differ:,}; games: {found.games_that_differ:,}"
    if found.games_that_differ:
        yield f"games with other scores: {found.scores_that_differ:,}; another winner: {found.winners_that_differ:,}"
        yield f"games that could not go on, as a rule refuses a later move: {found.cut_off:,}"
        yield "What follows a difference is hypothetical: the players decided in another situation."
    for rule in found.rules:
        first = f"first at version {rule.first.version} of {rule.first.table}: {rule.first.link}"
        yield f"  {rule.rule}: decisions: {rule.decisions:,}, games: {rule.games:,}; {first}"
    yield from (f"not decided: {one.table}: {one.reason}" for one in found.not_decided)


def page(found: Summary) -> str:
    """Returns a summary as a page of HTML."""
    template = files("wintercount").joinpath("operations/impact.html").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True).from_string(template).render(found=found)


# How often each reading of the register would have mattered


def readings(table: Table) -> tuple[str, Mattered] | None:
    """Returns the game of a public table, and what each other value of its house rules would have led to."""
    try:
        columns = table.columns()
        if not (Question({}).covers(columns) and _is_public(columns)):
            return None
        found = {
            (option.name, msgspec.json.encode(value).decode()): _mattered(columns, {option.name: value}, table)
            for option in GAMES[columns.payload[0]["game"]].options
            for value in option.values
            if columns.payload[0]["options"][option.name] != value
        }
    except READING_ERRORS:
        return None
    return columns.payload[0]["game"], found


def _is_public(columns: Packed) -> bool:
    opened = columns.payload[0]
    return columns.type[0] == "TableOpened" and opened["visibility"] == "public" and not opened["lesson"]


def _mattered(columns: Packed, options: dict[str, Any], table: Table) -> Reading:
    found = impact(columns, options, table.history)
    if isinstance(found, NotDecided):
        return Reading()
    return Reading(1, int(found.differing > 0), int(found.winners is True), int(found.winners is None))


def register_of(found: Iterator[tuple[str, Mattered] | None], now: str) -> Readings:
    """Sums up the readings of all tables."""
    games: dict[str, dict[str, dict[str, Reading]]] = {}
    for game, mattered in filter(None, found):
        for (option, value), one in mattered.items():
            values = games.setdefault(game, {}).setdefault(option, {})
            values[value] = values.get(value, Reading()).plus(one)
    return Readings(now, games)
