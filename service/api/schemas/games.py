"""Games, their rules and lessons, the AI levels, and whether the service is well."""

from marshmallow import fields, validate

from service.api.schemas.parts import any_json, game_name, nullable, one_of, ref, schema
from service.levels import LEVELS

OptionSchema = schema(
    "Option",
    "A house rule: its values, the usual default first (none listed: the rules describe them), and its ruling. One "
    "that shapes the set-up cannot change once a table has begun.",
    "name",
)(
    values=fields.List(any_json(), required=True),
    default=any_json(),
    other_defaults=(
        [dict],
        "where another `default` holds: `option` names another house rule, or `players`, and `value` what it is then",
    ),
    ruling=str,
    shapes_setup=bool,
)

GameSchema = schema("Game", "A game.", "title")(
    id=game_name(),
    credits=str,
    rules_version=int,
    players=[int],
    lesson=(bool, "whether there is a guided first game"),
    options=[OptionSchema],
)

GamesSchema = schema("Games", "All games hosted.")(games=[GameSchema])
RuleSchema = schema("Rule", "A rule of the rules document.", "id title section")(text=(str, "Markdown"))
RuleTitleSchema = schema("RuleTitle", "A rule without its text.", "id title section")()
RulesSchema = schema("Rules", "All rules of a game, without their texts.", "game")(rules=[RuleTitleSchema])

MeasuredSchema = schema(
    "Measured",
    "What one seat of the level won against others of another: its share of the victories with a 95 % interval.",
    "game players share low high",
)(
    against=str,
    margin=(float, "points ahead of the best other, on average"),
    n=(int, "games, on mirrored deals with seats rotated"),
    iterations=(int, "the budget that it was measured with"),
    ms_median=(float, "of a move"),
)

LevelSchema = schema("Level", "An AI player.", "player version description")(
    id=one_of(LEVELS),
    games=([str], "the games that it plays"),
    budget=(dict[str, int], "iterations for a move, by game; absent where it does not search"),
    strength=([MeasuredSchema], "empty where nothing was measured"),
)

LevelsSchema = schema("Levels", "All AI players.")(levels=[LevelSchema])

EventTypeSchema = schema(
    "EventType",
    "A type of event: what it says, which fields are secret, and how it reads. `schema` numbers the sets of "
    "fields that the type has had. The fields in `secret` are left out for those who may not read them until "
    "the game is over: the seats that may are named by `readers` of each event. `payload` is a JSON Schema "
    "that stands for itself, `name` the name of the whole event's schema in the OpenAPI document.",
    "type description rules name",
)(
    of=one_of(("game", "table"), "whether only this game has it, or tables of every game"),
    schema=int,
    secret=[str],
    payload=(dict, "JSON Schema, draft 2020-12"),
    example=(dict | None, "`type`, `schema`, `payload` and `readers` of one"),
    words=(dict[str, str] | None, "the sentence of the example, by language"),
)

CatalogueSchema = schema("Catalogue", "Every type of event that a table of the game may have.", "game")(
    events=[EventTypeSchema]
)


LEARNER = "the learner has seat 1, AI players of these levels the others"


LessonStepSchema = schema(
    "LessonStep", "A step: what to know, a paragraph each, and the move that the lesson makes then."
)(say=[str], move=fields.Raw(required=True, metadata=ref("Move")))

LessonSchema = schema(
    "Lesson",
    "The lesson of a game. Its seed is public, so that all draws of the deal can be known beforehand.",
    "game title options",
)(
    levels=([str], LEARNER),
    seed=fields.String(required=True, validate=validate.Regexp(r"^[0-9a-f]{64}\Z")),
    steps=[LessonStepSchema],
    end=([str], "what to know after the last step"),
)

ProgressSchema = schema("Progress", "How far a lesson has come at a table.", "game")(
    state=one_of(
        ("decide", "wait", "left", "done"),
        "decide: the learner makes `move`; wait: others decide; left: the learner has made another "
        "move, which may be taken back; done: there are no more steps",
    ),
    step=(int, "from 1; `of` + 1 after the last one"),
    of=int,
    say=[str],
    move=nullable("Move", "the move of the step; null after the last one"),
)

HealthSchema = schema("Health", "That the process lives.")(status=str)

ReadySchema = schema(
    "Ready", "That the service takes moves, how safe what it acknowledges is, and how far its dispatcher lags."
)(
    status=str,
    partitions=int,
    cluster=bool,
    durability=str,
    oldest_due_s=(float, "Seconds since the oldest AI turn, clock or webhook was due; grows without a dispatcher."),
    projections_behind=(int, "Batches that lists and standings lack; grows without a dispatcher."),
)
