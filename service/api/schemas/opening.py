"""What is asked for before a table runs: clocks, seats, rules, ratings and invitations."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.lifecycle import CLOCK_FIELDS, CLOCK_TIMES, DAY_S, LONGEST_S, MOST_RATING, RatingRange
from games import GAMES
from service.accounts.allowed_names import checked_name
from service.accounts.invitations import STATES
from service.api.request_parsing import Truth, Whole
from service.api.schemas.parts import ID, VISIBILITIES, Name, Text, choice, house_rules, moment, one_of, schema, words
from service.levels import LEVELS


class ClockSchema(Schema):
    """A clock: how long a person has. Each kind has its own fields, and no others."""

    kind = choice(
        CLOCK_FIELDS,
        "decision: `decision_s` for each decision; days: so many `days` for each; fischer: a bank "
        "of `initial_s` for the game, which gains `increment_s` with each decision that is taken",
        required=True,
    )
    decision_s = Whole("seconds", validate=validate.Range(5, LONGEST_S))
    initial_s = Whole("seconds", validate=validate.Range(5, LONGEST_S))
    increment_s = Whole("seconds", validate=validate.Range(0, DAY_S))
    days = Whole(validate=validate.Range(1, LONGEST_S // DAY_S))

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for name in CLOCK_TIMES:
            if (name in data) != (name in CLOCK_FIELDS[data["kind"]]):
                needed = " and ".join(f"`{field}`" for field in sorted(CLOCK_FIELDS[data["kind"]]))
                raise ValidationError(f"a clock of the kind {data['kind']!r} has {needed}", name)


SeatClockSchema = schema(
    "SeatClock",
    "The clock of a seat that a person holds. It runs while the seat has to decide, unless a dispute pauses play.",
    "deadline?",
)(
    used_ms=(int, "used up to `running_since`, or in all if the clock does not run"),
    bank_ms=(int | None, "what was left of a bank at `running_since`, or is; null: the table has no banks"),
    running_since=moment(allow_none=True),
)

HandOverRequest = schema("HandOverRequest", "The AI that plays on.")(level=choice(LEVELS, load_default="greedy"))

WaitRequest = schema(
    "WaitRequest",
    "How much more time is granted, in seconds; by default as much as a decision has, or a bank at the beginning.",
)(seconds=Whole(load_default=None, validate=validate.Range(5, LONGEST_S)))


RATINGS = "the range of ratings, in this game with so many seats, that may take an open seat; null: any"
PROVISIONAL = "true: a provisional rating counts like any other; false: it is refused"


class RatingRangeSchema(Schema):
    """A range of ratings, in points. A new player has 1500, provisional."""

    least = Whole(load_default=None, validate=validate.Range(0, MOST_RATING))
    most = Whole(load_default=None, validate=validate.Range(0, MOST_RATING))
    provisional = Truth(PROVISIONAL, load_default=True)

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        if not RatingRange(**data).is_whole:
            raise ValidationError("a range bounds something, and `least` is not above `most`", "least")


SEAT = 'A seat is an object, such as {"kind": "me"}, {"kind": "open"} or {"kind": "ai", "level": "greedy"}.'
SEATS = f"A list with as many seats as the table is to have. {SEAT}".replace("{", "{{").replace("}", "}}")  # a format
SEATS_MESSAGES: dict[str, str | list[Any] | dict[Any, Any]] = {"required": SEATS, "invalid": SEATS}
NEEDED = (("player", "player", "the id of a player"), ("ai", "level", f"one of {', '.join(LEVELS)}"))


class SeatRequest(Schema):
    """What a seat is meant for."""

    error_messages = {"type": SEAT}  # noqa: RUF012 - marshmallow's own form

    kind = choice(
        ("me", "open", "player", "ai"),
        "me: the opener; open: anybody; player: kept for one player; ai: an AI",
        required=True,
    )
    player = Text("with kind player: the player for whom the seat is kept", validate=ID)
    level = choice(LEVELS, "with kind ai: its level")

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        for kind, name, what in NEEDED:
            if data["kind"] == kind and name not in data:
                raise ValidationError(f"a seat of kind {kind!r} needs it: {what}", name)
            if data["kind"] != kind and name in data:
                raise ValidationError(f"a seat of kind {kind!r} alone has it", name)


DisputeRulesSchema = schema("DisputeRules", "How rulings may be disputed.")(
    by=choice(("arbiter", "vote"), "who decides: the arbiter, or the persons seated by vote", load_default="arbiter"),
    play=choice(("pauses", "goes_on"), "what play does while a dispute is open", load_default="pauses"),
    window_s=Whole(
        "how long after a ruling it may be disputed, in seconds",
        load_default=3600,
        validate=validate.Range(1, LONGEST_S),
    ),
    answer_s=Whole(
        "seconds after which the ruling stands if nobody decides",
        load_default=86400,
        validate=validate.Range(1, LONGEST_S),
    ),
)


ARBITER = "the table's arbiter, to whom the player agrees; null or left out without one"
RATED = (
    "whether the result is to count in ratings; left out: at a public table as it counts in the "
    "standings, at a private one never"
)
AIDS = "whether seats may ask, while the game runs, what they may believe about cards that they do not see"
CONTRIBUTION = "mixed into the table's luck, so that nobody alone settles it"


OpeningRequest = schema("OpeningRequest", "A table to open: seats in seat order, seat 1 first.")(
    game=Text(required=True, validate=validate.Length(1, 40), metadata={"enum": list(GAMES)}),
    seats=fields.List(
        fields.Nested(SeatRequest), required=True, validate=validate.Length(1, 8), error_messages=SEATS_MESSAGES
    ),
    options=house_rules("house rules by name", load_default=dict),
    visibility=choice(VISIBILITIES, load_default="public"),
    clock=fields.Nested(ClockSchema, load_default=None, allow_none=True),
    arbiter=Text(load_default=None, validate=ID),
    disputes=fields.Nested(
        DisputeRulesSchema, load_default=None, metadata={"description": "null: rulings cannot be disputed"}
    ),
    contribution=words(64, CONTRIBUTION, load_default=None),
    rated=Truth(RATED, load_default=None),
    aids=Truth(AIDS, load_default=False),
    ratings=fields.Nested(RatingRangeSchema, load_default=None, metadata={"description": RATINGS}),
)


class SittingRequest(Schema):
    """Who sits down: the caller, or an AI."""

    kind = choice(("me", "ai"), "me: the caller; ai", load_default="me")
    level = choice(LEVELS, "with kind ai: its level")
    contribution = words(64, CONTRIBUTION, required=False)
    arbiter = Text(ARBITER, allow_none=True, validate=ID)
    invitation = Text("the id of an invitation; the opener's admits any rating", validate=ID)

    @validates_schema
    def _fits(self, data: dict[str, Any], **_: Any) -> None:
        if (data["kind"] == "ai") != ("level" in data):
            raise ValidationError("an AI has a level, and nobody else", "level")
        for name in {"contribution", "arbiter", "invitation"} & data.keys():
            if data["kind"] == "ai":
                raise ValidationError("not for an AI", name)


InvitationRequest = schema(
    "InvitationRequest", "Who is invited, as the one who invites calls them, and to which seat."
)(
    name=Name(required=True, validate=[validate.Length(1, 40), checked_name], metadata={"example": "Bea"}),
    seat=Whole(load_default=None, validate=validate.Range(1, 8)),
)

InvitationSchema = schema("Invitation", "An invitation and its state.", "table at")(
    id=(str, "the page has it at `#/invitation/ID`"),
    seat=(int | None, "null: whichever is free"),
    by=(str, "the player who invites"),
    by_name=str | None,
    name=(str, "who is invited"),
    state=one_of(STATES),
    answered_at=moment(allow_none=True),
    player=(str | None, "the player who has accepted"),
)

InvitationsSchema = schema("Invitations", "The invitations of the caller to a table, the first one first.")(
    invitations=[InvitationSchema]
)

AnswerRequest = schema("AnswerRequest", "What becomes of an invitation.")(
    state=choice(
        STATES[1:],
        "`accepted` once you have sat down at the table; anyone with the link may set the others",
        required=True,
    )
)
