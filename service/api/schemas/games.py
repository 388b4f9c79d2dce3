"""Games, their rules and lessons, the AI levels, and whether the service is well."""

from marshmallow import Schema, fields, validate

from games import GAMES
from service.api.schemas.parts import any_json, game_name, one_of, ref, ref_or_null
from service.levels import LEVELS


class OptionSchema(Schema):
    """A house rule: its values, the default first (none listed: the rules describe them), and its ruling.

    One that shapes the set-up cannot change once a table has begun.
    """

    name = fields.String(required=True)
    values = fields.List(any_json(), required=True)
    default = any_json()
    ruling = fields.String(required=True)
    shapes_setup = fields.Boolean(required=True)


class GameSchema(Schema):
    """A game."""

    game = game_name()
    title = fields.String(required=True)
    credits = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    players = fields.List(fields.Integer(), required=True)
    lesson = fields.Boolean(required=True, metadata={"description": "whether there is a guided first game"})
    options = fields.List(fields.Nested(OptionSchema), required=True)


class GamesSchema(Schema):
    """All games hosted."""

    games = fields.List(fields.Nested(GameSchema), required=True)


class RuleSchema(Schema):
    """A rule of the rules document."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    section = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "Markdown"})


class RuleTitleSchema(Schema):
    """A rule without its text."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    section = fields.String(required=True)


class RulesSchema(Schema):
    """All rules of a game, without their texts."""

    game = game_name()
    rules = fields.List(fields.Nested(RuleTitleSchema), required=True)


class MeasuredSchema(Schema):
    """What one seat of the level won against others of another: its share of the victories with a 95 % interval."""

    game = game_name()
    players = fields.Integer(required=True)
    against = fields.String(required=True)
    share = fields.Float(required=True)
    low = fields.Float(required=True)
    high = fields.Float(required=True)
    margin = fields.Float(required=True, metadata={"description": "points ahead of the best other, on average"})
    n = fields.Integer(required=True, metadata={"description": "games, on mirrored deals with seats rotated"})
    iterations = fields.Integer(required=True, metadata={"description": "the budget that it was measured with"})
    ms_median = fields.Float(required=True, metadata={"description": "of a move"})


class LevelSchema(Schema):
    """An AI player."""

    level = one_of(LEVELS)
    player = fields.String(required=True)
    version = fields.Integer(required=True)
    games = fields.List(fields.String(), required=True, metadata={"description": "the games that it plays"})
    budget = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "iterations for a move, by game; none where it does not search"},
    )
    description = fields.String(required=True)
    options = fields.Dict(required=True)
    strength = fields.List(
        fields.Nested(MeasuredSchema), required=True, metadata={"description": "empty where nothing was measured"}
    )


class LevelsSchema(Schema):
    """All AI players."""

    levels = fields.List(fields.Nested(LevelSchema), required=True)


class EventTypeSchema(Schema):
    """A type of event: what it says, which fields are secret, and how it reads.

    `schema` numbers the sets of fields that the type has had. The fields in `secret` are left out for those who may not
    read them until the game is over: the seats that may are named by `readers` of each event. `payload` is a JSON
    Schema that stands for itself, `name` the name of the whole event's schema in the OpenAPI document.
    """

    type = fields.String(required=True)
    of = one_of(("game", "table"), metadata={"description": "whether only this game has it, or tables of every game"})
    description = fields.String(required=True)
    schema = fields.Integer(required=True)
    secret = fields.List(fields.String(), required=True)
    rules = fields.List(fields.String(), required=True)
    name = fields.String(required=True)
    payload = fields.Dict(required=True, metadata={"description": "JSON Schema, draft 2020-12"})
    example = fields.Dict(
        required=True, allow_none=True, metadata={"description": "`type`, `schema`, `payload` and `readers` of one"}
    )
    words = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "the sentence of the example, by language"},
    )


class CatalogueSchema(Schema):
    """Every type of event that a table of the game may have."""

    game = game_name()
    events = fields.List(fields.Nested(EventTypeSchema), required=True)


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


class HealthSchema(Schema):
    """That the process lives."""

    status = fields.String(required=True)


class ReadySchema(Schema):
    """That the service can answer, and how safe what it acknowledges is."""

    status = fields.String(required=True)
    partitions = fields.Integer(required=True)
    cluster = fields.Boolean(required=True)
    durability = fields.String(required=True)
