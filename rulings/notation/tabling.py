"""A text as a table: the events that its moves lead to, which nothing chains or seals.

A reader looks at it as at any table, at every version and as any seat saw it. Nothing in it is secret, since the text
tells all; nothing proves it, so every hash is `UNPROVEN`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from events.chain import GENESIS
from events.lifecycle import CLOCK_FIELDS, PlayerKind, SeatOffer, TableForked, TableOpened, TimeControl
from events.recorded import BatchMetadata, Head, NewEvent, Recorded, Seal, record
from projections.folding import fold, settle, unused
from projections.history import TableHistory, past_row
from projections.recording import new_events_of, new_lifecycle_event
from projections.table import Seat, Table
from rulings.notation.document import Document, Tag
from rulings.notation.replaying import Amendment, Line, Replay, ReplayedDecision, replay
from rulings.notation.text import NotationError

UNPROVEN = GENESIS  # in place of every hash
UNTOLD = 0  # the version of an AI player, which a text does not tell

replace = msgspec.structs.replace


class Keeping(NamedTuple):
    """As what a text is kept: the table's id, by whom, since when, and who may see it."""

    table: str
    by: str
    at: str
    visibility: str


class Transcript:
    """A text that was replayed: a table for its main line, and one for each variation."""

    def __init__(self, document: Document, kept: Keeping) -> None:
        self.document, self.kept = document, kept
        (self.seats, self.called), self.clock = _seats(document), _clock(document)
        self.replay: Replay = replay(document)
        self._histories: dict[int, TableHistory] = {}
        # Of each line the versions after none of its entries, one of them, two …
        self._versions = [tuple(accumulate(map(_size, line.entries), initial=1)) for line in self.lines]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The main line, then the variations in the order in which they begin."""
        return self.replay.lines

    def name(self, number: int) -> str:
        """The id of a line's table: that of the main line is the transcript's own."""
        return f"{self.kept.table}-{number}" if number else self.kept.table

    def version(self, number: int, entries: int | None = None) -> int:
        """The version of a line after so many of its entries; without them, that with which it closes."""
        versions = self._versions[number]
        return versions[-1] + 1 if entries is None else versions[entries]

    def branches(self, number: int) -> list[int]:
        """The variations that part from a line."""
        return [other for other, line in enumerate(self.lines) if line.parent == number]

    def history(self, number: int) -> TableHistory:
        """A line as the history of a table."""
        if number not in self._histories:
            self._histories[number] = _history(self, number)
        return self._histories[number]

    def whole(self, number: int) -> TableHistory:
        """A line with all that its seats were told: what was played before a variation parted is its past."""
        history = self.history(number)
        opened = history.table.opened
        if not isinstance(opened, TableForked):
            return history
        return replace(history, table=replace(history.table, opened=replace(opened, past=tuple(self._past(number)))))

    def _past(self, number: int) -> list[dict[str, Any]]:
        """The game's events before a line begins, from the start of the game on."""
        line = self.lines[number]
        if line.parent is None:
            return []
        before = self.history(line.parent).events[: self.version(line.parent, line.after)]
        own = [past_row(event) for event in before if event.envelope.type in self.replay.game.kinds]
        return self._past(line.parent) + own


def _size(entry: ReplayedDecision | Amendment) -> int:
    return len(entry.turn.events) if isinstance(entry, ReplayedDecision) else 0


def _history(transcript: Transcript, number: int) -> TableHistory:
    """A line with the table after each of its moves, from which any version of it is folded."""
    line, kept = transcript.lines[number], transcript.kept
    writing = _Writing(transcript.name(number), kept.at)
    by_keeper = {"kind": "player", "player": kept.by}
    opened = _opened(transcript, number)
    told = {name: value for name, value in msgspec.to_builtins(opened).items() if name != "type"}
    writing.write([new_lifecycle_event(type(opened).__name__, told)], by_keeper)
    first = Table(
        id=writing.table,
        head=Head(1, UNPROVEN),
        at=kept.at,
        counted_from=kept.at,
        opened_at=kept.at,
        opened=opened,
        options=opened.options,
        seats=transcript.seats,
        state=line.state,
        clocks=unused(opened),
        transcribed=True,
        called=transcript.called,
    )
    tables = [settle(first, None)]
    for entry in line.entries:
        if isinstance(entry, Amendment):  # has no event of its own: the moment before has the new house rules
            amended = replace(tables[-1], options=entry.options, state=entry.state, decisions=())
            tables[-1] = settle(amended, None)
            continue
        new_events, played = new_events_of(transcript.replay.game, entry.turn), entry.played
        if played is None:
            batch = writing.write(new_events, by_keeper)
        else:
            by = {"kind": "seat", "seat": played.seat, "player": None}
            draws = dict(Counter(draw.kind for draw in played.draws))
            batch = writing.write(new_events, by, {"move": msgspec.to_builtins(played.move)}, draws)
        tables.append(_after(tables[-1], batch, [event.leads_to for event in new_events]))
    reason = "game_over" if tables[-1].over else "end_of_text"
    closed = writing.write([new_lifecycle_event("TableClosed", {"reason": reason})], by_keeper)
    return TableHistory(tuple(writing.events), _after(tables[-1], closed), tuple(tables))


