"""Takebacks: a seat takes its last move back, freely if nobody has learned anything from it, else as an offer.

Another seat has learned something if it would have read other events after a different move. The seat itself has
learned something if it would have read other events in another world that agrees with all it knew. People who have
learned something must agree; if the seat itself has, all must. Secret choices that others made in the meantime, and
from which nobody learned, are played again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events.envelopes import NewEvent
from events.verifiable_luck import Imagined
from games.kernel import Chance, MoveRefused, MoveSet
from projections.event_conversion import new_events_of, new_lifecycle_event
from projections.history import TableHistory, readable
from projections.table import Table
from rulings.replay import Batch, Decider, ReplayState, SeatMove, corrected_moves, effective_moves
from service.errors import Refused
from service.tables.playing import check_running, luck_of, people

Recording = tuple[tuple[NewEvent, ...], dict[str, Any]]  # the events and the secrets of a batch


class Undoing(NamedTuple):
    """The reason to take play back: a `takeback`, or a `dispute` with the house rules that it amends.

    `corrections` are the payloads of `RulingCorrected` that hold when the moves are played again.
    """

    seat: int
    reason: str
    dispute: str | None = None
    options: Mapping[str, Any] = {}
    corrections: Sequence[Mapping[str, Any]] = ()


class TakenBack(NamedTuple):
    """The events when play goes back: that it does, the corrections, and the moves played again; and their secrets."""

    begins: NewEvent
    corrections: tuple[NewEvent, ...]
    played: tuple[NewEvent, ...]
    sealed: dict[str, Any]


def take_back(history: TableHistory, to: int, why: Undoing, again: Sequence[SeatMove]) -> TakenBack:
    """Takes play back to version `to` under the amended house rules, and plays the moves `again` while legal.

    Draws have the same numbers as the first time, and so the same outcomes wherever the populations are the same.
    Corrections of rulings that do not come up again are left out.
    """
    now = history.table
    then = _amended(history.at(to), now, why.options)
    world = ReplayState(then.state, then.draws)
    played = Decider(then).play_again(world, again, corrected_moves(then.game, why.corrections))
    taken, new_events = again[: len(played.decisions)], played.new_events
    if new_events and new_events[-1].type == "GameEnded":
        raise Refused("dispute_open", "under that reading the game would be over: readjudicate it instead")
    if played.decisions:
        world = played.decisions[-1].world
    taken_back = {
        "to": to,
        "first": to + 1,
        "last": now.version,
        "reason": why.reason,
        "seat": why.seat,
        "dispute": why.dispute,
        "options": dict(why.options),
        "again": [move.seat for move in taken],
        "draws": world.counts,
        "state": msgspec.to_builtins(then.state),
    }
    hold = [one for one in why.corrections if played.holds(one)]
    corrections = tuple(new_lifecycle_event("RulingCorrected", one) for one in hold)
    sealed = {"again": [move._asdict() for move in taken]} if taken else {}
    return TakenBack(NewEvent("PlayTakenBack", taken_back, {"state": []}), corrections, new_events, sealed)


def _amended(then: Table, now: Table, options: Mapping[str, Any]) -> Table:
    """Returns the earlier table under the house rules now in force and the amended ones."""
    in_force = now.options | dict(options)
    if in_force == then.options:
        return then
    return replace(then, options=in_force, state=replace(then.state, options=Decider(then).options(in_force)))


WORLDS = 6  # to imagine, and alternatives to sample, when looking for something learned


class Terms(NamedTuple):
    """Whose consent an offer needs, and what granting it records; `to` is the version that a takeback returns to."""

    of: Sequence[int]
    grant: Callable[[], Recording]
    to: int | None = None


def terms(history: TableHistory, seat: int, _: str) -> Terms:
    """Returns the terms of taking the seat's last move back; raises `Refused`."""
    check_running(history.table)
    if history.table.disputed:
        raise Refused("table_paused", "first the open dispute has to be resolved")
    wanted = _wanted(history, seat)
    must_agree = _must_agree(history, wanted, seat)
    return Terms(must_agree, lambda: _granted(history, wanted, seat, is_free=not must_agree), wanted[0].before)


