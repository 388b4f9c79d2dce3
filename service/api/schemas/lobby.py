"""Lists of tables: the lobby, and the decisions that wait for a player."""

from marshmallow import validate

from games import GAMES
from service.accounts.allowed_names import checked_text
from service.api.schemas.opening import AIDS, RATINGS
from service.api.schemas.parts import STATUSES, STREAM, Name, PageQuery, choice, nullable, schema, when
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
    status=choice(STATUSES, "how far the tables are; left out: running, or every status of one's own"),
    mine=choice(
        ("true", "false", "turn"),
        "true: only tables that concern the caller; turn: only those at which the caller sits and has to decide",
        load_default="false",
    ),
    open_to=choice(
        ("me",),
        "me: only tables at which the caller may take a free seat by what they ask of ratings; "
        "`status` is then open if it is left out",
    ),
    game=choice(GAMES, "only of this game"),
    player=Name(
        "only where this player sits: an id, or a part of a name",
        validate=[validate.Length(1, 40), checked_text],
    ),
    since=when("only opened at this time or later"),
    until=when("only opened before this time"),
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
