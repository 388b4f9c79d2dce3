"""Lessons: a prepared deal of each game, step by step."""

from marshmallow import Schema, fields, validate

from games import GAMES
from service.api.schemas.parts import game_name, one_of, ref, ref_or_null

PIECES = "what it speaks of: names of pieces"
LEARNER = "the learner has seat 1, AI players of these levels the others"


class LessonStepSchema(Schema):
    """A step: what to know, a paragraph each, and the move that the lesson makes then."""

    say = fields.List(fields.String(), required=True)
    show = fields.List(fields.String(), required=True, metadata={"description": PIECES})
    move = fields.Raw(required=True, metadata=ref("Move"))


class LessonSchema(Schema):
    """The lesson of a game. Its seed is public, so that all draws of the deal can be known beforehand."""

    game = game_name()
    title = fields.String(required=True)
    levels = fields.List(fields.String(), required=True, metadata={"description": LEARNER})
    options = fields.Dict(required=True)
    seed = fields.String(required=True, validate=validate.Regexp(r"^[0-9a-f]{64}\Z"))
    steps = fields.List(fields.Nested(LessonStepSchema), required=True)
    end = fields.List(fields.String(), required=True, metadata={"description": "what to know behind the last step"})


class ProgressSchema(Schema):
    """How far a lesson has come at a table."""

    game = one_of(GAMES)
    state = one_of(
        ("decide", "wait", "left", "done"),
        metadata={
            "description": "decide: the learner makes `move`; wait: others decide; left: the learner has made another "
            "move, which may be taken back; done: there are no more steps"
        },
    )
    step = fields.Integer(required=True, metadata={"description": "from 1; behind the last one more than `of`"})
    of = fields.Integer(required=True)
    say = fields.List(fields.String(), required=True)
    show = fields.List(fields.String(), required=True, metadata={"description": PIECES})
    move = fields.Raw(required=True, metadata=ref_or_null("Move", "the move of the step; null behind the last one"))
