"""Lessons at tables: opened from a prepared deal, and how far the learner has come."""

from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import SeatOffer
from projections.history import TableHistory
from rulings.replay import effective_moves
from service.accounts.callers import Player
from service.commands import CommandContext, CommandHandler, Outcome
from service.errors import Refused
from service.lessons import Lesson, Step, lesson
from service.tables.opening import Opening, game_of, open_table
from service.tables.playing import check

LEARNER = 1  # the learner's seat


class Progress(NamedTuple):
    """How far a lesson has come.

    `state`: `decide` (the learner does the step), `wait` (others do), `left` (the learner has made another move than
    the lesson's), `done`. `step` counts from 1; behind the last step it is one more.
    """

    state: str
    step: int


def lesson_of(slug: str) -> Lesson:
    """The game's lesson; raises `Refused`."""
    found = lesson(game_of(slug).slug)
    if found is None:
        raise Refused("no_such_lesson", f"{slug} has no lesson")
    return found


def offers(found: Lesson, learner: Player) -> tuple[SeatOffer, ...]:
    """What the seats of a lesson are meant for."""
    others = (SeatOffer(number, "ai", level=level) for number, level in enumerate(found.levels, LEARNER + 1))
    return (SeatOffer(LEARNER, "player", learner.id), *others)


def open_lesson(handler: CommandHandler, sent: CommandContext, slug: str, name: bytes | None = None) -> Outcome:
    """Opens a table with the game's lesson, for nobody else to see; `name` as for any table."""
    found = lesson_of(slug)
    opening = Opening(slug, offers(found, sent.player), found.options, visibility="private")
    return open_table(handler, sent, opening, name, {"seed": found.seed, "lesson": True})


def progress(history: TableHistory) -> Progress:
    """How far the lesson has come that is played at a table; raises `Refused` if none is."""
    steps, table = _steps(history), history.table
    standing = reversed(list(effective_moves(history)))
    made = [move.move for batch in standing for move in batch.moves if move.seat == LEARNER]
    followed = len(list(takewhile(_is_same, zip(steps, made, strict=False))))
    if followed < min(len(made), len(steps)):
        return Progress("left", followed + 1)
    if followed == len(steps):
        return Progress("done", followed + 1)
    if table.decision_of(LEARNER) is None:
        return Progress("wait", followed + 1)
    fits = check(table, LEARNER, steps[followed].move) is None
    return Progress("decide" if fits else "left", followed + 1)


def _steps(history: TableHistory) -> tuple[Step, ...]:
    if not history.table.opened.lesson:
        raise Refused("no_such_lesson", "this table is no lesson: POST /v1/games/{game}/lesson opens one")
    return lesson_of(history.table.opened.game).steps


def _is_same(pair: tuple[Step, Any]) -> bool:
    step, move = pair
    return canonical(_unordered(step.move)) == canonical(_unordered(msgspec.to_builtins(move)))


def _unordered(value: Any) -> Any:
    """A part of a move with its lists sorted: no game's rules give the order of a list in a move a meaning."""
    if isinstance(value, dict):
        return {name: _unordered(part) for name, part in value.items()}
    return sorted(map(_unordered, value), key=canonical) if isinstance(value, list | tuple) else value
