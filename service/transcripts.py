"""Transcripts: games in notation that players upload and everybody reads as tables. No record proves them.

Each text is sealed under the key of its player. Without the key the transcript is gone.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from marshmallow import ValidationError

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.scripts import Client, acknowledged_script
from projections.folding import FAULTS
from projections.history import TableHistory
from projections.table import Table
from rulings.notation import NotationError, parse
from rulings.notation.document import Tag, TextPosition
from rulings.notation.transcript import Transcript, TranscriptDetails
from rulings.sentences import LANGUAGES, TABLE, name_of, sentence
from service.accounts.allowed_names import CONTROLS, checked_name, checked_text
from service.accounts.callers import OPERATOR, Caller
from service.accounts.personal_texts import Texts
from service.encodings import base32
from service.errors import Refused
from service.levels import LEVELS

SLOT, OWN = 4, 16  # letters of an id: of the player's slot, and of the text
NAME = re.compile(rf"(x_[a-z2-7]{{{SLOT + OWN}}})(?:-([1-9][0-9]{{0,3}}))?")


def is_transcript(table: str) -> bool:
    """Whether this can be the id of a transcript or of one of its lines."""
    return NAME.fullmatch(table) is not None


def _slot_of(player: str) -> str:
    """Returns the slot of a player's transcripts: one slot, so that one script may touch all of them."""
    return base32(hashlib.sha256(player.encode()).digest())[:SLOT]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A transcript in a list. `version` is the end of its main line; `is_over` if that is the end of the game."""

    id: str
    game: str
    players: int
    visibility: str
    by: str
    at: str
    is_over: bool
    version: int
    lines: int


class Kept(msgspec.Struct, frozen=True):
    """A stored transcript."""

    row: Row
    text: PersonalText


class TranscriptStore:
    """The transcripts of all players."""

    def __init__(self, client: Client, texts: Texts, most: int) -> None:
        self._client, self._texts, self._most = client, texts, most
        self._keep = acknowledged_script(client, "service", "transcripts_keep.lua")
        self._drop = acknowledged_script(client, "service", "transcripts_drop.lua")

    def name(self, player: str, visibility: str, text: str) -> str:
        """Returns the id of a player's text: equal texts have equal ids."""
        fingerprint = self._texts.fingerprint(player, f"{visibility}\n{text}")
        return f"x_{_slot_of(player)}{base32(fingerprint)[:OWN]}"

    def keep(self, row: Row, text: str) -> Row:
        """Stores a text, or finds it stored already; raises `Refused` beyond the quota."""
        kept = Kept(row, self._texts.seal(_place(row.id), row.by, text))
        written: list[Any] = [row.id, msgspec.json.encode(kept), msgspec.json.encode(row), self._most]
        found = self._keep(keys=_keys(row.id, row.by), args=written)
        if isinstance(found, int):
            detail = f"an account may store {self._most} transcripts, and you have {found}: delete some first"
            raise Refused("quota_reached", detail, quota="transcripts", most=self._most)
        return msgspec.json.decode(found, type=Kept).row

    def find(self, table: str) -> Kept | None:
        """Returns a transcript; None if there is none."""
        kept = self._client.get(_key(table))
        return msgspec.json.decode(kept, type=Kept) if kept else None

    def text(self, kept: Kept) -> str | None:
        """Returns the text; None if its player's key is gone."""
        return self._texts.open(_place(kept.row.id), kept.text)

    def of_player(self, player: str) -> list[Row]:
        """Returns the transcripts of a player, newest first."""
        rows = self._client.hvals(_keys("", player)[1])
        found = [msgspec.json.decode(row, type=Row) for row in rows]
        return sorted(found, key=lambda row: (row.at, row.id), reverse=True)

    def drop(self, row: Row) -> None:
        """Deletes a transcript."""
        self._drop(keys=_keys(row.id, row.by), args=[row.id])


def keeps_any(client: Client, player: str) -> bool:
    """Whether a player has transcripts."""
    return bool(client.exists(_keys("", player)[1]))


