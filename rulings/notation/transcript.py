"""Transcripts: a text in notation as a table, with the events of its moves but without chain and seals.

Like any table, it can be viewed at every version and as any seat. Nothing in it is secret, and nothing proves it, so
every hash is `UNPROVEN`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from events.chain import GENESIS
from events.envelopes import BatchMetadata, Head, NewEvent, Recorded, Seal, record
from events.lifecycle import CLOCK_FIELDS, PlayerKind, SeatOffer, TableForked, TableOpened, TimeControl
from projections.event_conversion import new_events_of, new_lifecycle_event
from projections.folding import fold, settle, unused
from projections.history import TableHistory, past_row
from projections.table import Seat, Table
from rulings.notation.document import Document, Tag
from rulings.notation.replaying import Amendment, Line, Replay, ReplayedDecision, replay
from rulings.notation.text import NotationError

UNPROVEN = GENESIS  # replaces every hash
UNKNOWN_VERSION = 0  # of an AI player: texts do not contain it

replace = msgspec.structs.replace


class TranscriptDetails(NamedTuple):
    """The table id, uploader, time and visibility of a transcript."""

    table: str
    by: str
    at: str
    visibility: str


class Transcript:
    """A replayed text: a table for its main line, and one for each variation."""

    def __init__(self, document: Document, kept: TranscriptDetails) -> None:
        self.document, self.kept = document, kept
        (self.seats, self.called), self.clock = _seats(document), _clock(document)
        self.replay: Replay = replay(document)
        self._histories: dict[int, TableHistory] = {}
        # For each line, the versions after 0, 1, 2, … of its entries.
        self._versions = [tuple(accumulate(map(_size, line.entries), initial=1)) for line in self.lines]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The main line, then the variations in the order of their beginnings."""
        return self.replay.lines

    def name(self, number: int) -> str:
        """Returns the table id of a line; the main line has the transcript's own id."""
        return f"{self.kept.table}-{number}" if number else self.kept.table

    def version(self, number: int, entries: int | None = None) -> int:
        """Returns the version of a line after a number of entries; without a number, its last version."""
        versions = self._versions[number]
        return versions[-1] + 1 if entries is None else versions[entries]

    def branches(self, number: int) -> list[int]:
        """Returns the variations that begin in a line."""
        return [other for other, line in enumerate(self.lines) if line.parent == number]

    def history(self, number: int) -> TableHistory:
        """Returns a line as the history of a table."""
        if number not in self._histories:
            self._histories[number] = _history(self, number)
        return self._histories[number]

    def whole(self, number: int) -> TableHistory:
        """Returns a line's history, with the play before a variation as its past."""
        history = self.history(number)
        opened = history.table.opened
        if not isinstance(opened, TableForked):
            return history
        return replace(history, table=replace(history.table, opened=replace(opened, past=tuple(self._past(number)))))

    def _past(self, number: int) -> list[dict[str, Any]]:
        """Returns the game's events before a line, from the start of the game."""
        line = self.lines[number]
        if line.parent is None:
            return []
        before = self.history(line.parent).events[: self.version(line.parent, line.after)]
        own = [past_row(event) for event in before if event.envelope.type in self.replay.game.kinds]
        return self._past(line.parent) + own


def _size(entry: ReplayedDecision | Amendment) -> int:
    return len(entry.turn.events) if isinstance(entry, ReplayedDecision) else 0


def _history(transcript: Transcript, number: int) -> TableHistory:
    """Returns a line's history, with the table after each of its moves as a starting point for folds."""
    line, kept = transcript.lines[number], transcript.kept
    writing = _Writing(transcript.name(number), kept.at)
    by_keeper = {"kind": "player", "player": kept.by}
    opened = _opened(transcript, number)
    payload = {name: value for name, value in msgspec.to_builtins(opened).items() if name != "type"}
    writing.write([new_lifecycle_event(type(opened).__name__, payload)], by_keeper)
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
        if isinstance(entry, Amendment):  # it has no event: the previous moment gets the new house rules
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
    """Returns the first event of a line."""
    document, line, kept = transcript.document, transcript.lines[number], transcript.kept
    game = transcript.replay.game
    fields: dict[str, Any] = {
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
        return TableOpened(**fields)
    return TableForked(
        **fields,
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
    """Collects the events of one line."""

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
        """Adds a batch; its cause and its draws go into the first event. Secrets have no salt and no commitment."""
        head = Head(len(self.events), UNPROVEN)
        metadata = BatchMetadata(self._at, by, b"", None, cause or {}, draws or {})
        for event in record(self.table, head, new_events, metadata):
            sealed = {name: Seal("", seal.value) for name, seal in event.sealed.items()}
            self.events.append(Recorded(replace(event.envelope, secrets={}), b"", sealed, UNPROVEN))
        return self.events[head.version :]


# The tags of the header


def _seats(document: Document) -> tuple[tuple[Seat, ...], tuple[str | None, ...]]:
    """Returns the seats, and the name that the text gives to each; raises `NotationError`."""
    seats: dict[int, tuple[Seat, str | None]]
    seats = {number: (Seat(number), None) for number in range(1, document.value("Players") + 1)}
    for tag in document.tags:
        if tag.name == "Seat":
            seat, name = _seat(tag)
            if seat.seat not in seats:
                raise NotationError(tag.place, f"the tag Seat must name a seat from 1 to {len(seats)}")
            seats[seat.seat] = seat, name
    return tuple(seat for seat, _ in seats.values()), tuple(name for _, name in seats.values())


def _seat(tag: Tag) -> tuple[Seat, str | None]:
    """Returns a seat and its holder's name; an AI has player and level instead."""
    number = tag.values[0] if len(tag.values) == 1 and type(tag.values[0]) is int else 0
    name, ai, level = (tag.named.get(word) for word in ("name", "ai", "level"))
    if not all(text is None or isinstance(text, str) for text in (name, ai, level)):
        raise NotationError(tag.place, "the holder of a seat is written as name=Ann, or as ai=greedy level=greedy")
    holder = PlayerKind(ai, UNKNOWN_VERSION, level or ai) if ai else None
    return Seat(number, bot=tag.named.get("bot") is True, ai=holder), name


def _offer(seat: Seat) -> SeatOffer:
    return SeatOffer(seat.seat, "ai" if seat.ai else "open", level=seat.ai.level if seat.ai else None)


def _clock(document: Document) -> TimeControl | None:
    """Returns the clock of the table; raises `NotationError`."""
    if (tag := document.tag("Clock")) is None:
        return None
    try:
        clock = msgspec.convert({"kind": tag.values[0], **tag.named} if len(tag.values) == 1 else {}, TimeControl)
    except msgspec.ValidationError:
        clock = TimeControl("none")
    if not clock.is_whole or tag.named.keys() != CLOCK_FIELDS[clock.kind]:
        raise NotationError(tag.place, "a clock is written like [Clock fischer initial_s=300 increment_s=5]")
    return clock
