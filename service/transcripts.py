"""Transcripts: texts in notation that are kept and read as tables, with no record that proves them.

Each text is encrypted under the key of the person who loaded it. Without the key nobody can read it any more, and then
the transcript is gone.
"""

import base64
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
from rulings.words import LANGUAGES, TABLE, name_of, sentence
from service.accounts.allowed_names import CONTROLS, checked_name, checked_text
from service.accounts.callers import OPERATOR, Caller
from service.accounts.personal_texts import Texts
from service.errors import Refused
from service.levels import LEVELS

SLOT, OWN = 4, 16  # letters: where it lies, and what tells it from all others there
NAME = re.compile(rf"(x_[a-z2-7]{{{SLOT + OWN}}})(?:-([1-9][0-9]{{0,3}}))?")


class TranscriptName(NamedTuple):
    """The id of a transcript, and the number of a line of it: 0 is the main line."""

    transcript: str
    line: int


def is_transcript(table: str) -> bool:
    """Whether this can be the id of a transcript or of one of its lines."""
    return NAME.fullmatch(table) is not None


def named(table: str) -> TranscriptName | None:
    """What an id names; None if it is no transcript's."""
    found = NAME.fullmatch(table)
    return TranscriptName(found[1], int(found[2] or 0)) if found else None


def slot_of_keeper(player: str) -> str:
    """Where the transcripts of a player lie: all in one slot, so that one script may touch what it needs."""
    return _letters(hashlib.sha256(player.encode()).digest(), SLOT)


def slot_of(transcript: str) -> str:
    """Where a transcript lies."""
    return transcript[2 : 2 + SLOT]


def id_of(player: str, fingerprint: bytes) -> str:
    """The id of a player's transcript with this fingerprint."""
    return f"x_{slot_of_keeper(player)}{_letters(fingerprint, OWN)}"


def _letters(digest: bytes, count: int) -> str:
    return base64.b32encode(digest).decode().lower()[:count]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a list tells of a transcript; `version` is that with which its main line ends, `lines` counts that line too.

    `is_over` tells whether the text goes on to the end of the game.
    """

    table: str
    game: str
    players: int
    visibility: str
    by: str
    at: str
    is_over: bool
    version: int
    lines: int


class Kept(msgspec.Struct, frozen=True):
    """A transcript as it is kept."""

    row: Row
    text: PersonalText


class TranscriptStore:
    """The transcripts of all players."""

    def __init__(self, client: Client, texts: Texts, most: int) -> None:
        self._client, self._texts, self._most = client, texts, most
        self._keep = acknowledged_script(client, "service", "transcripts_keep.lua")
        self._drop = acknowledged_script(client, "service", "transcripts_drop.lua")

    def name(self, player: str, visibility: str, text: str) -> str:
        """The id of a text that a player keeps: the same for the same text."""
        return id_of(player, self._texts.fingerprint(player, f"{visibility}\n{text}"))

    def keep(self, row: Row, text: str) -> Row:
        """Keeps a text, or finds that it is kept already; raises `Refused` beyond the quota."""
        kept = Kept(row, self._texts.seal(_place(row.table), row.by, text))
        written: list[Any] = [row.table, msgspec.json.encode(kept), msgspec.json.encode(row), self._most]
        found = self._keep(keys=_keys(row.table, row.by), args=written)
        if isinstance(found, int):
            told = f"an account may keep {self._most} transcripts, and you have {found}: delete some first"
            raise Refused("quota_reached", told, quota="transcripts", most=self._most)
        return msgspec.json.decode(found, type=Kept).row

    def find(self, table: str) -> Kept | None:
        """A transcript, if it is there."""
        kept = self._client.get(_key(table))
        return msgspec.json.decode(kept, type=Kept) if kept else None

    def text(self, kept: Kept) -> str | None:
        """The text; None if its keeper's key is gone."""
        return self._texts.open(_place(kept.row.table), kept.text)

    def of_player(self, player: str) -> list[Row]:
        """The transcripts of a player, the newest first."""
        rows = self._client.hvals(_keys("", player)[1])
        found = [msgspec.json.decode(row, type=Row) for row in rows]
        return sorted(found, key=lambda row: (row.at, row.table), reverse=True)

    def drop(self, row: Row) -> None:
        """Deletes a transcript."""
        self._drop(keys=_keys(row.table, row.by), args=[row.table])


def keeps_any(client: Client, player: str) -> bool:
    """Whether a player keeps transcripts."""
    return bool(client.exists(_keys("", player)[1]))


def _key(table: str) -> str:
    return f"{{transcripts:{slot_of(table)}}}:{table}"


def _keys(table: str, player: str) -> list[str]:
    """Of a transcript, and of the list of its player."""
    return [_key(table), f"{{transcripts:{slot_of_keeper(player)}}}:of:{player}"]


def _place(table: str) -> bytes:
    return canonical(["transcript", table])


MOST_READ = 16  # texts that a process keeps replayed
MOST_CHARACTERS = 40  # of a name
MOST_LINES = 1000  # of a text: an id has as many digits
MOST_BYTES = 2_000_000  # of the states with which lines begin: 200 variations of the game whose states are largest
MOST_OF_STATE = 20_000  # bytes of the state with which a text begins: no recorded game has half of it
MISLEADING = re.compile(rf"(?![\t\r\n])[{CONTROLS}]")  # as no text may hold them that others read: comments are shown
# Names that texts of this service hold, though no account may have them: the operator's, and of whoever was erased.
WRITTEN = {OPERATOR.name, *(name_of(TABLE, "somebody", language) for language in LANGUAGES)}


