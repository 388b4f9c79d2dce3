"""Time travel: what changed, what changed it, and branches of tables."""

from typing import Any

from marshmallow import fields, validate

from service.api.request_parsing import QuerySeat, QueryWhole, Whole
from service.api.schemas.opening import CONTRIBUTION, SEATS_MESSAGES, ClockSchema, DisputeRulesSchema, SeatRequest
from service.api.schemas.parts import (
    AT,
    EYES,
    ID,
    VISIBILITIES,
    Text,
    any_json,
    choice,
    house_rules,
    moment,
    nullable,
    schema,
    words,
)
from service.api.schemas.tables import BRANCH, ForkedFromSchema, LobbyRowSchema
from service.tables.opening import PARENT
from service.tables.time_travel import MOST_CHANGES

DiffQuery = schema("DiffQuery", "From which version to which, and with whose eyes.")(
    to=QueryWhole("default: the newest version"),
    seat=QuerySeat(EYES),
    first=QueryWhole("default: the version before", data_key="from"),
)


ChangeSchema = schema("Change", "What an event changed: a JSON Patch.", "version type rules")(patch=[dict])

DiffSchema = schema("Diff", "What changed between two versions of the table's document, event by event.", "table to")(
    changes=fields.List(fields.Nested(ChangeSchema), required=True, validate=validate.Length(max=MOST_CHANGES)),
    first=fields.Integer(data_key="from", required=True),
    next=(int | None, "from which version to ask for the rest; null: that is all"),
)


def _place() -> Any:
    return fields.String(
        required=True,
        validate=[validate.Length(0, 200), validate.Regexp(r"^(/([^~/]|~[01])*)*\Z")],
        metadata={"description": "JSON Pointer (RFC 6901) into the table's document, such as /scores/scores/0/total"},
    )


BlameQuery = schema("BlameQuery", "A place, and the version at which to look.")(
    path=_place(), at=QueryWhole(AT), seat=QuerySeat(EYES)
)

BlameSchema = schema(
    "Blame", "The event that last changed a place, and the rules by which it did.", "path version? type? rules"
)(
    at=int,
    value=any_json(),
    event=nullable("Event", "null: it lies further back, see `next`"),
    next=(int | None, "at which version to ask for the same place; null: the event is found"),
)

FindQuery = schema("FindQuery", "Which place, which value, from which version on.")(
    path=_place(),
    value=Text("a JSON value", required=True, validate=validate.Length(1, 2000), metadata={"example": "5"}),
    seat=QuerySeat(EYES),
    first=QueryWhole("from when on", data_key="from", load_default=1, validate=validate.Range(1, 999_999_999)),
)

FindSchema = schema(
    "Find",
    "The version at which it became so, with the event and the rules that made it so.",
    "table path version? type? rules",
)(at=moment(allow_none=True), next=(int | None, "from which version to look further; null: it is found"))

ForkRequest = schema("ForkRequest", "A branch to open: from which version on, and what shall be otherwise there.")(
    version=Whole("of the parent", required=True, validate=validate.Range(1)),
    options=house_rules("the house rules to change; those that shaped the set-up stay", load_default=dict),
    chance=choice(
        ("anew", "continued"), "anew: its own luck; continued: the parent's, once its game is over", load_default="anew"
    ),
    seats=fields.List(
        fields.Nested(SeatRequest),
        error_messages=SEATS_MESSAGES,
        load_default=None,
        validate=validate.Length(1, 8),
        metadata={"description": "in seat order; null: one's own seat for oneself, AI in all others"},
    ),
    visibility=choice(VISIBILITIES, "null: public if nothing speaks against it", load_default=None),
    clock=fields.Nested(ClockSchema, load_default=None, allow_none=True),
    arbiter=Text(load_default=None, validate=ID),
    disputes=fields.Nested(DisputeRulesSchema, load_default=None, allow_none=True),
    contribution=words(64, CONTRIBUTION, load_default=None),
)

ForksSchema = schema(
    "Forks",
    "Where a table comes from, and its own branches, the newest first; `next` is the cursor of the next page.",
    "table next?",
)(forked_from=(ForkedFromSchema | None, BRANCH), forks=[LobbyRowSchema])

ComparisonQuery = schema("ComparisonQuery", "With which table.")(
    other=Text(
        "the id of the other table", required=True, data_key="with", validate=validate.Regexp(rf"^({PARENT.pattern})\Z")
    )
)

CommonSchema = schema("Common", "The last moment that two branches have in common.", "table version")()

BranchSchema = schema("Branch", "What came of a branch.", "id game version status options")(
    forked_from=(ForkedFromSchema | None, BRANCH),
    events=(int, "the game's events since the branches parted"),
    scores=nullable("Scores", "as they stand, null before play begins"),
)

DifferenceSchema = schema("Difference", "The first event that is not the same in both branches.")(
    number=(int, "counted from where the branches part"),
    events=fields.List(
        nullable("Event", "the event in this fork; null: none yet"), required=True, validate=validate.Length(equal=2)
    ),
)

ComparisonSchema = schema("Comparison", "Two branches of one game beside each other, the one asked about first.")(
    common=CommonSchema,
    branches=fields.List(fields.Nested(BranchSchema), required=True, validate=validate.Length(equal=2)),
    first_difference=(DifferenceSchema | None, "null: they are equal"),
)
