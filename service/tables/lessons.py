"""Lessons: tables that are opened from a prepared deal, and the learner's progress."""

from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import SeatOffer
from projections.history import TableHistory
from rulings.replay import effective_moves
from service.accounts.callers import Player
from service.command_handler import CommandContext, CommandHandler, Outcome
from service.errors import Refused
from service.lessons import Lesson, Step, lesson
from service.tables.opening import Opening, game_of, open_table
from service.tables.playing import check

LEARNER = 1  # the learner's seat


class Progress(NamedTuple):
    """The progress of a lesson: the step, counted from 1, and the state.

    `decide`: the learner moves; `wait`: others move; `left`: the learner has made another move than the lesson's.
    """

    state: str
    step: int


def lesson_of(slug: str) -> Lesson:
    """Returns the game's lesson; raises `Refused`."""
    found = lesson(game_of(slug).slug)
    if found is None:
        raise Refused("no_such_lesson", f"{slug} has no lesson")
    return found


def offers(found: Lesson, learner: Player) -> tuple[SeatOffer, ...]:
    """Returns the seat offers of a lesson."""
    others = (SeatOffer(number, "ai", level=level) for number, level in enumerate(found.levels, LEARNER + 1))
    return (SeatOffer(LEARNER, "player", learner.id), *others)


def open_lesson(handler: CommandHandler, sent: CommandContext, slug: str, name: bytes | None = None) -> Outcome:
    """Opens a private table with the game's lesson; `name` is as for `open_table`."""
    found = lesson_of(slug)
    opening = Opening(slug, offers(found, sent.player), found.options, visibility="private")
    return open_table(handler, sent, opening, name, lambda _: {"seed": found.seed, "lesson": True})


def progress(history: TableHistory) -> Progress:
    """Returns the progress of the lesson at a table; raises `Refused` if there is none."""
    table = history.table
    if not table.opened.lesson:
        raise Refused("no_such_lesson", "this table is not a lesson: POST /v1/games/{game}/lesson opens one")
    steps = lesson_of(table.opened.game).steps
    batches = reversed(list(effective_moves(history)))
    made = [move.move for batch in batches for move in batch.moves if move.seat == LEARNER]
    done = len(list(takewhile(_is_same, zip(steps, made, strict=False))))
    if done < min(len(made), len(steps)):
        state = "left"
    elif done == len(steps):
        state = "done"
    elif table.decision_of(LEARNER) is None:
        state = "wait"
    else:
        state = "decide" if check(table, LEARNER, steps[done].move) is None else "left"
    return Progress(state, done + 1)


def _is_same(pair: tuple[Step, Any]) -> bool:
    step, move = pair
    return canonical(_unordered(step.move)) == canonical(_unordered(msgspec.to_builtins(move)))


def _unordered(value: Any) -> Any:
    """Returns a part of a move with its lists sorted: in no game's moves does the order of a list matter."""
    if isinstance(value, dict):
        return {name: _unordered(part) for name, part in value.items()}
    return sorted(map(_unordered, value), key=canonical) if isinstance(value, list | tuple) else value
