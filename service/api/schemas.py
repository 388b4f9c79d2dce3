"""The schemas of requests and answers. Moves, events and views of each game come from the game itself."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.accounts import OWN_SCOPES
from service.api.strict import QueryWhole, Truth, Whole
from service.levels import LEVELS

NAME = validate.Regexp(r"^(?=.*\S)[^\x00-\x1f\x7f]+\Z", error="must not be blank nor hold control characters")
ID = validate.Regexp(r"^[A-Za-z0-9_-]{1,64}\Z")


def _ref(name: str) -> dict[str, Any]:
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}]}


def _any_json() -> Any:
    return fields.Raw(metadata={"description": "any JSON value"})


class StrictText(fields.String):
    """A text; nothing is turned into one."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a text")
        return value


class ProblemSchema(Schema):
    """RFC 9457: why a request was refused. `code` is for machines, `detail` for people."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    code = fields.String(required=True)
    rule = fields.String(metadata={"description": "the rule that forbids the move"})
    version = fields.Integer(metadata={"description": "the table's version"})
    decision = fields.String(allow_none=True, metadata={"description": "the decision that is open instead"})
    option = fields.String(metadata={"description": "the house rule that was refused"})
    errors = fields.Dict(metadata={"description": "what does not fit, by field"})


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


CONTRIBUTION = "mixed into the table's luck, so that nobody alone settles it"


class OpeningRequest(Schema):
    """A table to open: seats in seat order, seat 1 first."""

    game = StrictText(required=True, validate=validate.Length(1, 40), metadata={"example": "big-manitou"})
    seats = fields.List(fields.Nested(SeatRequest), required=True, validate=validate.Length(1, 8))
    options = fields.Dict(
        keys=StrictText(), values=fields.Raw(), load_default=dict, metadata={"description": "house rules by name"}
    )
    visibility = StrictText(load_default="public", validate=validate.OneOf(("public", "private")))
    clock = fields.Nested(ClockSchema, load_default=None, allow_none=True)
    arbiter = StrictText(load_default=None, allow_none=True, validate=ID)
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


class TableSchema(Schema):
    """A table at a version, as the caller may see it."""

    table = fields.String(required=True)
    game = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("open", "running", "finished")))
    visibility = fields.String(required=True)
    version = fields.Integer(required=True)
    at = fields.String(required=True)
    hash = fields.String(required=True, metadata={"description": "hash of the last event (hexadecimal)"})
    options = fields.Dict(required=True)
    opened_by = fields.String(required=True)
    arbiter = fields.String(required=True, allow_none=True)
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    decisions = fields.List(fields.Nested(DecisionSchema), required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "with whose eyes; null: spectator"})
    view = fields.Raw(required=True, allow_none=True, metadata=_ref("View"))
    scores = fields.Raw(required=True, allow_none=True, metadata={"description": "the score as it stands"})


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


class LobbyQuery(Schema):
    """Which tables."""

    status = fields.String(load_default="running", validate=validate.OneOf(("open", "running", "finished")))
    mine = fields.String(
        load_default="false",
        validate=validate.OneOf(("true", "false")),
        metadata={"description": "only tables that concern the caller, of every status"},
    )
    cursor = fields.String(validate=validate.Regexp(r"^[0-9]{15}\|[a-z0-9_]{1,40}\Z"))
    limit = QueryWhole(load_default=50, validate=validate.Range(1, 200))


AT = "as it was at this version"
AT_TIME = "as it was at this time (RFC 3339)"


class TableQuery(Schema):
    """Which version, and with whose eyes."""

    at = QueryWhole(metadata={"description": AT})
    at_time = fields.String(validate=validate.Length(1, 40), metadata={"description": AT_TIME})
    seat = QueryWhole(metadata={"description": "with the eyes of this seat: one's own, any when the game is over"})


class MoveRequest(Schema):
    """A move. `decision` names the open decision that it answers: then it cannot answer a later one by mistake."""

    seat = Whole(required=True, metadata={"example": 1})
    decision = StrictText(validate=validate.Length(1, 40), metadata={"example": "57-2"})
    move = fields.Raw(required=True, metadata=_ref("Move"))


class CheckRequest(Schema):
    """A move to be checked."""

    seat = Whole(required=True)
    move = fields.Raw(required=True, metadata=_ref("Move"))


class CheckSchema(Schema):
    """Whether the move is legal now, and if not which rule forbids it."""

    legal = fields.Boolean(required=True)
    version = fields.Integer(required=True)
    rule = fields.String(allow_none=True)
    detail = fields.String(allow_none=True)
    text = fields.String(allow_none=True, metadata={"description": "the text of the rule (Markdown)"})


class ReceiptSchema(Schema):
    """Proof that the move was accepted: the version and hash of its last event."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class MoveSchema(Schema):
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
    limit = QueryWhole(load_default=200, validate=validate.Range(1, 1000))
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
    """A house rule: its values, the default first (none listed: the rules describe them), and its ruling."""

    name = fields.String(required=True)
    values = fields.List(_any_json(), required=True)
    default = _any_json()
    ruling = fields.String(required=True)


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


class LevelSchema(Schema):
    """An AI player."""

    level = fields.String(required=True)
    player = fields.String(required=True)
    version = fields.Integer(required=True)
    budget = fields.Integer(required=True)
    description = fields.String(required=True)


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

    game = fields.String(validate=validate.Length(1, 40))


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
