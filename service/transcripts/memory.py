"""Transcripts in memory: a text is replayed when somebody looks at it, and kept for those who look again."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from projections.history import History
from projections.table import Table
from rulings.notation import NotationError, parse
from rulings.notation.tabling import Keeping, Transcript
from service.accounts.callers import Caller
from service.errors import Refused
from service.transcripts.checking import check, check_signs
from service.transcripts.keeping import Kept, Row, TranscriptStore
from service.transcripts.names import named

MOST_KNOWN = 50  # texts that a process has replayed
MOST_WEIGHT = 4_000_000  # of those texts together: some 40 MB
BASE_MS, CHARACTERS_PER_MS = 10, 250  # what it takes to replay a text: measured over the recorded games
EXPENSIVE_SIGNS = "(!"  # a variation and an amendment: each takes up to 1 ms, and as little as one character or two


class TranscriptLine(NamedTuple):
    """A line of a transcript, as it was found for somebody who may see it."""

    kept: Kept
    line: int
    text: str


class Transcripts:
    """Reads transcripts as tables. Safe for threads. `charge` is told what a replay costs, and may refuse it."""

    def __init__(self, store: TranscriptStore | None, charge: Callable[[int], None] = lambda _: None) -> None:
        self._store, self.charge = store, charge
        self._known: OrderedDict[str, Transcript] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def store(self) -> TranscriptStore:
        """Where they are kept; raises `Refused` in a process that has none."""
        if self._store is None:
            raise Refused("no-such-table", "there are no transcripts here")
        return self._store

    def history(self, table: str, caller: Caller) -> History:
        """A line of a transcript as the history of a table; raises `Refused` if the caller may see none."""
        asked = self.asked(table, caller)
        return self.read(asked).history(asked.line)

    def asked(self, table: str, caller: Caller) -> TranscriptLine:
        """What is kept of a transcript and which line is named; raises `Refused` if the caller may see none."""
        name = named(table)
        kept = self.store.find(name.transcript) if name else None
        text = self.store.text(kept) if kept and may_see(kept.row, caller) else None
        if name is None or kept is None or text is None or name.line >= kept.row.lines:
            raise Refused("no-such-table", f"there is no table {table!r}")
        return TranscriptLine(kept, name.line, text)

    def read(self, asked: TranscriptLine) -> Transcript:
        """The transcript, replayed if it is not in memory."""
        table = asked.kept.row.table
        with self._lock:
            if table in self._known:
                self._known.move_to_end(table)
                return self._known[table]
        self.charge(replay_ms(asked.text))
        found = Transcript(parse(asked.text), _keeping(asked.kept.row))
        with self._lock:
            self._known[table] = found
            while len(self._known) > MOST_KNOWN or self._is_too_heavy():
                self._known.popitem(last=False)
        return found

    def whole(self, table: str, caller: Caller, refusal: str) -> History:
        """A line with what was played before it parted; raises `Refused` if the caller may see none.

        And, with the code `refusal`, for a text that begins with a state, which is nobody's word but the text's: no
        rules led there, and no events tell the players what they know of it.
        """
        asked = self.asked(table, caller)
        found = self.read(asked)
        if found.document.tag("State"):
            raise Refused(refusal, "the text begins with a state: take one that tells its game from the start")
        return found.whole(asked.line)

    def _is_too_heavy(self) -> bool:
        return sum(known.weight for known in self._known.values()) > MOST_WEIGHT

    def branches(self, table: str, caller: Caller) -> list[Table]:
        """The variations that part from a line, each as it ends; raises `Refused`."""
        asked = self.asked(table, caller)
        found = self.read(asked)
        return [found.history(number).table for number in found.branches(asked.line)]


NO_TRANSCRIPTS = Transcripts(None)  # of processes that read none


def may_see(row: Row, caller: Caller) -> bool:
    """Whether a transcript exists for the caller."""
    return row.visibility == "public" or "admin" in caller.scopes or (caller.id == row.by and caller.has("watch"))


def replay_ms(text: str) -> int:
    """What it costs to replay a text, in processor milliseconds."""
    return BASE_MS + len(text) // CHARACTERS_PER_MS + sum(map(text.count, EXPENSIVE_SIGNS))


def replayed(text: str, kept: Keeping) -> Transcript:
    """A text as it is to be kept; raises `Refused`, which names line and column."""
    try:
        check_signs(text)
        transcript = Transcript(parse(text), kept)
        check(transcript)
    except NotationError as error:
        raise _refused(error) from None
    return transcript


def row_of(transcript: Transcript) -> Row:
    """What a list tells of a transcript."""
    end, kept = transcript.history(0).table, transcript.kept
    return Row(
        table=kept.table,
        game=end.opened.game,
        players=end.opened.players,
        visibility=kept.visibility,
        by=kept.by,
        at=kept.at,
        is_over=end.over,
        version=end.version,
        lines=len(transcript.lines),
    )


def _refused(error: NotationError) -> Refused:
    rule = {"rule": error.rule} if error.rule else {}
    return Refused("notation-refused", str(error), line=error.place.line, column=error.place.column, **rule)


def _keeping(row: Row) -> Keeping:
    return Keeping(row.table, row.by, row.at, row.visibility)
