"""Tables and seats: the lobby, opening, sitting down, and what becomes of a seat whose time is over."""

from typing import Any

from flask import Response, request

from events.lifecycle import Clock, SeatOffer
from events.times import millis, stamp
from projections import lobby
from projections.shelf import current
from projections.table import Table
from service.accounts import Caller, Player
from service.api.common import KEY_HEADER, caller, etag, house, idempotency_key, redis_log, reply, request_name, services
from service.api.schemas import (
    HandOverRequest,
    LobbyQuery,
    LobbySchema,
    OpeningRequest,
    SittingRequest,
    TableQuery,
    TableSchema,
    WaitRequest,
)
from service.api.strict import Blueprint
from service.errors import Refused
from service.house import Outcome
from service.tables import clocks, opening
from service.tables.reading import eyes_of, shown, table_at, table_for

blueprint = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables, seats and clocks")


@blueprint.get("")
@blueprint.arguments(LobbyQuery, location="query")
@blueprint.response(200, LobbySchema)
def get_tables(query: dict[str, Any]) -> Response:
    """The lobby: public tables of a status, or all tables of one's own."""
    shelf = current(redis_log(), lobby.NAME)
    if query["mine"] == "true":
        return reply({"tables": lobby.of_player(shelf, caller().needs("watch").id), "next": None})
    rows, cursor = lobby.page(shelf, query["status"], query.get("cursor"), query["limit"])
    return reply({"tables": rows, "next": cursor})


@blueprint.post("")
@blueprint.doc(parameters=[KEY_HEADER])
@blueprint.arguments(OpeningRequest)
@blueprint.response(201, TableSchema)
def post_tables(body: dict[str, Any]) -> Response:
    """Opens a table; the game begins as soon as every seat is taken."""
    asking = caller()
    player = asking.needs("play")
    named = request_name(player.id)
    name = services().accounts.derive("table", str(named.key)) if idempotency_key() else None
    outcome = opening.open_table(house(), player, _opening(body, player), named, name)
    return _answer(outcome, asking, 201)


def _opening(body: dict[str, Any], player: Player) -> opening.Opening:
    offers = tuple(_offer(number, seat, player) for number, seat in enumerate(body["seats"], 1))
    for known in {body["arbiter"], *(offer.player for offer in offers)} - {None, player.id}:
        if services().accounts.player(str(known)) is None:
            raise Refused("invalid", f"there is no player {known!r}")
    return opening.Opening(
        body["game"],
        offers,
        body["options"],
        body["visibility"],
        Clock(**body["clock"]) if body["clock"] else None,
        body["arbiter"],
        body["contribution"],
    )


def _offer(number: int, seat: dict[str, Any], player: Player) -> SeatOffer:
    if seat["kind"] == "me":
        return SeatOffer(number, "player", player.id)
    return SeatOffer(number, seat["kind"], seat.get("player"), seat.get("level"))


@blueprint.get("/<table>")
@blueprint.arguments(TableQuery, location="query")
@blueprint.response(200, TableSchema)
@blueprint.alt_response(304, description="the table is still at the version of If-None-Match")
def get_table(query: dict[str, Any], table: str) -> Response:
    """The table now, at a version or at a time, as the caller may see it."""
    if "at" in query and "at_time" in query:
        raise Refused("invalid", "give `at` or `at_time`, not both")
    asking = caller()
    history = table_for(house(), table, asking)
    eyes = eyes_of(history.table, asking, query.get("seat"))
    then = table_at(history, query.get("at"), _time(query.get("at_time")))
    tag = etag(then, eyes.seat)
    if request.headers.get("If-None-Match") == tag:
        return Response(status=304, headers={"ETag": tag})
    return reply(shown(then, eyes), ETag=tag, Cache_Control="private, no-cache")


def _time(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return stamp(millis(text.replace(" ", "+")))
    except (ValueError, OverflowError) as error:
        raise Refused("invalid", f"at_time: {error}") from None


@blueprint.post("/<table>/seats/<int:seat>")
@blueprint.doc(parameters=[KEY_HEADER])
@blueprint.arguments(SittingRequest)
@blueprint.response(200, TableSchema)
def post_seat(body: dict[str, Any], table: str, seat: int) -> Response:
    """Sits down, or gives the seat to an AI; with the last seat the game begins."""
    asking, player = _player_at(table)
    named = request_name(player.id)
    if "level" in body:
        if "contribution" in body:
            raise Refused("invalid", "an AI contributes nothing to the luck")
        return _answer(opening.seat_ai(house(), table, seat, player, named, body["level"]), asking)
    sat = opening.take_seat(house(), table, seat, player, named, body.get("contribution"))
    return _answer(sat, asking)


@blueprint.delete("/<table>/seats/<int:seat>")
@blueprint.doc(parameters=[KEY_HEADER])
@blueprint.response(200, TableSchema)
def delete_seat(table: str, seat: int) -> Response:
    """Gets up before the game has begun."""
    asking, player = _player_at(table)
    return _answer(opening.leave_seat(house(), table, seat, player, request_name(player.id)), asking)


@blueprint.post("/<table>/seats/<int:seat>/wait")
@blueprint.doc(parameters=[KEY_HEADER])
@blueprint.arguments(WaitRequest)
@blueprint.response(200, TableSchema)
def post_wait(body: dict[str, Any], table: str, seat: int) -> Response:
    """Grants more time to a seat whose clock has run out."""
    asking, player = _player_at(table)
    return _answer(clocks.wait(house(), table, seat, player, request_name(player.id), body["seconds"]), asking)


@blueprint.post("/<table>/seats/<int:seat>/handover")
@blueprint.doc(parameters=[KEY_HEADER])
@blueprint.arguments(HandOverRequest)
@blueprint.response(200, TableSchema)
def post_handover(body: dict[str, Any], table: str, seat: int) -> Response:
    """Hands a seat whose clock has run out to an AI."""
    asking, player = _player_at(table)
    return _answer(clocks.hand_over(house(), table, seat, player, request_name(player.id), body["level"]), asking)


def _player_at(table: str) -> tuple[Caller, Player]:
    asking = caller()
    player = asking.needs("play")
    table_for(house(), table, asking)
    return asking, player


def _answer(outcome: Outcome, asking: Caller, status: int = 200) -> Response:
    table: Table = outcome.table
    eyes = eyes_of(table, asking)
    location = {"Location": f"/v1/tables/{table.id}"} if status == 201 else {}  # noqa: PLR2004 - Created
    return reply(shown(table, eyes), status, ETag=etag(table, eyes.seat), **location)