def _wanted(history: TableHistory, seat: int) -> list[Batch]:
    """Returns what a takeback undoes: the seat's last effective move, and the moves made after it."""
    wanted: list[Batch] = []
    for made in effective_moves(history):
        wanted.insert(0, made)
        if any(move.seat == seat for move in made.moves):
            return wanted
    raise Refused("nothing_to_take_back", f"seat {seat} has no move to take back")


def _granted(history: TableHistory, wanted: list[Batch], seat: int, *, is_free: bool) -> Recording:
    """Goes back to before the move; if the takeback is free, plays what others chose in secret again."""
    is_free = is_free and not any(made.corrections for made in wanted)
    kept = [move for made in wanted for move in made.moves if move.seat != seat] if is_free else []
    back = take_back(history, wanted[0].before, Undoing(seat, "takeback"), kept)
    return (back.begins, *back.played), back.sealed


def _must_agree(history: TableHistory, wanted: list[Batch], seat: int) -> list[int]:
    """Returns the seats of people who have learned from what would be undone, or whose moves it would undo."""
    others = [other for other in people(history.table) if other != seat]
    if not others or any(len(made.moves) != 1 or made.corrections for made in wanted):
        return others
    learned = set[int]().union(*(_who_learned(history, made, others) for made in wanted))
    if len(learned) < len(others) and any(_has_learned_itself(history, made) for made in wanted):
        return others  # asked last: it takes milliseconds a world
    return sorted(learned)


def _who_learned(history: TableHistory, made: Batch, others: Sequence[int]) -> set[int]:
    """Returns the seats that would have read other events after another move; all if spectators would have."""
    then, (move,) = history.at(made.before), made.moves
    readings = [_play(then, then.state, move.seat, luck_of(then), other) for other in _alternatives(then, move.seat)]
    actual = _play(then, then.state, move.seat, luck_of(then), move.move)
    if any(_as_read(actual, None) != _as_read(reading, None) for reading in readings):
        return set(others)
    watching = [seat for seat in others if seat != move.seat]
    return {seat for seat in watching if any(_as_read(actual, seat) != _as_read(reading, seat) for reading in readings)}


def _alternatives(then: Table, seat: int) -> list[Any]:
    """Returns other legal moves: all that are listed, and samples of each summary."""
    chance = Imagined(0)
    found: list[Any] = []
    for listed in then.game.legal_moves(then.state, seat):
        found += [listed.sample(chance) for _ in range(WORLDS)] if isinstance(listed, MoveSet) else [listed]
    return found


def _has_learned_itself(history: TableHistory, made: Batch) -> bool:
    """Whether the seat read something that it could not have predicted."""
    then, (move,) = history.at(made.before), made.moves
    view, feed = then.game.view(then.state, move.seat), history.feed(move.seat, until=made.before)
    actual = _as_read(_play(then, then.state, move.seat, luck_of(then), move.move), move.seat)
    for number in range(WORLDS):
        chance = Imagined(number)
        world = then.game.imagine(view, feed, chance)
        if _as_read(_play(then, world, move.seat, chance, move.move), move.seat) != actual:
            return True
    return False


def _play(then: Table, state: Any, seat: int, chance: Chance, move: Any) -> tuple[NewEvent, ...]:
    try:
        return new_events_of(then.game, then.game.play(state, seat, then.game.read_move(move), chance))
    except MoveRefused:
        return ()


def _as_read(new_events: Sequence[NewEvent], seat: int | None) -> list[tuple[str, dict[str, Any]]]:
    """Returns what a seat, or a spectator, reads of new events."""
    return [(event.type, readable(event.payload, event.readers, seat)) for event in new_events]
