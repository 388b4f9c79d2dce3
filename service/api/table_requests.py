"""What players and bots ask for most, as plain functions from a request to an answer: the table, its moves, a move.

Both lanes call them, Flask and the event loop; they know neither, and ask no store. They raise `Refused`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET, Meta, UnsetType
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_dict_header

from events.envelopes import Recorded
from events.times import millis, stamp
from projections.history import TableHistory
from projections.table import Table
from rulings.sentences import LANGUAGES
from service.accounts.callers import Caller
from service.accounts.shown_names import PLAIN, Presenter
from service.api.headers import REPLAYED, etag, expected, held
from service.api.media_types import JSON
from service.api.request_parsing import MAX_INTEGER, body_of, load, query_of
from service.api.schemas.events import EventsQuery
from service.api.schemas.tables import MoveQuery, MoveRequest, MovesQuery, TableQuery
from service.command_handler import Decision, Outcome
from service.errors import Refused
from service.tables.authorisation import Viewer, may_see, viewer_of
from service.tables.playing import OWN_SEAT, Play, by_person
from service.tables.table_documents import (
    OF_PEOPLE,
    ends_wait,
    event_rows,
    open_decisions,
    present_table,
    view_of,
    waiting_for,
)
from service.tables.time_travel import table_at

TYPE = ("Content-Type", JSON)
CACHE = ("Cache-Control", "private, no-cache")
BY_LANGUAGE = ("Vary", "Accept-Language")
TABLE_QUERY, MOVE, MOVE_QUERY, MOVES_QUERY = TableQuery(), MoveRequest(), MoveQuery(), MovesQuery()
EVENTS_QUERY, MOST_LATEST = EventsQuery(), 64  # events that are listed at once
ORDINARY, MOST_NESTED = 1024, 16  # bytes and brackets of a body that is read at once
ODD = re.compile(rb"\\|[0-9]{16}")  # what JSON readers may take differently


class Asked(NamedTuple):
    """A request at a table, parsed once by either lane."""

    table: str
    caller: Caller
    language: str
    query: Mapping[str, str]
    body: bytes
    media_type: str
    if_match: str | None
    if_none_match: str | None
    prefer: str | None


def asked_in(environ: Mapping[str, Any], table: str, caller: Caller, body: bytes) -> Asked:
    """Returns the request in a WSGI environment; raises `Refused` for an ambiguous query."""
    header = environ.get
    return Asked(
        table,
        caller,
        language_of(header("HTTP_ACCEPT_LANGUAGE")),
        query_of(environ["QUERY_STRING"]),
        body,
        header("CONTENT_TYPE", "").partition(";")[0].strip().lower(),
        header("HTTP_IF_MATCH"),
        header("HTTP_IF_NONE_MATCH"),
        header("HTTP_PREFER"),
    )


@lru_cache(1024)
def language_of(accepted: str | None) -> str:
    """Returns the language that an Accept-Language header prefers among ours."""
    return parse_accept_header(accepted, LanguageAccept).best_match(LANGUAGES, default="en") or "en"


class Reply(NamedTuple):
    """An answer: its status, its headers beside those of every answer, and its body."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a move, as `MoveRequest` describes it."""

    move: Any
    game: Annotated[str, Meta(min_length=1, max_length=40)] | UnsetType = UNSET
    seat: Annotated[int, Meta(gt=-MAX_INTEGER, lt=MAX_INTEGER)] | UnsetType = UNSET
    decision: Annotated[str, Meta(min_length=1, max_length=40)] | UnsetType = UNSET


def read_table(asked: Asked, history: TableHistory, presenter: Presenter) -> Reply:
    """Returns the table now, at a version or at a time, as the caller may see it."""
    _check_seen(history.table, asked.caller)
    query: dict[str, Any] = load(TABLE_QUERY, "query", asked.query) if asked.query else {}
    if "at" in query and "at_time" in query:
        raise Refused("contradictory", "give `at` or `at_time`, not both")
    viewer = viewer_of(history.table, asked.caller, query.get("seat"))
    then = table_at(history, query.get("at"), time_of(query.get("at_time"), "at_time"))
    viewer.check(then.version)
    names = presenter.names_at(then)
    tag = etag(then, viewer.seat, names, everything=viewer.everything)
    if known := held(asked.if_none_match, tag):
        return Reply(304, [("ETag", known), CACHE, BY_LANGUAGE])
    return Reply(
        200, [TYPE, ("ETag", tag), CACHE, BY_LANGUAGE], msgspec.json.encode(present_table(then, viewer, names))
    )


def list_moves(asked: Asked, history: TableHistory) -> Reply:
    """Returns the open decisions of the caller at the table, with the legal moves of each."""
    player, now = asked.caller.needs("watch"), history.table
    _check_seen(now, asked.caller)
    decisions = open_decisions(now, now.seat_of(player.id))
    body = {
        "game": now.opened.game,
        "version": now.version,
        "status": now.status,
        "decisions": decisions,
        "waiting_for": waiting_for(now),
    }
    return Reply(200, [TYPE], msgspec.json.encode(body))


class EventsPart(NamedTuple):
    """The events to list: those after a version, at most so many, with sentences in a language if one is chosen."""

    after: int
    limit: int
    language: str | None = None


