"""The schemas of requests and answers. Moves, events and views of each game come from the game itself."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.accounts import OWN_SCOPES
from service.api.strict import MAX_INTEGER, QueryWhole, Truth, Whole
from service.levels import LEVELS

NAME = validate.Regexp(
    r"^[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*\Z", error="must not begin with a blank nor hold control characters"
)
ID = validate.Regexp(r"^[A-Za-z0-9_-]{1,64}\Z")


def _ref(name: str) -> dict[str, Any]:
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}]}


def _ref_or_null(name: str, description: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/components/schemas/{name}"}, {"type": "null"}], "description": description}


def _any_json() -> Any:
    return fields.Raw(metadata={"description": "any JSON value"})


class StrictText(fields.String):
    """A text; nothing is turned into one."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a text")
        return value


class OptionValue(fields.Field):
    """A value of a house rule: a text, an integer, true or false, or a list of texts."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, str | bool | int) and not _is_list_of_texts(value):
            raise ValidationError("must be a text, an integer, true, false or a list of texts")
        return value


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _house_rules(description: str, **field: Any) -> Any:
    least, most = 1 - MAX_INTEGER, MAX_INTEGER - 1
    texts = {"type": "array", "items": {"type": "string"}}
    kinds = [{"type": "string"}, {"type": "boolean"}, {"type": "integer", "minimum": least, "maximum": most}, texts]
    value = OptionValue(metadata={"anyOf": kinds})
    return fields.Dict(keys=StrictText(), values=value, metadata={"description": description}, **field)


class PlayerRequest(Schema):
    """A new account."""

    name = StrictText(required=True, validate=[validate.Length(1, 40), NAME], metadata={"example": "Ann"})
    bot = Truth(load_default=False, metadata={"description": "whether a program plays"})


class PlayerSchema(Schema):
    """An account."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    scopes = fields.List(fields.String(), required=True, metadata={"description": "what the token sent may do"})


class TokenRequest(Schema):
    """A further token."""

    scopes = fields.List(
        StrictText(validate=validate.OneOf(OWN_SCOPES)),
        required=True,
        validate=validate.Length(1, 3),
        metadata={"description": "what the token may be used for"},
    )
    label = StrictText(load_default="", validate=validate.Length(0, 40))


class TokenSchema(Schema):
    """A token; its text (`secret`) is only told when it is made."""

    token = fields.String(required=True, metadata={"description": "the token's id"})
    scopes = fields.List(fields.String(), required=True)
    label = fields.String(required=True)
    at = fields.String(required=True)


class NewTokenSchema(TokenSchema):
    """A token with its text, which is not told again."""

    secret = fields.String(required=True, metadata={"description": "send as Authorization: Bearer …"})


