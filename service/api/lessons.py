"""Lessons: a guided first game, played at a real table by the real rules."""

from typing import Any

from flask import Response

from service.api.common import caller, handler, in_good_standing, language, reply
from service.api.headers import CONTENT_LANGUAGE, ETAG, KEY_HEADER, LANGUAGES_HEADER, LOCATION
from service.api.opening_checks import within_quota
from service.api.request_parsing import Blueprint
from service.api.schemas.games import LessonSchema, ProgressSchema
from service.api.schemas.tables import TableSchema
from service.api.tables import opened, sent_by
from service.command_handler import Outcome
from service.errors import Refused
from service.lessons import Lesson
from service.tables import lessons
from service.tables.authorisation import authorise_table

blueprint = Blueprint("lessons", __name__, url_prefix="/v1", description="A guided first game of each game")


@blueprint.get("/games/<game>/lesson", answer=LessonSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract("no_such_game no_such_lesson", headers=(LANGUAGES_HEADER,), asks_store=False)
def get_lesson(game: str) -> Response:
    """Get a lesson. Returns the guided first game with its seed and all steps (Accept-Language: en, fr)."""
    found, chosen = lessons.lesson_of(game), language()
    told = {
        "game": game,
        "title": found.title[chosen],
        "levels": found.levels,
        "options": found.options,
        "seed": found.seed,
        "steps": [{"say": step.say[chosen], "move": step.move} for step in found.steps],
        "end": found.end[chosen],
    }
    return reply(told, Content_Language=chosen)


@blueprint.post("/games/<game>/lesson", answer=TableSchema, status=201, headers=ETAG | LOCATION)
@blueprint.contract("no_such_game no_such_lesson quota_reached account_suspended", needs="play", headers=(KEY_HEADER,))
def open_lesson(game: str) -> Response:
    """Open a lesson. Creates a private table for the caller against AI players; its result counts nowhere."""
    sent = sent_by(in_good_standing())
    seats = lessons.offers(lessons.lesson_of(game), sent.player)

    def order() -> Outcome:
        with within_quota(sent, game, seats) as name:
            return lessons.open_lesson(handler(), sent, game, name)

    return opened(sent, order)


@blueprint.get("/tables/<table>/lesson", answer=ProgressSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract("no_such_table no_such_lesson not_your_seat", needs="watch", headers=(LANGUAGES_HEADER,))
def get_progress(table: str) -> Response:
    """Get the progress of a lesson. Returns what to know now and the move to make (Accept-Language: en, fr)."""
    asking, chosen = caller(), language()
    history = authorise_table(handler(), table, asking)
    if history.table.seat_of(asking.needs("watch").id) != lessons.LEARNER:
        raise Refused("not_your_seat", "a lesson is told to whoever takes it")
    came = lessons.progress(history)
    game = history.table.opened.game
    told = {"game": game, **came._asdict(), **_told(lessons.lesson_of(game), came.step, chosen)}
    return reply(told, Content_Language=chosen)


def _told(found: Lesson, number: int, chosen: str) -> dict[str, Any]:
    of = len(found.steps)
    if number > of:
        return {"of": of, "say": found.end[chosen], "move": None}
    step = found.steps[number - 1]
    return {"of": of, "say": step.say[chosen], "move": step.move}
