"""Lists of tables: the lobby, and the decisions that wait for a player."""

from marshmallow import validate

from games import GAMES
from service.accounts.allowed_names import checked_text
from service.api.schemas.opening import AIDS, RATINGS
from service.api.schemas.parts import (
    STATUSES,
    STREAM,
    Name,
    PageQuery,
    Text,
    nullable,
    schema,
)
from service.api.schemas.tables import BRANCH, ForkedFromSchema, HeldSeatSchema

LobbyRowSchema = schema(
    "LobbyRow",
    "A table in the lobby.",
    "id game status visibility players options opened_at at version winners",
    aids=(bool, AIDS),
    ratings=nullable("TableRatingRange", RATINGS),
    forked_from=(ForkedFromSchema | None, BRANCH),
    opened_by=str,
    arbiter=str | None,
    seats=[HeldSeatSchema],
    to_act=[int],
)


TOTAL = (
    "how many tables all pages have, opened between `since` and `until`: public ones of the status, or all that "
    "concern the caller; other filters do not lower it"
)

LobbySchema = schema(
    "Lobby",
    "Tables, the newest first; `next` is the cursor of the next page, which may be there though this one is short.",
    "next?",
    tables=[LobbyRowSchema],
    total=(int, TOTAL),
)

LobbyQuery = schema(
    "LobbyQuery",
    "Which tables.",
    PageQuery,
    status=Text(
        "how far the tables are; left out: running, or every status of one's own", validate=validate.OneOf(STATUSES)
    ),
    mine=Text(
        "true: only tables that concern the caller; turn: only those at which the caller sits and has to decide",
        load_default="false",
        validate=validate.OneOf(("true", "false", "turn")),
    ),
    open_to=Text(
        "me: only tables at which the caller may take a free seat by what they ask of ratings; "
        "`status` is then open if it is left out",
        validate=validate.OneOf(("me",)),
    ),
    game=Text("only of this game", validate=validate.OneOf(tuple(GAMES))),
    player=Name(
        "only where this player sits: an id, or a part of a name",
        validate=[validate.Length(1, 40), checked_text],
    ),
    since=Text(
        "only opened at this time or later (RFC 3339)",
        validate=validate.Length(1, 40),
        metadata={"format": "date-time"},
    ),
    until=Text(
        "only opened before this time (RFC 3339)", validate=validate.Length(1, 40), metadata={"format": "date-time"}
    ),
)

WaitingSchema = schema(
    "Waiting", "A decision that waits for the caller.", "table game version id seat since deadline?", expired=bool
)

InboxQuery = schema("InboxQuery", "Which part of the decisions.", PageQuery, **STREAM)

InboxSchema = schema(
    "Inbox",
    "Decisions that wait for the caller, the oldest first; `next` is the cursor of the next page.",
    "next?",
    decisions=[WaitingSchema],
)
