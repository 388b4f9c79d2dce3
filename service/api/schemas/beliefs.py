"""What a seat may believe of the cards that it does not see."""

from marshmallow import Schema, ValidationError, fields, validate

from games.beliefs import BATCHES
from service.api.schemas.parts import AT
from service.api.strict import QueryWhole

MOST_WORLDS, SEAT = 1000, "what this seat may believe: one's own by default; any when the game is over"


def _whole_batches(worlds: int) -> None:
    if worlds % BATCHES:
        raise ValidationError(f"must be a multiple of {BATCHES}")


class BeliefsQuery(Schema):
    """At which version, whose belief, and by how many worlds."""

    at = QueryWhole(metadata={"description": AT})
    seat = QueryWhole(validate=validate.Range(1, 8), metadata={"description": SEAT})
    worlds = QueryWhole(
        load_default=200,
        validate=[validate.Range(BATCHES, MOST_WORLDS), _whole_batches],
        metadata={"description": "how many worlds are imagined", "multipleOf": BATCHES},
    )


class LikelySchema(Schema):
    """A card that may lie in a place."""

    card = fields.String(
        required=True, metadata={"description": "its name; in Tomahawk what it shows, such as warrior-5-2"}
    )
    likelihood = fields.Float(required=True, metadata={"description": "that at least one lies there, from 0 to 1"})
    error = fields.Float(required=True, metadata={"description": "standard error of the likelihood"})
    expected = fields.Float(required=True, metadata={"description": "how many lie there on average"})


class HiddenPlaceSchema(Schema):
    """A place that the seat does not see into."""

    path = fields.String(required=True, metadata={"description": "JSON Pointer into `view`, such as /seats/1/hand"})
    cards = fields.List(fields.Nested(LikelySchema), required=True)


class BeliefsSchema(Schema):
    """Where each hidden card may lie and how likely, by imagined worlds."""

    table = fields.String(required=True)
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "null: a spectator"})
    worlds = fields.Integer(required=True)
    seed = fields.String(
        required=True, metadata={"description": "of the worlds (hexadecimal); it follows from the rest"}
    )
    places = fields.List(fields.Nested(HiddenPlaceSchema), required=True)
