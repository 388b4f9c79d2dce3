"""A text as a table: the events that its moves lead to, which nothing chains or seals.

A reader looks at it as at any table: at every version, with the eyes of every seat. Nothing in it is secret, since the
text tells all; nothing proves it, so every hash is `UNPROVEN`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from events.chain import GENESIS
from events.clocks import CLOCK_FIELDS, TimeControl
from events.lifecycle import PlayerKind, SeatOffer, TableClosed, TableForked, TableOpened
from events.recorded import Envelope, Head, NewEvent, Recorded, Seal
from games.schemas import state_to_keep
from projections.folding import fold, settle, unused
from projections.history import History, past_row
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
        self.seats, self.clock = _seats(document), _clock(document)
        self.replay: Replay = replay(document)
        self._histories: dict[int, History] = {}
        self._played: dict[int, tuple[int, ...]] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        """The main line, then the variations in the order in which they begin."""
        return self.replay.lines

    @cached_property
    def weight(self) -> int:
        """The bytes of JSON of the states with which its lines begin; in memory each takes some ten times as much."""
        return sum(len(msgspec.json.encode(line.state)) for line in self.lines)

    def name(self, number: int) -> str:
        """The id of a line's table."""
        return line_name(self.kept.table, number)

    def version(self, number: int, entries: int | None = None) -> int:
        """The version of a line behind so many of its entries; without them, that with which it closes."""
        played = self._played_of(number)
        return played[-1] + 1 if entries is None else played[entries]

    def _played_of(self, number: int) -> tuple[int, ...]:
        """The versions of a line behind none of its entries, one of them, two …: counted once for all who ask."""
        if number not in self._played:
            added = (
                len(entry.turn.events) if isinstance(entry, ReplayedDecision) else 0
                for entry in self.lines[number].entries
            )
            self._played[number] = tuple(accumulate(added, initial=1))
        return self._played[number]

    def branches(self, number: int) -> list[int]:
        """The variations that part from a line."""
        return [other for other, line in enumerate(self.lines) if line.parent == number]

    def whole(self, number: int) -> History:
        """A line with all that its seats were told: what was played before a variation parted is its past."""
        history = self.history(number)
        opened = history.table.opened
        if not isinstance(opened, TableForked):
            return history
        table = replace(history.table, opened=replace(opened, past=tuple(self._past(number))))
        return replace(history, table=table)

    def _past(self, number: int) -> list[dict[str, Any]]:
        """The game's events before a line begins, from the start of the game on."""
        line = self.lines[number]
        if line.parent is None:
            return []
        before = self.history(line.parent).events[: self.version(line.parent, line.after)]
        own = [past_row(event) for event in before if event.envelope.type in self.replay.game.kinds]
        return self._past(line.parent) + own

    def history(self, number: int) -> History:
        """A line as the history of a table."""
        if number not in self._histories:
            self._histories[number] = _Writing(self, number).history()
        return self._histories[number]


def line_name(table: str, number: int) -> str:
    """The id of a line's table: that of the main line is the transcript's own."""
    return f"{table}-{number}" if number else table


def _seats(document: Document) -> tuple[Seat, ...]:
    """Who sat there, as the tags tell; raises `NotationError`."""
    seats = {number: Seat(number) for number in range(1, document.value("Players") + 1)}
    for tag in document.tags:
        if tag.name == "Seat":
            seat = _seat(tag)
            if seat.seat not in seats:
                raise NotationError(tag.place, f"the tag Seat names a seat from 1 to {len(seats)}")
            seats[seat.seat] = seat
    return tuple(seats.values())


def _seat(tag: Tag) -> Seat:
    """A seat with its holder: a name, or the player and the level of an AI."""
    number = tag.values[0] if len(tag.values) == 1 and type(tag.values[0]) is int else 0
    name, ai, level = (tag.named.get(word) for word in ("name", "ai", "level"))
    if not all(text is None or isinstance(text, str) for text in (name, ai, level)):
        raise NotationError(tag.place, "who holds the seat is told by texts: name=Ann, or ai=greedy level=greedy")
    holder = PlayerKind(ai, UNTOLD, level or ai) if ai else None
    return Seat(number, name=name, bot=tag.named.get("bot") is True, ai=holder)


