"""Clocks, as a table is opened with them and as they are shown; and what is asked for when one has run out."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.clocks import CLOCK_FIELDS, CLOCK_TIMES, DAY_S, LONGEST_S
from service.api.schemas.parts import StrictText, moment, one_of
from service.api.strict import Whole
from service.levels import LEVELS


class ClockSchema(Schema):
    """A clock: how long a person has. Each kind has its own fields, and no others."""

    kind = StrictText(
        required=True,
        validate=validate.OneOf(tuple(CLOCK_FIELDS)),
        metadata={
            "description": "decision: `decision_s` for each decision; days: so many `days` for each; fischer: a bank "
            "of `initial_s` for the game, which gains `increment_s` with each decision that is taken"
        },
    )
    decision_s = Whole(validate=validate.Range(5, LONGEST_S), metadata={"description": "seconds"})
    initial_s = Whole(validate=validate.Range(5, LONGEST_S), metadata={"description": "seconds"})
    increment_s = Whole(validate=validate.Range(0, DAY_S), metadata={"description": "seconds"})
    days = Whole(validate=validate.Range(1, LONGEST_S // DAY_S))

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for name in CLOCK_TIMES:
            if (name in data) != (name in CLOCK_FIELDS[data["kind"]]):
                needed = " and ".join(f"`{field}`" for field in sorted(CLOCK_FIELDS[data["kind"]]))
                raise ValidationError(f"a clock of the kind {data['kind']!r} has {needed}", name)


class ShownClockSchema(Schema):
    """A clock: how long a person has. The fields of its kind are there."""

    kind = one_of(tuple(CLOCK_FIELDS))
    decision_s = fields.Integer()
    initial_s = fields.Integer()
    increment_s = fields.Integer()
    days = fields.Integer()


class SeatClockSchema(Schema):
    """The clock of a seat that a person holds. It runs while the seat has to decide, unless a dispute pauses play."""

    used_ms = fields.Integer(
        required=True, metadata={"description": "used up to `running_since`, or in all if the clock stands still"}
    )
    bank_ms = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "what was left of a bank at `running_since`, or is; null: the table has no banks"},
    )
    running_since = moment(allow_none=True)
    deadline = moment(allow_none=True)


class HandOverRequest(Schema):
    """The AI that plays on."""

    level = StrictText(load_default="greedy", validate=validate.OneOf(tuple(LEVELS)))


class WaitRequest(Schema):
    """How much more time is granted, in seconds; by default as much as a decision has, or a bank at the beginning."""

    seconds = Whole(load_default=None, allow_none=True, validate=validate.Range(5, LONGEST_S))
