"""Ranges of ratings, for which a table's open seats are."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.ranges import RatingRange
from service.api.strict import Truth, Whole
from service.tables.rating_ranges import MOST_RATING

RATINGS = (
    "between which ratings somebody may be who takes an open seat: by game and number of seats; null: whatever they are"
)
PROVISIONAL = "true: a provisional rating counts as it stands; false: it keeps out"


class RatingRangeSchema(Schema):
    """A range of ratings, in points. What somebody has who has not played yet is 1500, provisional."""

    least = Whole(load_default=None, allow_none=True, validate=validate.Range(0, MOST_RATING))
    most = Whole(load_default=None, allow_none=True, validate=validate.Range(0, MOST_RATING))
    provisional = Truth(load_default=True, metadata={"description": PROVISIONAL})

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        if not RatingRange(**data).is_whole:
            raise ValidationError("a range bounds something, and `least` is not above `most`", "least")


class ShownRatingRangeSchema(Schema):
    """A range of ratings, in points."""

    least = fields.Integer(required=True, allow_none=True)
    most = fields.Integer(required=True, allow_none=True)
    provisional = fields.Boolean(required=True, metadata={"description": PROVISIONAL})


def shown_ratings() -> fields.Field[Any]:
    """The range of ratings of a table, as it is shown."""
    return fields.Nested(ShownRatingRangeSchema, required=True, allow_none=True, metadata={"description": RATINGS})
