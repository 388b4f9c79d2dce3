"""Finished tables as courses of moves, with what every seat had seen before each."""

from collections.abc import Iterator
from typing import Any

from events.recorded import Recorded
from projections.history import History, effective_events
from worker.analysis.luck.playing_on import KNOWN, REMEMBERS, Player
from worker.analysis.luck.steps import Course, Turn


def course_of(history: History) -> Course:
    """The moves of a finished table that stand; raises `ValueError` before the game is over."""
    table = history.table
    if not table.laid_open:
        raise ValueError(f"{table.id} is not over: its moves are still secret")
    moves = [event for event in effective_events(history.events) if _is_move(event)]
    options = (history.at(moves[0].version - 1) if moves else table).state.options
    players = tuple([player_of(moves, seat) for seat in range(1, table.opened.players + 1)])
    return Course(table.id, table.game, options, players, tuple(_turns(history, moves)))


def _is_move(event: Recorded) -> bool:
    return event.version == event.envelope.batch[0] and "move" in event.sealed


def player_of(moves: list[Recorded], seat: int) -> Player | None:
    """Who made all moves of a seat, if that is a player whose way of choosing is known."""
    found = {_maker(event.envelope.by) for event in moves if event.envelope.by["seat"] == seat}
    only = found.pop() if len(found) == 1 else None
    return only if only in KNOWN else None


def _maker(by: dict[str, Any]) -> Player:
    ai = by.get("ai") or {}
    return ai.get("player", ""), ai.get("version", 0)


def _turns(history: History, moves: list[Recorded]) -> Iterator[Turn]:
    table, players = None, history.table.opened.players
    for event in moves:
        table = history.at(event.version - 1, table)
        before = table
        table = history.at(event.envelope.batch[1], table)
        feeds = tuple([_feed(history, seat, before.version) for seat in range(1, players + 1)])
        seat = event.envelope.by["seat"]
        yield Turn(
            event.version, seat, before.game.read_move(event.sealed["move"].value), before.state, feeds, table.state
        )


def _feed(history: History, seat: int, version: int) -> tuple[Any, ...]:
    """What a seat had seen, in games in which that matters."""
    return history.feed(seat, until=version) if history.table.opened.game in REMEMBERS else ()