class _Writing:
    """Writes the events of one line down, with the table after each of them."""

    def __init__(self, transcript: Transcript, number: int) -> None:
        self._all, self._number, self._line = transcript, number, transcript.lines[number]
        self._game, self._kept = transcript.replay.game, transcript.kept
        self._events: list[Recorded] = []
        self._tables: list[Table] = []

    def history(self) -> History:
        """The whole line."""
        self._open()
        for entry in self._line.entries:
            if isinstance(entry, Amendment):
                self._amend(entry)
            else:
                self._play(entry)
        self._close()
        return History(tuple(self._events), self._tables[-1], tuple(self._tables))

    @property
    def _table(self) -> Table:
        return self._tables[-1]

    @property
    def _by_keeper(self) -> dict[str, Any]:
        return {"kind": "player", "player": self._kept.by}

    def _open(self) -> None:
        opened = self._opened()
        told = {name: value for name, value in msgspec.to_builtins(opened).items() if name != "type"}
        self._write([new_lifecycle_event(type(opened).__name__, told)], self._by_keeper)
        first = Table(
            id=self._events[0].envelope.table,
            head=Head(1, UNPROVEN),
            at=self._kept.at,
            counted_from=self._kept.at,
            opened_at=self._kept.at,
            opened=opened,
            options=opened.options,
            seats=self._all.seats,
            state=self._line.state,
            clocks=unused(opened),
            transcribed=True,
        )
        self._tables.append(settle(first, None))

    def _opened(self) -> TableOpened:
        document, line = self._all.document, self._line
        told = {
            "game": self._game.slug,
            "rules_version": document.value("Rules"),
            "players": document.value("Players"),
            "options": line.options,
            "visibility": self._kept.visibility,
            "opened_by": self._kept.by,
            "seats": tuple(map(_offer, self._all.seats)),
            "clock": self._all.clock,
        }
        if line.parent is None:
            return TableOpened(**told)
        return TableForked(
            **told,
            parent=self._all.name(line.parent),
            parent_version=self._all.version(line.parent, line.after),
            parent_head=UNPROVEN.hex(),
            chance="continued",
            parent_seed=None,
            contributions=(),
            draws={},
            dealt_anew=False,
            state=state_to_keep(self._game, line.state),
            past=(),
        )

    def _play(self, step: ReplayedDecision) -> None:
        played, new_events = step.played, new_events_of(self._game, step.turn)
        if played is None:
            self._add(new_events, self._by_keeper)
            return
        by = {"kind": "seat", "seat": played.seat, "player": None}
        draws = dict(Counter(draw.kind for draw in played.draws))
        self._add(new_events, by, {"move": msgspec.to_builtins(played.move)}, draws)

    def _amend(self, amendment: Amendment) -> None:
        """House rules change with no event of their own: the moment before has the new ones."""
        amended = replace(self._table, options=amendment.options, state=amendment.state, decisions=())
        self._tables[-1] = settle(amended, None)

    def _close(self) -> None:
        reason = "game_over" if self._table.over else "end_of_text"
        closed = new_lifecycle_event("TableClosed", {"reason": TableClosed(reason).reason})
        self._add((closed,), self._by_keeper)

    def _add(self, new_events: Sequence[NewEvent], by: dict[str, Any], *move: dict[str, Any]) -> None:
        """Writes a batch, and the table after each of its events."""
        table: Table | None = self._table
        for event, new_event in zip(self._write(new_events, by, *move), new_events, strict=True):
            table = fold(table, (event,), (new_event.leads_to,))
            self._tables += [table] if table else []

    def _write(
        self,
        new_events: Sequence[NewEvent],
        by: dict[str, Any],
        move: dict[str, Any] | None = None,
        draws: dict[str, int] | None = None,
    ) -> list[Recorded]:
        first = len(self._events) + 1
        last = first + len(new_events) - 1
        for version, new_event in enumerate(new_events, first):
            begins = version == first  # what led to a batch stands at its first event
            told = {name: new_event.payload[name] for name in new_event.readers} | ((begins and move) or {})
            envelope = self._envelope(version, (first, last), new_event, by, (begins and draws) or {})
            self._events.append(Recorded(envelope, b"", dict(_bare(told)), UNPROVEN))
        return self._events[first - 1 :]

    def _envelope(
        self, version: int, batch: tuple[int, int], new_event: NewEvent, by: dict[str, Any], draws: dict[str, int]
    ) -> Envelope:
        return Envelope(
            table=self._all.name(self._number),
            version=version,
            type=new_event.type,
            schema=new_event.schema,
            at=self._kept.at,
            by=by,
            request=None,
            batch=batch,
            payload={name: value for name, value in new_event.payload.items() if name not in new_event.readers},
            readers=new_event.readers,
            secrets={},
            draws=draws,
        )


def _clock(document: Document) -> TimeControl | None:
    """The clock that the table was played with, as a tag tells; raises `NotationError`."""
    if (tag := document.tag("Clock")) is None:
        return None
    try:
        told = msgspec.convert({"kind": tag.values[0], **tag.named} if len(tag.values) == 1 else {}, TimeControl)
    except msgspec.ValidationError:
        told = TimeControl()
    if not told.is_whole or tag.named.keys() != CLOCK_FIELDS[told.kind]:
        raise NotationError(tag.place, "a clock is told as [Clock fischer initial_s=300 increment_s=5] or another kind")
    return told


def _bare(told: dict[str, Any]) -> Iterator[tuple[str, Seal]]:
    """What seats alone could read while the game was on: told with no salt, as no commitment was made."""
    return ((name, Seal("", value)) for name, value in told.items())


def _offer(seat: Seat) -> SeatOffer:
    return SeatOffer(seat.seat, "ai" if seat.ai else "open", level=seat.ai.level if seat.ai else None)