class TranscriptLine(NamedTuple):
    """A line of a transcript, as it was found for somebody who may see it."""

    kept: Kept
    line: int
    text: str


def _replay(text: str, kept: TranscriptDetails) -> Transcript:
    return Transcript(parse(text), kept)


class Transcripts:
    """Reads transcripts as tables."""

    def __init__(self, store: TranscriptStore | None) -> None:
        self._store = store
        self._replayed = lru_cache(MOST_READ)(_replay)

    @property
    def store(self) -> TranscriptStore:
        """Where they are kept; raises `Refused` in a process that has none."""
        if self._store is None:
            raise Refused("no_such_table", "there are no transcripts here")
        return self._store

    def asked(self, table: str, caller: Caller) -> TranscriptLine:
        """What is kept of a transcript and which line is named; raises `Refused` if the caller may see none."""
        name = named(table)
        kept = self.store.find(name.transcript) if name else None
        text = self.store.text(kept) if kept and _may_see(kept.row, caller) else None
        if name is None or kept is None or text is None or name.line >= kept.row.lines:
            raise Refused("no_such_table", f"there is no table {table!r}")
        return TranscriptLine(kept, name.line, text)

    def read(self, asked: TranscriptLine) -> Transcript:
        """The transcript, replayed."""
        row = asked.kept.row
        return self._replayed(asked.text, TranscriptDetails(row.table, row.by, row.at, row.visibility))

    def history(self, table: str, caller: Caller) -> TableHistory:
        """A line of a transcript as the history of a table; raises `Refused` if the caller may see none."""
        asked = self.asked(table, caller)
        return self.read(asked).history(asked.line)

    def whole(self, table: str, caller: Caller, refusal: str) -> TableHistory:
        """A line with what was played before it parted; raises `Refused` if the caller may see none.

        And, with the code `refusal`, for a text that begins with a state, which is nobody's word but the text's: no
        rules led there, and no events tell the players what they know of it.
        """
        asked = self.asked(table, caller)
        found = self.read(asked)
        if found.document.tag("State"):
            raise Refused(refusal, "the text begins with a state: take one that tells its game from the start")
        return found.whole(asked.line)

    def branches(self, table: str, caller: Caller) -> list[Table]:
        """The variations that part from a line, each as it ends; raises `Refused`."""
        asked = self.asked(table, caller)
        found = self.read(asked)
        return [found.history(number).table for number in found.branches(asked.line)]


NO_TRANSCRIPTS = Transcripts(None)  # of processes that read none


def _may_see(row: Row, caller: Caller) -> bool:
    return row.visibility == "public" or "admin" in caller.scopes or (caller.id == row.by and caller.has("watch"))


def replayed(text: str, kept: TranscriptDetails) -> Transcript:
    """A text as it is to be kept; raises `Refused`, which names line and column."""
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


# What a text may hold


def _check(transcript: Transcript) -> None:
    """Raises `NotationError` where a text holds what people cannot be shown, or too much."""
    tags, state = transcript.document.tags, transcript.document.tag("State")
    for tag in tags:
        _check_tag(tag)
    if len(transcript.lines) > MOST_LINES:
        told = f"a text has at most {MOST_LINES - 1} variations, not {len(transcript.lines) - 1}"
        raise NotationError(tags[0].place, told)
    try:
        _check_weight(transcript, state or tags[0])
        for number in range(len(transcript.lines) if state else 0):
            _show(transcript.history(number))
    except NotationError:
        raise
    except FAULTS as error:  # from a state that no game leads to
        told = f"the state makes no sense: {type(error).__name__}"
        raise NotationError((state or tags[0]).place, told) from None


def _check_tag(tag: Tag) -> None:
    for text in _texts((tag.values, tag.named)):  # a string in JSON may hold a sign that the text does not show
        if found := MISLEADING.search(text):
            raise _misleading(tag.place, found[0])
    if tag.name == "Seat":
        _check_seat(tag)


def _misleading(place: TextPosition, sign: str) -> NotationError:
    told = unicodedata.name(sign, "a sign without a name")
    return NotationError(place, f"a text must not hold U+{ord(sign):04X} ({told})")


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value, those that name others too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts((*value, *value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _check_seat(tag: Tag) -> None:
    """A name is one that an account might take, or that the service writes itself; so is that of an AI player."""
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
    """Each variation is a table that begins with a state, which is kept in memory and shown."""
    sizes = [len(msgspec.json.encode(line.state)) for line in transcript.lines]
    if sizes[0] > MOST_OF_STATE:
        raise NotationError(tag.place, f"the state takes {sizes[0]} bytes of JSON, and may take {MOST_OF_STATE}")
    if sum(sizes) > MOST_BYTES:
        told = f"the states with which variations begin take {sum(sizes)} bytes of JSON, and may take {MOST_BYTES}"
        raise NotationError(tag.place, f"{told}: leave some variations out")


def _show(history: TableHistory) -> None:
    """Shows what anybody could ask for."""
    game, players = history.table.game, history.table.opened.players
    for table in history.walk(1, history.table.version):
        if table.state is not None:
            seen = [game.view(table.state, seat) for seat in (None, *range(1, players + 1))]
            msgspec.json.encode([*seen, game.open_view(table.state), game.scores(table.state)])
    for event in history.events:
        for language in LANGUAGES:
            sentence(game.slug, event.envelope.type, event.payload, language)