def _key(table: str) -> str:
    return f"{{transcripts:{table[2 : 2 + SLOT]}}}:{table}"


def _keys(table: str, player: str) -> list[str]:
    """Returns the keys of a transcript and of its player's list."""
    return [_key(table), f"{{transcripts:{_slot_of(player)}}}:of:{player}"]


def _place(table: str) -> bytes:
    return canonical(["transcript", table])


MOST_READ = 16  # replayed texts in memory
MOST_CHARACTERS = 40  # of a name
MOST_LINES = 1000  # of a text: an id has room for these
MOST_BYTES = 2_000_000  # of the states of all lines: 200 variations of the game with the largest states
MOST_OF_STATE = 20_000  # bytes of a text's first state: twice as much as any recorded game has
MISLEADING = re.compile(rf"(?![\t\r\n])[{CONTROLS}]")
# Names in texts of this service that no account may have: the operator's, and that of erased players.
WRITTEN = {OPERATOR.name, *(name_of(TABLE, "somebody", language) for language in LANGUAGES)}


class TranscriptLine(NamedTuple):
    """A line of a transcript that the caller may see."""

    row: Row
    line: int
    text: str


class Transcripts:
    """Reads transcripts as tables."""

    def __init__(self, store: TranscriptStore | None) -> None:
        self._store = store
        self._replayed = lru_cache(MOST_READ)(lambda text, kept: Transcript(parse(text), kept))

    @property
    def store(self) -> TranscriptStore:
        """The store; raises `Refused` in a process without one."""
        if self._store is None:
            raise Refused("no_such_table", "there are no transcripts here")
        return self._store

    def asked(self, table: str, caller: Caller) -> TranscriptLine:
        """Returns the line of a transcript; raises `Refused` if the caller may see none."""
        name = NAME.fullmatch(table)
        kept, line = (self.store.find(name[1]), int(name[2] or 0)) if name else (None, 0)
        text = self.store.text(kept) if kept and _may_see(kept.row, caller) else None
        if kept is None or text is None or line >= kept.row.lines:
            raise Refused("no_such_table", f"there is no table {table!r}")
        return TranscriptLine(kept.row, line, text)

    def read(self, table: str, caller: Caller) -> tuple[TranscriptLine, Transcript]:
        """Returns a line of a transcript and the transcript, replayed; raises `Refused` if the caller may see none."""
        asked = self.asked(table, caller)
        row = asked.row
        return asked, self._replayed(asked.text, TranscriptDetails(row.id, row.by, row.at, row.visibility))

    def history(self, table: str, caller: Caller) -> TableHistory:
        """Returns a line as the history of a table; raises `Refused` if the caller may see none."""
        asked, found = self.read(table, caller)
        return found.history(asked.line)

    def whole(self, table: str, caller: Caller, refusal: str) -> TableHistory:
        """Returns a line with the moves before it parted; raises `Refused` if the caller may see none.

        Refuses, with the code `refusal`, a text that begins with a state: no events tell what its players know.
        """
        asked, found = self.read(table, caller)
        if found.document.tag("State"):
            raise Refused(refusal, "the text begins with a state: take one that has the game from the start")
        return found.whole(asked.line)

    def branches(self, table: str, caller: Caller) -> list[Table]:
        """Returns the ends of the variations that part from a line; raises `Refused`."""
        asked, found = self.read(table, caller)
        return [found.history(number).table for number in found.branches(asked.line)]


NO_TRANSCRIPTS = Transcripts(None)  # for processes that read none


def _may_see(row: Row, caller: Caller) -> bool:
    return row.visibility == "public" or "admin" in caller.scopes or (caller.id == row.by and caller.has("watch"))


