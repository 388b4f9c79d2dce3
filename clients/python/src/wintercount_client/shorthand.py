"""What people say in short, as the API wants it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from wintercount_client import models, operations
from wintercount_client.calls import Call
from wintercount_client.models import Move, OpenDecision

FREE = ("me", "open")
Seat: TypeAlias = Literal["me", "open"] | models.LevelName | models.SeatRequest
Language: TypeAlias = Literal["en", "fr"]
MARK = 8  # letters of a hash that name a history
FEED_PAGE = 200  # batches, as many as the server gives at once


class FeedFilters(TypedDict, total=False):
    """What is told of the feed: batches of a game, of tables of a player, events of some types; with sentences."""

    game: models.GameName
    types: Sequence[str]
    player: str
    language: Language


class Seen(TypedDict):
    """A moment of a table, as its tables, events and receipts name it: the version with the hash of its event."""

    version: int
    hash: str


class NoDecision(Exception):
    """A move was to be played without naming a decision, and not exactly one is open to me."""


def opening(game: models.GameName, seats: Sequence[Seat], more: Mapping[str, Any]) -> Call[models.Table]:
    """The request that opens a table; what is None is left to the server."""
    body: Any = {"game": game, "seats": [seat_of(seat) for seat in seats]}
    return operations.open_table(body | {name: value for name, value in more.items() if value is not None})


def seat_of(seat: Seat) -> Any:
    """`me` and `open` are themselves; any other word is the level of an AI player."""
    if not isinstance(seat, str):
        return seat
    return {"kind": seat} if seat in FREE else {"kind": "ai", "level": seat}


def only_decision(moves: models.Moves) -> OpenDecision:
    """The one decision that is open to me; raises `NoDecision` if there are none or several."""
    open_now: Sequence[OpenDecision] = moves["decisions"]
    if len(open_now) != 1:
        raise NoDecision(f"{len(open_now)} decisions are open to me: name one of those in table.moves()")
    return open_now[0]


def playing(
    table: str, game: models.GameName, move: Move, decision: Mapping[str, Any], seen: Seen | None
) -> Call[models.Played]:
    """The request that answers a decision; its key is the decision's, so that a program that was killed plays once."""
    body: Any = {"game": game, "seat": decision["seat"], "decision": decision["id"], "move": move}
    expected = None if seen is None else f'"{seen["version"]}-{seen["hash"][:MARK]}"'
    return operations.play_move(table, body, idempotency_key=f"{table}-{decision['id']}", if_match=expected)


def checking(table: str, game: models.GameName, move: Move, seat: int) -> Call[models.Check]:
    """The request that asks whether a seat may play a move."""
    body: Any = {"game": game, "seat": seat, "move": move}
    return operations.check_move(table, body)


def feed_page(wanted: "FeedFilters", cursor: str | None = None, limit: int | None = None) -> Call[models.Feed]:
    """The request for a page of the feed behind a cursor."""
    kinds = ",".join(wanted.get("types", ())) or None
    return operations.read_feed(
        cursor=cursor,
        limit=limit,
        game=wanted.get("game"),
        type=kinds,
        player=wanted.get("player"),
        language=wanted.get("language"),
    )
