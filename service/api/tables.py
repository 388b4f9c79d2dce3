"""Tables and seats: the lobby, opening, taking seats, and seats whose time is over."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any

from flask import Response

from events.lifecycle import DisputeRules, RatingRange, SeatOffer, TimeControl
from projections import lobby_queries, lobby_rows
from projections.lobby_rows import cursor_after
from projections.store import ProjectionStore, current
from projections.table import Table
from service.accounts.callers import Caller, Player
from service.api.common import (
    asked_at,
    caller,
    handler,
    in_good_standing,
    paged,
    presenter,
    redis_log,
    replayed,
    reply,
    services,
)
from service.api.finished_games import SCALES
from service.api.headers import ETAG, IF_NONE_MATCH, KEY_HEADER, LINK, LOCATION, etag
from service.api.idempotency import request_name, table_name
from service.api.opening_checks import (
    check_company,
    check_levels,
    check_sitting,
    invited_by,
    note_accepted,
    within_quota,
)
from service.api.request_parsing import Blueprint
from service.api.schemas.opening import HandOverRequest, OpeningRequest, SittingRequest, WaitRequest
from service.api.schemas.tables import LobbyQuery, LobbySchema, TableQuery, TableSchema
from service.api.table_requests import Reply, read_table, time_of
from service.command_handler import CommandContext, Outcome
from service.errors import Refused
from service.limits.quotas import seat_name
from service.tables import expired_clocks as clocks
from service.tables import opening
from service.tables.authorisation import authorise, authorise_table, viewer_of
from service.tables.opening import table_id
from service.tables.table_documents import present_table
from service.tables.table_lists import Read, TableFilter, held_by, is_open_to, listed, present_rows

CLOCK_REFUSALS = ("no_such_table", "no_such_seat", "not_allowed", "decision_closed", "decision_open", "conflict")

Listed = tuple[Read, TableFilter, int]  # how to read the rows of a list, which to show, and how many there are

blueprint = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables, seats and clocks")


@blueprint.get("", query=LobbyQuery, answer=LobbySchema, headers=LINK)
@blueprint.contract("scope_missing", may="watch")
def list_tables(query: dict[str, Any]) -> Response:
    """List tables.

    The lobby has public tables of a status; `mine` lists the caller's own (scope `watch`). Newest first.
    """
    store = current(redis_log(), lobby_rows.NAME)
    opened = lobby_queries.TimeRange(time_of(query.get("since"), "since"), time_of(query.get("until"), "until"))
    found = list_of_all if query["mine"] == "false" else list_of_mine
    read, wanted, total = found(store, query, opened)
    behind = [query["cursor"]] if "cursor" in query else []
    ends = [cursor_after(opened.until)] if opened.until else []
    part = lobby_queries.LobbyPage(min([*behind, *ends], default=None), query["limit"])
    rows, cursor = listed(_named(read), wanted, part)
    return paged({"tables": rows, "total": total, "next": cursor})


@blueprint.post("", body=OpeningRequest, answer=TableSchema, status=201, headers=ETAG | LOCATION)
@blueprint.contract(
    "no_such_game quota_reached opening_refused option_refused account_suspended not_allowed",
    needs="play",
    headers=(KEY_HEADER,),
)
def open_table(body: dict[str, Any]) -> Response:
    """Open a table. The game begins as soon as every seat is taken."""
    sent = sent_by(in_good_standing())

    def order() -> Outcome:
        fields = opening_fields(body, sent.player)
        with within_quota(sent, body["game"], fields["seats"]) as name:
            return opening.open_table(handler(), sent, opening.Opening(**fields), name)

    return opened(sent, order)


def opened(sent: CommandContext, order: Callable[[], Outcome]) -> Response:
    """Opens the table of a request; a repeat gets the table that it has opened, even if it would be refused now."""
    try:
        outcome = order()
    except Refused:
        before = handler().repeated(table_id(table_name(sent.request)), sent.request)
        if before is None:
            raise
        outcome = before
    return answer(outcome, 201)


def opening_fields(body: dict[str, Any], player: Player) -> dict[str, Any]:
    """Returns the parsed body; raises `Refused` if it names a player without an account."""
    seats = body["seats"] and tuple(_offer(number, seat, player) for number, seat in enumerate(body["seats"], 1))
    _check_named(player, body["arbiter"], [offer.player for offer in seats or () if offer.player])
    clock = TimeControl(**body["clock"]) if body["clock"] else None
    disputes = DisputeRules(**body["disputes"]) if body["disputes"] else None
    ratings = {"ratings": RatingRange(**body["ratings"])} if body.get("ratings") else {}
    return body | {"seats": seats, "clock": clock, "disputes": disputes} | ratings


def _check_named(player: Player, arbiter: str | None, kept_for: list[str]) -> None:
    """Raises `Refused` for nobody's id, and for people with whom the opener is not seated, wherever the opener sits."""
    others = sorted({name for name in (arbiter, *kept_for) if name} - {player.id})
    for known in others:
        if services().accounts.player(known) is None:
            raise Refused("opening_refused", f"there is no player {known!r}")
    check_company(player.id, others)


