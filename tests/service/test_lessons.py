"""Lessons: a prepared deal, played by the real rules; what it says is what happens."""

from typing import Any

import msgspec
import pytest

from games import GAMES
from projections.event_conversion import lifecycle_of
from rulings.sentences import LANGUAGES
from service.errors import Refused
from service.lessons import Step
from service.tables import offers
from service.tables.lessons import LEARNER, Progress, lesson_of, open_lesson, progress
from service.tables.playing import Play, play
from tests.disputed_tables import holds
from tests.tables import ANN, Visit
from worker.play_turn import play_turns

MOST_LETTERS = 400


@pytest.fixture
def visit() -> Visit:
    """A house in memory."""
    return Visit()


def opened(visit: Visit, slug: str) -> str:
    """A table with the lesson of a game, whose other seats have played as far as they can."""
    table = open_lesson(visit.handler, visit.sent(ANN), slug).table.id
    play_turns(visit.handler, table)
    return table


def make(visit: Visit, table: str, move: Any) -> None:
    """The learner's move, and what the others do then."""
    play(visit.handler, table, Play(LEARNER, move), ANN.id, visit.request())
    play_turns(visit.handler, table)


def another_move(visit: Visit, table: str, step: Step) -> Any:
    """A legal move that is not the lesson's."""
    moves = (visit.move(table, ANN, seed) for seed in range(100))
    return next(move for move in map(msgspec.to_builtins, moves) if move != step.move)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("slug", GAMES)
def test_whoever_follows_a_lesson_meets_every_step(visit: Visit, slug: str, turned: bool) -> None:
    """Given the lesson of a game, when the learner makes each move as told, in whatever order its lists are."""
    table, steps = opened(visit, slug), lesson_of(slug).steps

    for number, step in enumerate(steps, 1):
        assert progress(visit.history(table)) == Progress("decide", number)
        make(visit, table, {name: turned_round(part) if turned else part for name, part in step.move.items()})

    assert progress(visit.history(table)) == Progress("done", len(steps) + 1)


def turned_round(part: Any) -> Any:
    """A list from its end, anything else as it is."""
    return part[::-1] if isinstance(part, list) else part


@pytest.mark.parametrize("slug", GAMES)
def test_a_lesson_is_told_in_both_languages(slug: str) -> None:
    """As many paragraphs in each, and no more than fits above the tray of a phone."""
    found = lesson_of(slug)
    assert set(found.title) == set(LANGUAGES)
    for told in (found.end, *(step.say for step in found.steps)):
        assert set(told) == set(LANGUAGES)
        assert len({len(paragraphs) for paragraphs in told.values()}) == 1
        assert max(sum(map(len, paragraphs)) for paragraphs in told.values()) <= MOST_LETTERS


@pytest.mark.parametrize("slug", GAMES)
def test_after_another_move_is_taken_back_the_lesson_goes_on(visit: Visit, slug: str) -> None:
    """Given a learner who made another move, the lesson is left; taken back, all others choose as they were to."""
    table, (first, second, *_) = opened(visit, slug), lesson_of(slug).steps
    make(visit, table, first.move)

    make(visit, table, another_move(visit, table, second))
    assert progress(visit.history(table)) == Progress("left", 2)

    offers.make(visit.handler, table, visit.sent(ANN), "takeback", LEARNER)
    play_turns(visit.handler, table)
    for number, step in enumerate(lesson_of(slug).steps[1:], 2):
        assert progress(visit.history(table)) == Progress("decide", number)
        make(visit, table, step.move)


def test_a_lesson_counts_nowhere_and_nobody_else_sees_it(visit: Visit) -> None:
    """Its seed is public."""
    table = visit.table(opened(visit, "tomahawk"))
    assert (table.opened.lesson, table.counted, table.opened.visibility) == (True, False, "private")


def test_other_tables_are_no_lessons(visit: Visit) -> None:
    """They have no steps."""
    table = visit.open("manitou", "ann ai")
    assert not visit.table(table).opened.lesson
    with pytest.raises(Refused) as refused:
        progress(visit.history(table))
    assert refused.value.code == "no_such_lesson"


def test_the_record_of_a_lesson_holds(visit: Visit) -> None:
    """Each choice of the others follows from the seed of the lesson."""
    table = opened(visit, "tomahawk")
    for step in lesson_of("tomahawk").steps:
        make(visit, table, step.move)
    history = visit.history(table)

    assert history.table.over
    assert lifecycle_of(history.events[0])
    assert holds(history)