class NewPlayerSchema(Schema):
    """An account with its first token."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    token = fields.Nested(NewTokenSchema, required=True)


class WebhookRequest(Schema):
    """Where to send."""

    url = StrictText(required=True, validate=validate.Length(1, 1000), metadata={"description": "https://host/path"})


class AttemptSchema(Schema):
    """What came of sending last."""

    delivery = fields.String(required=True, metadata={"description": "the same at every attempt"})
    at = fields.String(required=True)
    status = fields.Integer(required=True, allow_none=True, metadata={"description": "null: there was no answer"})
    detail = fields.String(required=True)


class WebhookSchema(Schema):
    """Where a bot is told that it is its turn."""

    webhook = fields.String(required=True)
    url = fields.String(required=True)
    at = fields.String(required=True)
    last = fields.Nested(AttemptSchema, required=True, allow_none=True)


class NewWebhookSchema(Schema):
    """A new webhook with its secret, which is told only once."""

    webhook = fields.String(required=True)
    url = fields.String(required=True)
    at = fields.String(required=True)
    secret = fields.String(required=True, metadata={"description": "whsec_ and the key in Base64"})


class TokensSchema(Schema):
    """All tokens of an account."""

    tokens = fields.List(fields.Nested(TokenSchema), required=True)


class SeatRequest(Schema):
    """What a seat is meant for."""

    kind = StrictText(
        required=True,
        validate=validate.OneOf(("me", "open", "player", "ai")),
        metadata={"description": "me: for who opens the table; open: for anybody; player: kept for one; ai"},
    )
    player = StrictText(validate=ID, metadata={"description": "with kind player: whom the seat is kept for"})
    level = StrictText(validate=validate.OneOf(tuple(LEVELS)), metadata={"description": "with kind ai: its level"})

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for kind, name in (("player", "player"), ("ai", "level")):
            if (data["kind"] == kind) != (name in data):
                raise ValidationError(f"`{name}` goes with the kind {kind!r}, and has to be there", name)


class ClockSchema(Schema):
    """A clock: how long a person has for each decision."""

    decision_s = Whole(required=True, validate=validate.Range(5, 30 * 86400), metadata={"description": "seconds"})


class DisputeRulesSchema(Schema):
    """How rulings may be disputed."""

    by = StrictText(
        load_default="arbiter",
        validate=validate.OneOf(("arbiter", "vote")),
        metadata={"description": "who decides: the arbiter, or the persons seated by vote"},
    )
    play = StrictText(
        load_default="pauses",
        validate=validate.OneOf(("pauses", "goes_on")),
        metadata={"description": "what play does while a dispute is open"},
    )
    window_s = Whole(
        load_default=3600,
        validate=validate.Range(1, 30 * 86400),
        metadata={"description": "how long after a ruling it may be disputed, in seconds"},
    )
    answer_s = Whole(
        load_default=86400,
        validate=validate.Range(1, 30 * 86400),
        metadata={"description": "after how long without a decision the ruling stands, in seconds"},
    )


CONTRIBUTION = "mixed into the table's luck, so that nobody alone settles it"


class OpeningRequest(Schema):
    """A table to open: seats in seat order, seat 1 first."""

    game = StrictText(required=True, validate=validate.Length(1, 40), metadata={"example": "big-manitou"})
    seats = fields.List(fields.Nested(SeatRequest), required=True, validate=validate.Length(1, 8))
    options = _house_rules("house rules by name", load_default=dict)
    visibility = StrictText(load_default="public", validate=validate.OneOf(("public", "private")))
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    arbiter = StrictText(load_default=None, allow_none=True, validate=ID)
    disputes = fields.Nested(
        DisputeRulesSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "null: rulings cannot be disputed"},
    )
    contribution = StrictText(
        load_default=None, allow_none=True, validate=validate.Length(1, 64), metadata={"description": CONTRIBUTION}
    )


class ForkRequest(Schema):
    """A branch to open: from which version on, and what shall be otherwise there."""

    version = Whole(required=True, validate=validate.Range(1), metadata={"description": "of the parent"})
    options = _house_rules("the house rules to change; those that shaped the set-up stay", load_default=dict)
    chance = StrictText(
        load_default="anew",
        validate=validate.OneOf(("anew", "continued")),
        metadata={"description": "anew: luck of its own; continued: the parent's, once its game is over"},
    )
    seats = fields.List(
        fields.Nested(SeatRequest),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, 8),
        metadata={"description": "in seat order; null: one's own seat for oneself, AI in all others"},
    )
    visibility = StrictText(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(("public", "private")),
        metadata={"description": "null: public if nothing speaks against it"},
    )
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    arbiter = StrictText(load_default=None, allow_none=True, validate=ID)
    disputes = fields.Nested(DisputeRulesSchema, load_default=None, allow_none=True)
    contribution = StrictText(
        load_default=None, allow_none=True, validate=validate.Length(1, 64), metadata={"description": CONTRIBUTION}
    )


class SittingRequest(Schema):
    """Who sits down: the caller, or with `level` an AI."""

    level = StrictText(validate=validate.OneOf(tuple(LEVELS)))
    contribution = StrictText(validate=validate.Length(1, 64), metadata={"description": CONTRIBUTION})


class HandOverRequest(Schema):
    """The AI that plays on."""

    level = StrictText(load_default="greedy", validate=validate.OneOf(tuple(LEVELS)))


class WaitRequest(Schema):
    """How much more time is granted, in seconds; by default as much as every decision has."""

    seconds = Whole(load_default=None, allow_none=True, validate=validate.Range(5, 30 * 86400))


class AiSchema(Schema):
    """An AI player as it is recorded."""

    player = fields.String(required=True)
    version = fields.Integer(required=True)
    level = fields.String(required=True)


class SeatSchema(Schema):
    """A seat: what it is meant for and who holds it."""

    seat = fields.Integer(required=True)
    offer = fields.String(required=True)
    kept_for = fields.String(required=True, allow_none=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    ai = fields.Nested(AiSchema, required=True, allow_none=True)


class DecisionSchema(Schema):
    """An open decision, as everybody may see it."""

    decision = fields.String(required=True, metadata={"example": "57-2"})
    seat = fields.Integer(required=True)
    since = fields.String(required=True)
    deadline = fields.String(required=True, allow_none=True)
    expired = fields.Boolean(required=True)


class OpenDecisionSchema(DecisionSchema):
    """An open decision of the caller, with its legal moves."""

    moves = fields.List(fields.Raw(metadata=_ref("LegalMove")), required=True)


BRANCH = "null: the table is no branch"


class ForkedFromSchema(Schema):
    """Where a branch comes from."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True, metadata={"description": "hash of the parent's event there (hexadecimal)"})
    chance = fields.String(required=True, validate=validate.OneOf(("anew", "continued")))
    dealt_anew = fields.Boolean(
        required=True, metadata={"description": "whether what the forking player might not see was dealt anew"}
    )


