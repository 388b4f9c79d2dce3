"""Rulings: those of a table, and a game's register of rulings and cases."""

from typing import Any

from marshmallow import Schema, fields

from service.api.schemas.parts import any_json, game_name, moment


class RuleOptionSchema(Schema):
    """A house rule that a ruling allows: what is in force, and what a table may choose."""

    option = fields.String(required=True)
    in_force = any_json()
    values = fields.List(any_json(), required=True)


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
    at = moment()
    figures = fields.Dict(required=True, metadata={"description": "the event's payload"})
    words = fields.String(required=True)
    rules = fields.List(fields.Nested(AppliedRuleSchema), required=True)


class RulingsSchema(Schema):
    """The rulings of a table, in order."""

    version = fields.Integer(required=True)
    rulings = fields.List(fields.Nested(RulingSchema), required=True)


def _any_json(description: str) -> Any:
    return fields.Raw(metadata={"description": description})


def _texts(description: str) -> Any:
    return fields.List(fields.String(), required=True, metadata={"description": description})


def _house_rules() -> Any:
    return fields.Dict(required=True, metadata={"description": "house rules by name; defaults are left out"})


class ActSchema(Schema):
    """A seat's move."""

    seat = fields.Integer(required=True)
    move = _any_json("as it is sent")


class GivenSchema(Schema):
    """A moment of a game. What is drawn lies in its order, but for what `luck` puts first."""

    players = fields.Integer(required=True)
    options = _house_rules()
    luck = fields.Dict(
        required=True, metadata={"description": "by kind of draw: what comes first in one after the other"}
    )
    state = fields.Dict(
        required=True,
        metadata={"description": "what is otherwise than when the game began, by JSON Pointer into the game's state"},
    )
    moves = fields.List(fields.Nested(ActSchema), required=True, metadata={"description": "taken from there on"})


class HappenedSchema(Schema):
    """An event with the fields that matter."""

    type = fields.String(required=True)
    payload = fields.Dict(required=True)
    readers = fields.Dict(
        required=True, allow_none=True, metadata={"description": "who alone may read which field, if that matters"}
    )


class SeenSchema(Schema):
    """What a seat sees afterwards at a place of its view; without `value` there is nothing at that place."""

    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "null: a spectator"})
    place = fields.String(required=True, metadata={"description": "a JSON Pointer"})
    value = _any_json("what is there")


class OutcomeSchema(Schema):
    """What follows under these house rules: the rule that refuses the move, or events.

    Of the types of events that are named these are all that happen; of those in `without` none does.
    """

    says = fields.String(required=True)
    options = _house_rules()
    refused = fields.String(required=True, allow_none=True)
    events = fields.List(fields.Nested(HappenedSchema), required=True)
    without = _texts("types of events")
    seen = fields.List(fields.Nested(SeenSchema), required=True)


class CaseDisputeSchema(Schema):
    """The dispute that a case comes from."""

    version = fields.Integer(required=True, metadata={"description": "of the ruling, at its table"})
    outcome = fields.String(required=True)
    by = fields.String(required=True)


class CaseSchema(Schema):
    """A case that is played whenever the service is tested."""

    case = fields.String(required=True)
    title = fields.String(required=True)
    dispute = fields.Nested(CaseDisputeSchema, required=True, allow_none=True)
    given = fields.Nested(GivenSchema, required=True)
    when = fields.Nested(ActSchema, required=True, allow_none=True, metadata={"description": "null: the game begins"})
    then = fields.List(fields.Nested(OutcomeSchema), required=True)


class TakesSchema(Schema):
    """What follows in a case."""

    case = fields.String(required=True)
    title = fields.String(required=True)
    says = fields.String(required=True)


class ChoiceSchema(Schema):
    """A value of a house rule, and what follows from it in each case."""

    option = fields.String(required=True)
    value = _any_json("of the house rule")
    default = fields.Boolean(required=True)
    takes = fields.List(fields.Nested(TakesSchema), required=True)


class RegisteredRulingSchema(Schema):
    """A ruling: what was unclear, what holds by default and why, what a table may choose. Or another rule, disputed."""

    id = fields.String(required=True)
    question = fields.String(required=True, metadata={"description": "Markdown"})
    default = fields.String(required=True, metadata={"description": "Markdown"})
    alternatives = fields.String(required=True, metadata={"description": "Markdown; empty if there are none"})
    choices = fields.List(fields.Nested(ChoiceSchema), required=True)
    cases = fields.List(fields.Nested(CaseSchema), required=True)


class RegisterSchema(Schema):
    """The register of rulings of a game."""

    game = game_name()
    rulings = fields.List(fields.Nested(RegisteredRulingSchema), required=True)


class TellingSchema(Schema):
    """What happened: in a sentence, and of a decision how it came about and the rules applied."""

    type = fields.String(required=True)
    words = fields.String(required=True)
    explanation = fields.String(required=True, allow_none=True)
    rules = fields.List(fields.String(), required=True)


class MomentSchema(Schema):
    """A moment of a case: the move that led to it (null: how it begins), what happened, and the whole table then."""

    seat = fields.Integer(required=True, allow_none=True)
    move = _any_json("as it is sent, or null")
    words = fields.String(required=True, allow_none=True, metadata={"description": "the move, in words"})
    happened = fields.List(fields.Nested(TellingSchema), required=True)
    view = fields.Dict(required=True, metadata={"description": "with everything laid open"})


class ShownOutcomeSchema(Schema):
    """A reading of a case as it is played; `refused` is the rule that forbids the last move."""

    says = fields.String(required=True)
    options = _house_rules()
    refused = fields.String(required=True, allow_none=True)
    moments = fields.List(fields.Nested(MomentSchema), required=True)


class ShownCaseSchema(Schema):
    """A case as people watch it."""

    game = fields.String(required=True)
    case = fields.String(required=True)
    title = fields.String(required=True)
    rule = fields.String(required=True)
    outcomes = fields.List(fields.Nested(ShownOutcomeSchema), required=True)
