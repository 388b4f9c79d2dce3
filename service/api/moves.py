"""Moves: played, listed and checked."""

import time
from typing import Any

from flask import Response, request

from games.kernel import MoveRefused
from projections.table import Table
from rulings.rulebook import rules
from service.accounts.callers import Caller
from service.api import table_requests
from service.api.common import admitted, asked_at, caller, handler, reply, services
from service.api.headers import ETAG, IF_MATCH, KEY_HEADER, PREFER_MINIMAL
from service.api.idempotency import APPENDED, named
from service.api.request_parsing import Blueprint
from service.api.schemas import tables as schemas
from service.api.table_requests import Reply, deciding, move_of, played, seconds_to_wait
from service.errors import Refused
from service.limits.rates import READS
from service.streams.frames import WAIT, Wait
from service.tables.authorisation import authorise, authorise_table, viewer_of
from service.tables.playing import check, check_game
from service.tables.time_travel import settled_at

blueprint = Blueprint("moves", __name__, url_prefix="/v1/tables", description="Decisions and moves")


@blueprint.get("/<table>/moves", answer=schemas.MovesSchema)
@blueprint.describes(schemas.MovesQuery, location="query")
@blueprint.contract("no_such_table too_many_streams quota_reached", needs="watch", transcripts=True)
def list_moves(table: str) -> Reply:
    """List legal moves. Returns the decisions that wait for the caller at this table, each with its legal moves.

    `wait`: answers when a decision waits for the caller, the game is over, or the time is up; counts as a stream.
    """
    asked = asked_at(table)
    history = authorise(handler(), table, asked.caller)
    seconds = seconds_to_wait(asked, history.table)
    if seconds and WAIT not in request.environ:  # the server holds the request, and asks again
        request.environ[WAIT] = Wait(asked.caller, table, time.monotonic() + seconds, admitted().address)
    return table_requests.list_moves(asked, history)


@blueprint.post("/<table>/moves", answer=schemas.PlayedSchema, headers=ETAG)
@blueprint.describes(schemas.MoveQuery, location="query")
@blueprint.describes(schemas.MoveRequest)
@blueprint.alt_response(204, description="played, as `Prefer: return=minimal` asked to be told", headers=ETAG)
@blueprint.contract(
    "no_such_table not_your_seat not_your_turn decision_closed table_not_started conflict version_mismatch",
    "move_refused no_such_seat table_finished table_paused dispute_open contradictory",
    needs="play",
    headers=(KEY_HEADER, IF_MATCH, PREFER_MINIMAL),
    counts=None,
)
def play_move(table: str) -> Reply:
    """Play a move.

    Returns the events that follow from it and, if the seat decides next, its view and legal moves, so that nothing has
    to be asked again.
    """
    asked, commands, environ = asked_at(table), handler(), request.environ
    move, name = move_of(asked), named(environ, asked.body, asked.caller.id)
    outcome = commands.change(table, deciding(move, asked.caller), name)
    if outcome.span.repeated and APPENDED not in request.environ:  # of repeats there is no end
        asking = admitted()
        services().rates.check(READS, asking.caller, asking.address)
    return played(asked, outcome, commands.presenter(asked.language))


@blueprint.post("/<table>/moves/check", body=schemas.CheckRequest, answer=schemas.CheckSchema)
@blueprint.contract(
    "no_such_table no_such_version not_your_seat table_not_started contradictory", needs="play", counts=READS
)
def check_move(body: dict[str, Any], table: str) -> Response:
    """Check a move.

    Returns whether a seat may make it now, or `at` a past version, and which rule forbids it; changes nothing. It takes
    the caller's own seat, or any once the game is over. An arbiter who looks through a seat may pass that seat, up to
    the disputed version. A version in the middle of what a move led to stands for the moment before that move.
    """
    asking = caller()
    history = authorise_table(handler(), table, asking)
    if "game" in body:
        check_game(history.table, body["game"])
    seat = _seat_to_check(history.table, asking, body.get("seat"), body["at"])
    then = history.table if body["at"] is None else settled_at(history, body["at"])
    if then.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")
    return reply(_checked(then, check(then, seat, body["move"])))


def _seat_to_check(table: Table, asking: Caller, seat: int | None, at: int | None) -> int:
    """Returns the seat, by default the caller's; raises `Refused` for one that the caller may not ask about."""
    own = table.seat_of(asking.id)
    if seat is None:
        seat = own
    if seat is not None and seat != own and 1 <= seat <= table.opened.players:
        viewer_of(table, asking, seat).check(at or table.version)
    elif seat is None or own is None:
        raise Refused("not_your_seat", "you have no seat at this table")
    return seat  # the game itself refuses one that does not exist


def _checked(then: Table, refusal: MoveRefused | None) -> dict[str, Any]:
    rule, detail = (refusal.rule, refusal.detail) if refusal else (None, None)
    known = rules(then.opened.game).get(rule or "")
    text = known and known.text
    return {"legal": refusal is None, "version": then.version, "rule": rule, "detail": detail, "text": text}