class TableSchema(Schema):
    """A table at a version, as the caller may see it."""

    table = fields.String(required=True)
    game = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("open", "running", "finished")))
    visibility = fields.String(required=True)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    version = fields.Integer(required=True)
    at = fields.String(required=True)
    hash = fields.String(required=True, metadata={"description": "hash of the last event (hexadecimal)"})
    options = fields.Dict(required=True)
    opened_by = fields.String(required=True)
    arbiter = fields.String(required=True, allow_none=True)
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    disputes = fields.Nested(DisputeRulesSchema, required=True, allow_none=True)
    paused = fields.Boolean(required=True, metadata={"description": "whether an open dispute pauses play"})
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    decisions = fields.List(fields.Nested(DecisionSchema), required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "with whose eyes; null: spectator"})
    view = fields.Raw(
        required=True, metadata=_ref_or_null("View", "the game as the eyes see it, null before it begins")
    )
    scores = fields.Raw(required=True, metadata=_ref_or_null("Scores", "as they stand, null before the game begins"))


class LobbySeatSchema(Schema):
    """A seat in the lobby."""

    seat = fields.Integer(required=True)
    offer = fields.String(required=True)
    kept_for = fields.String(required=True, allow_none=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    level = fields.String(required=True, allow_none=True)


class LobbyRowSchema(Schema):
    """A table in the lobby."""

    table = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    visibility = fields.String(required=True)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    players = fields.Integer(required=True)
    options = fields.Dict(required=True)
    opened_by = fields.String(required=True)
    arbiter = fields.String(required=True, allow_none=True)
    opened_at = fields.String(required=True)
    at = fields.String(required=True)
    version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(LobbySeatSchema), required=True)
    to_act = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True)