def list_events(asked: Asked, history: TableHistory, part: EventsPart, presenter: Presenter) -> Reply:
    """Returns a page of events as the caller may read them."""
    table, end = history.table, part.after + part.limit
    _check_seen(table, asked.caller)
    rows = event_rows(history.events[part.after : end], table, viewer_of(table, asked.caller), part.language, presenter)
    following = end if end < table.version else None
    body = {"table": table.id, "version": table.version, "events": rows, "next": following}
    link = link_to(f"/v1/tables/{asked.table}/events", asked.query, {"after": following}) if following else {}
    return Reply(200, [TYPE, *link.items()], msgspec.json.encode(body))


def list_latest(asked: Asked, history: TableHistory) -> Reply | None:
    """Returns the events after the version in the query; None if they are many, or sentences or names are needed."""
    query = load(EVENTS_QUERY, "query", asked.query)
    part = EventsPart(query.get("after", 0), query["limit"])
    latest = history.events[part.after :]
    is_known = part.after <= history.table.version and OF_PEOPLE.isdisjoint(event.envelope.type for event in latest)
    if not is_known or len(latest) > MOST_LATEST or "language" in query:
        return None
    return list_events(asked, history, part, PLAIN)


def link_to(path: str, query: Mapping[str, str], following: Mapping[str, Any]) -> dict[str, str]:
    """Returns the `Link` header to the next page."""
    return {"Link": f'<{path}?{urlencode({**query, **following})}>; rel="next"'}


def seconds_to_wait(asked: Asked, table: Table) -> int:
    """Returns how long to wait for a decision of the caller: 0 if one is open, or none will come; raises `Refused`."""
    seconds: int = load(MOVES_QUERY, "query", asked.query).get("wait", 0) if asked.query else 0
    return 0 if ends_wait(table, asked.caller) else seconds


def move_of(asked: Asked) -> Play:
    """Returns the move in a request; raises `Refused` for an unknown query."""
    if asked.query:
        load(MOVE_QUERY, "query", asked.query)
    body = _ordinary(asked.body) if asked.media_type == JSON else None
    read = body or Move(**load(MOVE, "json", body_of(asked.body, asked.media_type)))
    seat = OWN_SEAT if read.seat is UNSET else read.seat
    decision = None if read.decision is UNSET else read.decision
    game = None if read.game is UNSET else read.game
    return Play(seat, read.move, decision, expected(asked.if_match), game)


def _ordinary(body: bytes) -> Move | None:
    """The move in an ordinary body; None for one that has to be looked at closely, or may not fit.

    What is written as it was read has no name twice.
    """
    if len(body) > ORDINARY or ODD.search(body) or body.count(b"[") + body.count(b"{") > MOST_NESTED:
        return None
    try:
        value = msgspec.json.decode(body)
        if msgspec.json.encode(value) != msgspec.json.format(body, indent=-1):
            return None
        return msgspec.convert(value, Move)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def deciding(asked: Play, caller: Caller) -> Callable[[TableHistory], Decision]:
    """Returns the function that decides the caller's move."""
    decide = by_person(asked, caller.needs("play").id)

    def decide_seen(history: TableHistory) -> Decision:
        _check_seen(history.table, caller)
        return decide(history)

    return decide_seen


def played(asked: Asked, outcome: Outcome, presenter: Presenter) -> Reply:
    """What the caller's move led to, and what their seat needs to decide next; the whole table if it was asked for."""
    table, (first, last, _) = outcome.table, outcome.span
    seat = table.seat_of(asked.caller.id)
    names = presenter.names_at(table)
    tag = ("ETag", etag(table, seat, names))
    headers = [tag, BY_LANGUAGE, (REPLAYED, "true")] if outcome.span.repeated else [tag, BY_LANGUAGE]
    if asked.prefer and parse_dict_header(asked.prefer).get("return") == "minimal":
        return Reply(204, [("Preference-Applied", "return=minimal"), *headers])
    viewer, events = Viewer(seat, table.over), outcome.history.events[first - 1 : last]
    decisions = open_decisions(table, seat)
    whole = "include" in asked.query
    answer = {
        "game": table.opened.game,
        "version": table.version,
        "status": table.status,
        "events": event_rows(events, table, viewer, asked.language if whole else None, presenter),
        "view": view_of(table, viewer) if decisions else None,
        "decisions": decisions,
        "receipt": receipt(table, events[-1]),
    }
    if whole:
        answer["table"] = present_table(table, viewer, names)
    return Reply(200, [TYPE, *headers], msgspec.json.encode(answer))


def receipt(table: Table, event: Recorded) -> dict[str, Any]:
    """Returns the receipt of an event: proof that the log holds it."""
    return {"table": table.id, "version": event.version, "hash": event.hash.hex()}


def _check_seen(table: Table, caller: Caller) -> None:
    """Raises `Refused` for a table that does not exist for the caller; who may read a transcript is checked with it."""
    if not (table.transcribed or may_see(table, caller)):
        raise Refused("no_such_table", f"there is no table {table.id!r}")


EPOCH = date(1970, 1, 1).toordinal()
PLUS = re.compile(r" (?=\d\d:\d\d$)")  # of an offset, in a query that does not escape it


def time_of(text: str | None, name: str) -> str | None:
    """Returns a time as it is recorded, None without one; raises `Refused` for an invalid time."""
    if text is None:
        return None
    try:
        return stamp(millis(PLUS.sub("+", text)))
    except (ValueError, OverflowError) as error:
        raise Refused("invalid", f"{name}: {error}") from None


def day_of(day: int | None) -> str | None:
    """Returns the date of a day counted from 1970."""
    return None if day is None else date.fromordinal(EPOCH + day).isoformat()