def _offer(number: int, seat: dict[str, Any], player: Player) -> SeatOffer:
    if seat["kind"] == "me":
        return SeatOffer(number, "player", player.id)
    return SeatOffer(number, seat["kind"], seat.get("player"), seat.get("level"))


@blueprint.get("/<table>", answer=TableSchema, headers=ETAG)
@blueprint.describes(TableQuery, location="query")
@blueprint.alt_response(304, description="what would be answered has the ETag of If-None-Match", headers=ETAG)
@blueprint.contract(
    "no_such_table no_such_version no_such_seat not_your_seat scope_missing contradictory",
    may="watch",
    headers=(IF_NONE_MATCH,),
    transcripts=True,
)
def get_table(table: str) -> Reply:
    """Get a table.

    Returns it now, at a version or at a time, as the caller may see it: by default through the caller's own seat. A
    version in the middle of a batch shows the table between the events of one move.
    """
    asked, commands = asked_at(table), handler()
    return read_table(asked, authorise(commands, table, asked.caller), commands.presenter(asked.language))


@blueprint.post("/<table>/seats/<int:seat>", body=SittingRequest, answer=TableSchema, headers=ETAG)
@blueprint.contract(
    "no_such_table no_such_seat opening_refused seat_kept seat_taken already_seated not_allowed rating_out_of_range",
    "no_such_invitation contradictory arbiter_not_named table_finished table_full conflict quota_reached",
    "account_suspended",
    needs="play",
    headers=(KEY_HEADER,),
)
def take_seat(body: dict[str, Any], table: str, seat: int) -> Response:
    """Take a seat.

    Seats the caller, or with `level` an AI; the game begins with the last seat. At a table with an arbiter, name the
    `arbiter` that `GET /v1/tables/{table}` returns: in a dispute that player may look at any hand. An open seat needs a
    rating in the table's range, or an invitation from the player who opened it.
    """
    in_good_standing()
    sent = sent_to(table)
    if body["kind"] == "ai":
        quota = services().quotas.reserved("tables", sent.caller, seat_name(table, seat), {"ai_seats": 1})
        is_repeat = handler().log.find_answer(table, str(sent.request.key))  # which gets the first answer
        with nullcontext() if is_repeat else quota:
            check_levels(game_of(table), [body["level"]])
            return answer(opening.seat_ai(handler(), table, sent, seat, body["level"]))
    sitting = opening.Sitting(body.get("contribution"), body.get("arbiter"))
    invited = invited_by(body.get("invitation"), table, seat)
    may_sit = partial(check_sitting, sent.player, seat, invited)
    outcome = opening.take_seat(handler(), table, sent, seat, sitting, check=may_sit)
    note_accepted(invited, sent.player)
    return answer(outcome)