def replayed(text: str, kept: TranscriptDetails) -> Transcript:
    """Returns a text to be stored, checked and replayed; raises `Refused`, which names line and column."""
    try:
        if found := MISLEADING.search(text):
            before = text[: found.start()]
            raise _misleading(TextPosition(before.count("\n") + 1, len(before) - before.rfind("\n")), found[0])
        transcript = Transcript(parse(text), kept)
        _check(transcript)
    except NotationError as error:
        rule = {"rule": error.rule} if error.rule else {}
        place = error.place
        raise Refused("notation_refused", str(error), line=place.line, column=place.column, **rule) from None
    return transcript


def row_of(transcript: Transcript) -> Row:
    """Returns the row of a transcript in a list."""
    end, kept = transcript.history(0).table, transcript.kept
    return Row(
        id=kept.table,
        game=end.opened.game,
        players=end.opened.players,
        visibility=kept.visibility,
        by=kept.by,
        at=kept.at,
        is_over=end.over,
        version=end.version,
        lines=len(transcript.lines),
    )


# What a text may hold


def _check(transcript: Transcript) -> None:
    """Raises `NotationError` for contents that cannot be shown to people, or too many."""
    tags, state = transcript.document.tags, transcript.document.tag("State")
    for tag in tags:
        _check_tag(tag)
    if len(transcript.lines) > MOST_LINES:
        detail = f"a text has at most {MOST_LINES - 1} variations, not {len(transcript.lines) - 1}"
        raise NotationError(tags[0].place, detail)
    try:
        _check_weight(transcript, state or tags[0])
        for number in range(len(transcript.lines) if state else 0):
            _show(transcript.history(number))
    except NotationError:
        raise
    except FAULTS as error:  # the state is impossible
        raise NotationError((state or tags[0]).place, f"the state makes no sense: {type(error).__name__}") from None


def _check_tag(tag: Tag) -> None:
    for text in _texts((tag.values, tag.named)):  # JSON strings may escape a character
        if found := MISLEADING.search(text):
            raise _misleading(tag.place, found[0])
    if tag.name == "Seat":
        _check_seat(tag)


def _misleading(place: TextPosition, sign: str) -> NotationError:
    name = unicodedata.name(sign, "an unnamed character")
    return NotationError(place, f"a text must not contain U+{ord(sign):04X} ({name})")


def _texts(value: Any) -> Iterator[str]:
    """Yields all strings in a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts((*value, *value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _check_seat(tag: Tag) -> None:
    """Raises `NotationError` for names that no account may have, unless the service itself writes them."""
    for name in ("name", "ai", "level"):
        text = tag.named.get(name) or ""
        if len(text) > MOST_CHARACTERS:
            raise NotationError(tag.place, f"{name} has at most {MOST_CHARACTERS} characters")
        try:
            checked_text(text)
            if name != "level" and text not in WRITTEN:
                checked_name(text)
        except ValidationError as error:
            raise NotationError(tag.place, f"{name} {error.messages[0]}") from None
    if (level := tag.named.get("level")) and level not in LEVELS:
        raise NotationError(tag.place, f"there is no level {level!r}, but {', '.join(LEVELS)}")


def _check_weight(transcript: Transcript, tag: Tag) -> None:
    """Raises `NotationError` for states that take too much memory."""
    sizes = [len(msgspec.json.encode(line.state)) for line in transcript.lines]
    if sizes[0] > MOST_OF_STATE:
        raise NotationError(tag.place, f"the state takes {sizes[0]} bytes of JSON, and may take {MOST_OF_STATE}")
    if sum(sizes) > MOST_BYTES:
        detail = f"the states of all variations take {sum(sizes)} bytes of JSON, and may take {MOST_BYTES}"
        raise NotationError(tag.place, f"{detail}: leave some variations out")


def _show(history: TableHistory) -> None:
    """Computes everything that anybody could ask for."""
    game, players = history.table.game, history.table.opened.players
    for table in history.walk(1, history.table.version):
        if table.state is not None:
            seen = [game.view(table.state, seat) for seat in (None, *range(1, players + 1))]
            msgspec.json.encode([*seen, game.open_view(table.state), game.scores(table.state)])
    for event in history.events:
        for language in LANGUAGES:
            sentence(game.slug, event.envelope.type, event.payload, language)