def _after(table: Table, batch: Sequence[Recorded], states: Sequence[Any] = ()) -> Table:
    return fold(table, batch, states) or table


def _opened(transcript: Transcript, number: int) -> TableOpened:
    """The first event of a line."""
    document, line, kept = transcript.document, transcript.lines[number], transcript.kept
    game = transcript.replay.game
    told: dict[str, Any] = {
        "game": game.slug,
        "rules_version": document.value("Rules"),
        "players": document.value("Players"),
        "options": line.options,
        "visibility": kept.visibility,
        "opened_by": kept.by,
        "seats": tuple(map(_offer, transcript.seats)),
        "clock": transcript.clock,
        "arbiter": None,
        "disputes": None,
        "lesson": False,
        "rated": False,
        "aids": False,
        "ratings": None,
    }
    if line.parent is None:
        return TableOpened(**told)
    return TableForked(
        **told,
        parent=transcript.name(line.parent),
        parent_version=transcript.version(line.parent, line.after),
        parent_head=UNPROVEN.hex(),
        chance="continued",
        parent_seed=None,
        contributions=(),
        draws={},
        dealt_anew=False,
        state=msgspec.to_builtins(line.state),
        past=(),
    )


class _Writing:
    """Writes the events of one line down."""

    def __init__(self, table: str, at: str) -> None:
        self.table, self._at = table, at
        self.events: list[Recorded] = []

    def write(
        self,
        new_events: Sequence[NewEvent],
        by: dict[str, Any],
        cause: dict[str, Any] | None = None,
        draws: dict[str, int] | None = None,
    ) -> list[Recorded]:
        """A batch; what caused it and what it drew stand at its first event.

        What seats alone could read while the game was on is told with no salt, as no commitment was made.
        """
        head = Head(len(self.events), UNPROVEN)
        metadata = BatchMetadata(self._at, by, b"", None, cause or {}, draws or {})
        for event in record(self.table, head, new_events, metadata):
            sealed = {name: Seal("", seal.value) for name, seal in event.sealed.items()}
            self.events.append(Recorded(replace(event.envelope, secrets={}), b"", sealed, UNPROVEN))
        return self.events[head.version :]


# What the tags of the header tell


def _seats(document: Document) -> tuple[tuple[Seat, ...], tuple[str | None, ...]]:
    """Who sat there, and the name that the text gives to each seat; raises `NotationError`."""
    seats: dict[int, tuple[Seat, str | None]]
    seats = {number: (Seat(number), None) for number in range(1, document.value("Players") + 1)}
    for tag in document.tags:
        if tag.name == "Seat":
            seat, name = _seat(tag)
            if seat.seat not in seats:
                raise NotationError(tag.place, f"the tag Seat names a seat from 1 to {len(seats)}")
            seats[seat.seat] = seat, name
    return tuple(seat for seat, _ in seats.values()), tuple(name for _, name in seats.values())


def _seat(tag: Tag) -> tuple[Seat, str | None]:
    """A seat with its holder: a name, or the player and the level of an AI."""
    number = tag.values[0] if len(tag.values) == 1 and type(tag.values[0]) is int else 0
    name, ai, level = (tag.named.get(word) for word in ("name", "ai", "level"))
    if not all(text is None or isinstance(text, str) for text in (name, ai, level)):
        raise NotationError(tag.place, "who holds the seat is told by texts: name=Ann, or ai=greedy level=greedy")
    holder = PlayerKind(ai, UNTOLD, level or ai) if ai else None
    return Seat(number, bot=tag.named.get("bot") is True, ai=holder), name


def _offer(seat: Seat) -> SeatOffer:
    return SeatOffer(seat.seat, "ai" if seat.ai else "open", level=seat.ai.level if seat.ai else None)


def _clock(document: Document) -> TimeControl | None:
    """The clock that the table was played with; raises `NotationError`."""
    if (tag := document.tag("Clock")) is None:
        return None
    try:
        told = msgspec.convert({"kind": tag.values[0], **tag.named} if len(tag.values) == 1 else {}, TimeControl)
    except msgspec.ValidationError:
        told = TimeControl("none")
    if not told.is_whole or tag.named.keys() != CLOCK_FIELDS[told.kind]:
        raise NotationError(tag.place, "a clock is told as [Clock fischer initial_s=300 increment_s=5] or another kind")
    return told