@blueprint.delete("/<table>/seats/<int:seat>", answer=TableSchema, headers=ETAG)
@blueprint.contract("no_such_table not_your_seat table_started conflict", needs="play", headers=(KEY_HEADER,))
def leave_seat(table: str, seat: int) -> Response:
    """Leave a seat. Possible until the game begins; then resign."""
    return answer(opening.leave_seat(handler(), table, sent_to(table), seat))


@blueprint.post("/<table>/seats/<int:seat>/wait", body=WaitRequest, answer=TableSchema, headers=ETAG)
@blueprint.contract(*CLOCK_REFUSALS, "table_full", needs="play", headers=(KEY_HEADER,))
def grant_time(body: dict[str, Any], table: str, seat: int) -> Response:
    """Grant more time. The clock of the seat must have run out."""
    return answer(clocks.wait(handler(), table, sent_to(table), seat, body["seconds"]))


@blueprint.post("/<table>/seats/<int:seat>/handover", body=HandOverRequest, answer=TableSchema, headers=ETAG)
@blueprint.contract(*CLOCK_REFUSALS, "opening_refused", needs="play", headers=(KEY_HEADER,))
def hand_over_seat(body: dict[str, Any], table: str, seat: int) -> Response:
    """Hand a seat to an AI. The clock of the seat must have run out."""
    sent = sent_to(table)
    check_levels(game_of(table), [body["level"]])
    return answer(clocks.hand_over(handler(), table, sent, seat, body["level"]))


def game_of(table: str) -> str:
    """Returns the game of a table."""
    return handler().history(table).table.opened.game


def sent_by(asking: Caller) -> CommandContext:
    """Returns the request of a caller."""
    player = asking.needs()
    return CommandContext(player, request_name(player.id), asking.scopes)


def sent_to(table: str) -> CommandContext:
    """Returns the request about a table that the caller may see; raises `Refused`."""
    sent = sent_by(caller())
    authorise_table(handler(), table, sent.caller)
    return sent


def answer(outcome: Outcome, status: int = 200) -> Response:
    """Returns the table after the request, as the caller may see it."""
    table: Table = outcome.table
    viewer, names = viewer_of(table, caller()), presenter().names_at(table)
    headers = {"ETag": etag(table, viewer.seat, names)} | replayed(outcome.span.repeated)
    location = {"Location": f"/v1/tables/{table.id}"} if status == 201 else {}
    return reply(present_table(table, viewer, names), status, **headers, **location)


def list_of_all(store: ProjectionStore, query: dict[str, Any], opened: lobby_queries.TimeRange) -> Listed:
    """Returns the public tables of a status; raises `Refused`."""
    status = query.get("status", "open" if "open_to" in query else "running")
    wanted = TableFilter(query.get("game"), player=query.get("player"), since=opened.since, open_to=_open_to(query))
    return partial(lobby_queries.page, store, status), wanted, lobby_queries.count(store, status, opened)


def list_of_mine(store: ProjectionStore, query: dict[str, Any], opened: lobby_queries.TimeRange) -> Listed:
    """Returns the caller's tables, or those where a decision waits for them; raises `Refused`."""
    me, turn = caller().needs("watch").id, query["mine"] == "turn"
    wanted = TableFilter(
        query.get("game"), query.get("status"), query.get("player"), me if turn else None, opened.since, _open_to(query)
    )
    rows = lobby_queries.rows_seated if turn else lobby_queries.of_player
    return partial(rows, store, me), wanted, lobby_queries.count_of_player(store, me, opened)


def _named(read: Read) -> Read:
    """Returns the rows of a list, with the names of the people seated."""

    def named(part: lobby_queries.LobbyPage) -> tuple[list[dict[str, Any]], str | None]:
        rows, cursor = read(part)
        return present_rows(rows, presenter()), cursor

    return named


def _open_to(query: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], bool] | None:
    """Whether a row of the lobby is open to the caller, if the query asks for such rows; raises `Refused`."""
    if "open_to" not in query:
        return None
    me = caller().needs("watch").id
    held = held_by(redis_log(), me, SCALES)
    return partial(is_open_to, player=me, held=held)