class LobbySchema(Schema):
    """Public tables, the newest first; `next` is the cursor of the next page."""

    tables = fields.List(fields.Nested(LobbyRowSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class ForksSchema(Schema):
    """Where a table comes from, and its own branches, the newest first."""

    table = fields.String(required=True)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    forks = fields.List(fields.Nested(LobbyRowSchema), required=True)


class ComparisonQuery(Schema):
    """With which table."""

    other = fields.String(
        required=True,
        data_key="with",
        validate=validate.Regexp(r"^t_[a-z2-7]{16}\Z"),
        metadata={"description": "the id of the other table"},
    )


class CommonSchema(Schema):
    """The last moment that two branches have in common."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)


class BranchSchema(Schema):
    """What came of a branch."""

    table = fields.String(required=True)
    forked_from = fields.Nested(ForkedFromSchema, required=True, allow_none=True, metadata={"description": BRANCH})
    version = fields.Integer(required=True)
    status = fields.String(required=True)
    options = fields.Dict(required=True)
    events = fields.Integer(required=True, metadata={"description": "the game's events since the branches parted"})
    scores = fields.Raw(required=True, metadata=_ref_or_null("Scores", "as they stand, null before play begins"))


class DifferenceSchema(Schema):
    """The first event that is not the same in both branches."""

    number = fields.Integer(required=True, metadata={"description": "counted from where the branches part"})
    events = fields.List(
        fields.Raw(metadata=_ref_or_null("Event", "the event in this branch; null: it has none yet")),
        required=True,
        validate=validate.Length(equal=2),
    )


class ComparisonSchema(Schema):
    """Two branches of one game beside each other, the one asked about first."""

    common = fields.Nested(CommonSchema, required=True)
    branches = fields.List(fields.Nested(BranchSchema), required=True, validate=validate.Length(equal=2))
    first_difference = fields.Nested(
        DifferenceSchema, required=True, allow_none=True, metadata={"description": "null: there is none"}
    )


class LobbyQuery(Schema):
    """Which tables."""

    status = fields.String(
        load_default="running",
        validate=validate.OneOf(("open", "running", "finished")),
        metadata={"description": "how far the tables are"},
    )
    mine = fields.String(
        load_default="false",
        validate=validate.OneOf(("true", "false")),
        metadata={"description": "only tables that concern the caller, of every status"},
    )
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9]{15}\|[a-z0-9_]{1,40}\Z"),
        metadata={"description": "`next` of the page before"},
    )
    limit = QueryWhole(
        load_default=50, validate=validate.Range(1, 200), metadata={"description": "tables a page, at most"}
    )


AT = "as it was at this version"
EYES = "with the eyes of this seat: one's own, any when the game is over"
AT_TIME = "as it was at this time (RFC 3339)"


class TableQuery(Schema):
    """Which version, and with whose eyes."""

    at = QueryWhole(metadata={"description": AT})
    at_time = fields.String(validate=validate.Length(1, 40), metadata={"description": AT_TIME, "format": "date-time"})
    seat = QueryWhole(metadata={"description": EYES})


class MoveRequest(Schema):
    """A move. `decision` names the open decision that it answers: then it cannot answer a later one by mistake."""

    seat = Whole(required=True, metadata={"example": 1})
    decision = StrictText(validate=validate.Length(1, 40), metadata={"example": "57-2"})
    move = fields.Raw(required=True, metadata=_ref("Move"))


class CheckRequest(Schema):
    """A move to be checked, now or `at` a past version."""

    seat = Whole(required=True)
    move = fields.Raw(required=True, metadata=_ref("Move"))
    at = Whole(load_default=None, allow_none=True, metadata={"description": "the version; null: now"})


class CheckSchema(Schema):
    """Whether the move is legal at that version, and if not which rule forbids it."""

    legal = fields.Boolean(required=True)
    version = fields.Integer(required=True, metadata={"description": "at which it was checked"})
    rule = fields.String(allow_none=True)
    detail = fields.String(allow_none=True)
    text = fields.String(allow_none=True, metadata={"description": "the text of the rule (Markdown)"})


class ReceiptSchema(Schema):
    """Proof that the move was accepted: the version and hash of its last event."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class PlayedSchema(Schema):
    """What a move led to: its events as the seat reads them, the table now, and what the seat has to decide next."""

    version = fields.Integer(required=True)
    events = fields.List(fields.Raw(metadata=_ref("Event")), required=True)
    table = fields.Nested(TableSchema, required=True)
    decisions = fields.List(fields.Nested(OpenDecisionSchema), required=True)
    receipt = fields.Nested(ReceiptSchema, required=True)


class MovesSchema(Schema):
    """The decisions that wait for the caller at a table."""

    version = fields.Integer(required=True)
    decisions = fields.List(fields.Nested(OpenDecisionSchema), required=True)


LANGUAGE = fields.String(
    validate=validate.OneOf(("en", "fr")), metadata={"description": "adds a sentence in this language to each event"}
)


class EventsQuery(Schema):
    """Which events: those behind version `after`."""

    after = QueryWhole(metadata={"description": "events behind this version; default 0, or Last-Event-ID"})
    limit = QueryWhole(
        load_default=200, validate=validate.Range(1, 1000), metadata={"description": "events a page, at most"}
    )
    language = LANGUAGE


class EventsSchema(Schema):
    """A page of events; `next` is the value of `after` for the next page, null at the end."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    events = fields.List(fields.Raw(metadata=_ref("Event")), required=True)
    next = fields.Integer(required=True, allow_none=True)


class RuleOptionSchema(Schema):
    """A house rule that a ruling allows: what is in force, and what a table may choose."""

    option = fields.String(required=True)
    in_force = _any_json()
    values = fields.List(_any_json(), required=True)


class AppliedRuleSchema(Schema):
    """A rule that was applied."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "Markdown"})
    options = fields.List(fields.Nested(RuleOptionSchema), required=True)


class RulingSchema(Schema):
    """A ruling: its figures, its reason in words, its rules."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    at = fields.String(required=True)
    figures = fields.Dict(required=True, metadata={"description": "the event's payload"})
    words = fields.String(required=True)
    rules = fields.List(fields.Nested(AppliedRuleSchema), required=True)


class RulingsSchema(Schema):
    """The rulings of a table, in order."""

    version = fields.Integer(required=True)
    rulings = fields.List(fields.Nested(RulingSchema), required=True)


class OptionSchema(Schema):
    """A house rule: its values, the default first (none listed: the rules describe them), and its ruling.

    One that shapes the set-up cannot change once a table has begun.
    """

    name = fields.String(required=True)
    values = fields.List(_any_json(), required=True)
    default = _any_json()
    ruling = fields.String(required=True)
    shapes_setup = fields.Boolean(required=True)


class GameSchema(Schema):
    """A game."""

    game = fields.String(required=True)
    title = fields.String(required=True)
    credits = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    players = fields.List(fields.Integer(), required=True)
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

    game = fields.String(required=True)
    rules = fields.List(fields.Nested(RuleTitleSchema), required=True)


class MeasuredSchema(Schema):
    """What one seat of the level won against others of another: its share of the victories with a 95 % interval."""

    game = fields.String(required=True)
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

    level = fields.String(required=True)
    player = fields.String(required=True)
    version = fields.Integer(required=True)
    budget = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    description = fields.String(required=True)
    options = fields.Dict(required=True)
    strength = fields.List(
        fields.Nested(MeasuredSchema), required=True, metadata={"description": "empty where nothing was measured"}
    )


class LevelsSchema(Schema):
    """All AI players."""

    levels = fields.List(fields.Nested(LevelSchema), required=True)


class WaitingSchema(Schema):
    """A decision that waits for the caller."""

    table = fields.String(required=True)
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    decision = fields.String(required=True)
    seat = fields.Integer(required=True)
    since = fields.String(required=True)
    deadline = fields.String(required=True, allow_none=True)
    expired = fields.Boolean(required=True)


class InboxSchema(Schema):
    """All decisions that wait for the caller, the oldest first."""

    decisions = fields.List(fields.Nested(WaitingSchema), required=True)


class StandingsQuery(Schema):
    """Of which game."""

    game = fields.String(validate=validate.Length(1, 40), metadata={"description": "only of this game"})


class StandingSchema(Schema):
    """How often somebody has played and won a game."""

    game = fields.String(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    bot = fields.Boolean(required=True)
    played = fields.Integer(required=True)
    won = fields.Integer(required=True)


class StandingsSchema(Schema):
    """Standings, by game; most games won first."""

    standings = fields.List(fields.Nested(StandingSchema), required=True)


class HealthSchema(Schema):
    """That the process lives."""

    status = fields.String(required=True)


class ReadySchema(Schema):
    """That the service can answer, and how safe what it acknowledges is."""

    status = fields.String(required=True)
    partitions = fields.Integer(required=True)
    cluster = fields.Boolean(required=True)
    durability = fields.String(required=True)


class DiffQuery(Schema):
    """From which version to which, and with whose eyes."""

    to = QueryWhole(metadata={"description": "default: the newest version"})
    seat = QueryWhole(metadata={"description": EYES})
    first = QueryWhole(data_key="from", metadata={"description": "default: the version before"})


class ChangeSchema(Schema):
    """What an event changed: a JSON Patch."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    patch = fields.List(fields.Dict(), required=True)


class DiffSchema(Schema):
    """What changed between two versions of the table's document, event by event."""

    table = fields.String(required=True)
    to = fields.Integer(required=True)
    changes = fields.List(fields.Nested(ChangeSchema), required=True)
    first = fields.Integer(data_key="from", required=True)


def _place() -> Any:
    return fields.String(
        required=True,
        validate=[validate.Length(0, 200), validate.Regexp(r"^(/([^~/]|~[01])*)*\Z")],
        metadata={"description": "JSON Pointer (RFC 6901) into the table's document, such as /scores/scores/0/total"},
    )


class BlameQuery(Schema):
    """Which place, as it is at which version."""

    path = _place()
    at = QueryWhole(metadata={"description": AT})
    seat = QueryWhole(metadata={"description": EYES})


class BlameSchema(Schema):
    """The event that last changed a place, and the rules by which it did."""

    path = fields.String(required=True)
    at = fields.Integer(required=True)
    value = _any_json()
    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    event = fields.Raw(required=True, metadata=_ref("Event"))


class FindQuery(Schema):
    """Which place, which value, from which version on."""

    path = _place()
    value = fields.String(
        required=True, validate=validate.Length(1, 2000), metadata={"description": "a JSON value", "example": "5"}
    )
    seat = QueryWhole(metadata={"description": EYES})
    first = QueryWhole(
        data_key="from",
        load_default=1,
        validate=validate.Range(1, 999_999_999),
        metadata={"description": "from when on"},
    )


class FindSchema(Schema):
    """The version at which it became so, with the event and the rules that made it so."""

    table = fields.String(required=True)
    path = fields.String(required=True)
    at = fields.String(required=True, metadata={"description": "when"})
    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)


class AuditQuery(Schema):
    """A receipt to be looked up, if there is one."""

    version = QueryWhole(metadata={"description": "the version of the receipt"})
    hash = fields.String(validate=validate.Regexp(r"^[0-9a-f]{64}\Z"), metadata={"description": "its hash"})


class ChainSchema(Schema):
    """The chain: how many events, and what does not fit."""

    events = fields.Integer(required=True)
    faults = fields.List(fields.String(), required=True)


class DivergenceSchema(Schema):
    """The first event that comes out otherwise; `recorded` or `decided` is null where there is none."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    recorded = fields.Dict(required=True, allow_none=True)
    decided = fields.Dict(required=True, allow_none=True)


class StopSchema(Schema):
    """Where the recorded moves cannot go on, and the rule that refuses the next."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    rule = fields.String(required=True)
    detail = fields.String(required=True)


class OriginSchema(Schema):
    """Whether a branch begins where it says; its parent may not be kept here."""

    checked = fields.Boolean(required=True)
    faults = fields.List(fields.String(), required=True)


class SampleSchema(Schema):
    """AI moves computed again: of all `moves`, `gone` were made by versions of players that are no longer there."""

    moves = fields.Integer(required=True)
    gone = fields.Integer(required=True)
    checked = fields.List(fields.Integer(), required=True, metadata={"description": "the versions computed again"})
    different = fields.List(fields.Integer(), required=True, metadata={"description": "those with another outcome"})


class WeighedSchema(Schema):
    """A move that the player weighed, or an entry of the list of legal moves that stands for many."""

    move = fields.Dict(required=True)
    visits = fields.Integer(required=True, metadata={"description": "how often it was tried"})
    value = fields.Float(required=True)


class ComputedSchema(Schema):
    """What the player chooses when it is asked again, and what it weighed, the best first; 100 of them at most."""

    move = fields.Dict(required=True)
    iterations = fields.Integer(required=True)
    weighed = fields.Integer(required=True, metadata={"description": "how many moves were weighed in all"})
    candidates = fields.List(fields.Nested(WeighedSchema), required=True)


class MakerSchema(Schema):
    """The player of an AI's move. `instead_of`: players that were given up before."""

    player = fields.String(required=True)
    version = fields.Integer(required=True)
    level = fields.String(required=True)
    iterations = fields.Integer(required=True)
    budget = fields.Integer(metadata={"description": "iterations that it might take; older events do not tell"})
    seen = fields.Integer(metadata={"description": "the version of the table that it saw; older events do not tell"})
    instead_of = fields.List(fields.Dict())


class ExplanationSchema(Schema):
    """How an AI chose: who, at which version of the table, from which seed, and what comes of asking it again."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    ai = fields.Nested(MakerSchema, required=True)
    seen = fields.Integer(required=True, metadata={"description": "the version of the table that the player saw"})
    seed = fields.String(required=True)
    recorded = fields.Dict(required=True, metadata={"description": "the move as it was recorded"})
    computed = fields.Nested(ComputedSchema, required=True, allow_none=True)
    same = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "null: it cannot be computed again, see `detail`"}
    )
    detail = fields.String(required=True)
    meaning = fields.String(required=True, allow_none=True, metadata={"description": "what the values are"})


class AuditSchema(Schema):
    """What was checked, and whether the record holds."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    holds = fields.Boolean(required=True)
    chain = fields.Nested(ChainSchema, required=True)
    origin = fields.Nested(
        OriginSchema, required=True, allow_none=True, metadata={"description": "null: the table is no branch"}
    )
    commitments = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    decisions = fields.Integer(required=True)
    divergence = fields.Nested(DivergenceSchema, required=True, allow_none=True)
    stop = fields.Nested(StopSchema, required=True, allow_none=True)
    receipt = fields.Boolean(required=True, allow_none=True, metadata={"description": "null: none was asked about"})
    ai_moves = fields.Nested(
        SampleSchema, required=True, allow_none=True, metadata={"description": "null: the game is not over"}
    )


class ReadjudicationRequest(Schema):
    """The house rules to decide by; those not named stay as they are at the table."""

    options = _house_rules("house rules by name", required=True)


class ReadjudicationSchema(Schema):
    """What came of deciding again."""

    table = fields.String(required=True)
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    moves = fields.Integer(required=True, metadata={"description": "moves that could be taken"})
    events = fields.Integer(required=True)
    draws_recorded = fields.Integer(required=True, metadata={"description": "draws with the recorded outcome"})
    draws_other = fields.Integer(required=True, metadata={"description": "draws from other populations"})
    divergence = fields.Nested(DivergenceSchema, required=True, allow_none=True)
    counterfactual_from = fields.Integer(required=True, allow_none=True)
    stop = fields.Nested(StopSchema, required=True, allow_none=True)
    over = fields.Boolean(required=True)
    scores_recorded = _any_json()
    scores_decided = _any_json()


class DisputeRequest(Schema):
    """What is disputed: a rule of a ruling, why, and by which house rules it should be read instead."""

    seat = Whole(required=True)
    version = Whole(required=True, validate=validate.Range(1), metadata={"description": "the event that is the ruling"})
    rule = StrictText(required=True, validate=validate.Length(1, 20), metadata={"example": "BM-R14"})
    claim = StrictText(required=True, validate=[validate.Length(1, 1000), NAME])
    options = _house_rules(
        "house rules that stem from the disputed ruling; none: decide the same again", load_default=dict
    )


class CommentRequest(Schema):
    """A word on a dispute."""

    text = StrictText(required=True, validate=[validate.Length(1, 1000), NAME])


class VoteRequest(Schema):
    """A seat's vote."""

    seat = Whole(required=True)
    overturn = Truth(required=True)


class ResolutionRequest(Schema):
    """The arbiter's verdict."""

    outcome = StrictText(required=True, validate=validate.OneOf(("upheld", "overturned")))
    text = StrictText(required=True, validate=[validate.Length(1, 1000), NAME])
    options = _house_rules(
        "the house rules amended; null: those that the dispute asks for", load_default=None, allow_none=True
    )


class CommentSchema(Schema):
    """A word on a dispute."""

    player = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    text = fields.String(required=True)
    at = fields.String(required=True)


class VoteSchema(Schema):
    """A seat's vote."""

    seat = fields.Integer(required=True)
    overturn = fields.Boolean(required=True)


class DisputeSchema(Schema):
    """A dispute; `outcome` is null while it is open."""

    dispute = fields.String(required=True)
    seat = fields.Integer(required=True)
    version = fields.Integer(required=True)
    rule = fields.String(required=True)
    claim = fields.String(required=True)
    options = fields.Dict(required=True)
    at = fields.String(required=True)
    deadline = fields.String(required=True)
    comments = fields.List(fields.Nested(CommentSchema), required=True)
    votes = fields.List(fields.Nested(VoteSchema), required=True)
    outcome = fields.String(
        required=True, allow_none=True, metadata={"description": "upheld, overturned, lapsed or moot"}
    )
    by = fields.String(required=True, allow_none=True)
    text = fields.String(required=True, allow_none=True)
    resolved = fields.Integer(required=True, allow_none=True, metadata={"description": "the event that ended it"})


class TakebackRequest(Schema):
    """Whose last move."""

    seat = Whole(required=True)


class ConsentRequest(Schema):
    """What a seat says to a takeback."""

    seat = Whole(required=True)
    agrees = Truth(required=True)


class WaitingTakebackSchema(Schema):
    """A takeback that waits: `missing` have still to agree."""

    takeback = fields.String(required=True)
    seat = fields.Integer(required=True)
    to = fields.Integer(required=True)
    missing = fields.List(fields.Integer(), required=True)


class DisputesSchema(Schema):
    """The disputes of a table, and a takeback that waits for consent."""

    version = fields.Integer(required=True)
    paused = fields.Boolean(required=True)
    disputes = fields.List(fields.Nested(DisputeSchema), required=True)
    takeback = fields.Nested(WaitingTakebackSchema, required=True, allow_none=True)


class TakebackSchema(Schema):
    """The table after it, and what still waits for consent."""

    taken_back = fields.Boolean(required=True)
    waiting = fields.Nested(WaitingTakebackSchema, required=True, allow_none=True)
    table = fields.Nested(TableSchema, required=True)
