"""Takes play back to an earlier version, from which it continues; what was undone stays readable."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from events.luck import Luck
from events.recorded import NewEvent, Recorded
from games.house_rules import options_of
from games.kernel import MoveRefused
from games.schemas import state_to_keep
from projections.folding import more
from projections.history import History, effective_events
from projections.recording import new_events_of
from projections.table import Table
from service.errors import Refused


class SeatMove(NamedTuple):
    """A move and the seat that made it."""

    seat: int
    move: Any


class RecordedMoves(NamedTuple):
    """Moves as they were recorded in one batch: the version before, the batch, and the moves (one, if not replayed)."""

    before: int
    first: int
    last: int
    moves: tuple[SeatMove, ...]


class Undoing(NamedTuple):
    """Why play is taken back: a `takeback` that a seat asked for, or a `dispute` with the house rules it amends."""

    seat: int
    reason: str
    dispute: str | None = None
    options: Mapping[str, Any] = {}


class Correction(NamedTuple):
    """The events that take play back, those of the moves played again, and which of that is secret."""

    new_events: tuple[NewEvent, ...]
    sealed: dict[str, Any]


def made_at(history: History, version: int) -> RecordedMoves | None:
    """The moves that caused the event `version`; None if none did (the game's start, a table's own event)."""
    first, last = history.events[version - 1].envelope.batch
    metadata = history.events[first - 1]
    if "move" in metadata.sealed:
        move = SeatMove(metadata.envelope.by["seat"], metadata.sealed["move"].value)
        return RecordedMoves(first - 1, first, last, (move,))
    if "again" in metadata.sealed:
        moves = tuple(SeatMove(row["seat"], row["move"]) for row in metadata.sealed["again"].value)
        return RecordedMoves(_went_back_to(history, first, last), first, last, moves)
    return None


def effective_moves(history: History) -> Iterator[RecordedMoves]:
    """The moves that were not undone, batch by batch."""
    return _moves_of(history, effective_events(history.events))


def last_moves(history: History) -> Iterator[RecordedMoves]:
    """The same, the last first: whoever looks for one of those reads no others."""
    return _moves_of(history, reversed(list(effective_events(history.events))))


def _moves_of(history: History, events: Iterable[Recorded]) -> Iterator[RecordedMoves]:
    """The moves that led to these events, each batch once."""
    seen: set[int] = set()
    for event in events:
        first = event.envelope.batch[0]
        if first not in seen:
            seen.add(first)
            if made := made_at(history, event.version):
                yield made


def choices_behind(history: History, version: int) -> int:
    """How many choices that stand the AI seat with most of them has made behind a version: made again, if undone."""
    seats = Counter(
        move.seat
        for made in effective_moves(history)
        if made.first > version
        for move in made.moves
        if history.table.seats[move.seat - 1].ai
    )
    return max(seats.values(), default=0)


def _went_back_to(history: History, first: int, last: int) -> int:
    batch = history.events[first - 1 : last]
    return int(next(e.envelope.payload["to"] for e in batch if e.envelope.type == "PlayTakenBack"))


def take_back(history: History, to: int, why: Undoing, again: Sequence[SeatMove]) -> Correction:
    """Play as it was at version `to`, under the amended house rules; plays the moves `again` while legal."""
    now = history.table
    then = _amended(history.at(to), now, why.options)
    played, taken, draws = _take_again(then, again)
    taken_back = {
        "to": to,
        "first": to + 1,
        "last": now.version,
        "reason": why.reason,
        "seat": why.seat,
        "dispute": why.dispute,
        "options": dict(why.options),
        "again": [move.seat for move in taken],
        "draws": draws,
        "state": state_to_keep(then.game, then.state),
    }
    new_event = NewEvent("PlayTakenBack", taken_back, {"state": []})
    return Correction((new_event, *played), {"again": [move._asdict() for move in taken]} if taken else {})


def _amended(then: Table, now: Table, options: Mapping[str, Any]) -> Table:
    """The earlier table under the house rules in force now, and those amended besides."""
    in_force = now.options | dict(options)
    if in_force == then.options:
        return then
    read = options_of(then.game, in_force, then.opened.players, then.opened.rules_version)
    return replace(then, options=in_force, state=replace(then.state, options=read))


def _take_again(then: Table, again: Sequence[SeatMove]) -> tuple[list[NewEvent], list[SeatMove], dict[str, int]]:
    """The events of the moves, the moves that could be played, and the counts of draws after them.

    The draws are those of the first time wherever their populations are the same: they have the same numbers.
    """
    new_events: list[NewEvent] = []
    taken: list[SeatMove] = []
    state, draws = then.state, then.draws
    for made in again:
        luck = Luck(*then.luck_source, draws)
        try:
            turn = then.game.play(state, made.seat, then.game.read_move(made.move), luck)
        except MoveRefused:
            break  # under the amended rule the seat has to decide otherwise
        new_events += new_events_of(then.game, turn)
        taken.append(made)
        state, draws = turn.state, more(draws, luck.drawn)
    if new_events and new_events[-1].type == "GameEnded":
        raise Refused("dispute-open", "under that reading the game would be over: decide it again instead")
    return new_events, taken, draws
