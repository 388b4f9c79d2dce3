"""The events of a table: in pages, as lines, or as a stream that goes on."""

import re
from typing import Any

import msgspec
from flask import Response, request

from events.envelopes import START
from projections.history import TableHistory, head_of
from service.accounts.callers import Caller
from service.accounts.shown_names import Presenter
from service.api import table_requests
from service.api.common import asked_at, caller, form_among, handler, language, streamed, streamed_at_once
from service.api.headers import LAST_EVENT_ID, LINK, PLACE
from service.api.media_types import FRAMES, JSON, LINES, TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas.events import EventsQuery, EventsSchema
from service.api.table_requests import EventsPart, Reply
from service.errors import Refused
from service.streams.frames import LOST, TableSubscription, whole_stream
from service.tables.authorisation import authorise, viewer_of
from service.tables.table_documents import event_row

PLACED = re.compile(PLACE)

blueprint = Blueprint("events", __name__, url_prefix="/v1/tables", description="What happened at a table")


@blueprint.get("/<table>/events", query=EventsQuery, answer=EventsSchema, headers=LINK)
@blueprint.alt_response(200, schema=TEXT, content_type=LINES)
@blueprint.alt_response(200, schema=TEXT, content_type=FRAMES)
@blueprint.alt_response(204, description="text/event-stream only: the table is closed, and nothing is left to send")
@blueprint.contract(
    "no_such_table no_such_version account_suspended too_many_streams quota_reached",
    may="watch",
    headers=(LAST_EVENT_ID,),
    transcripts=True,
)
def list_events(query: dict[str, Any], table: str) -> Response | Reply:
    """List events.

    Returns the events of a table as the caller may read them: `application/json` is a page, `application/x-ndjson`
    everything after `after`. `text/event-stream` goes on until the table is closed, resumes with Last-Event-ID, and
    sends a comment every 15 seconds. It ends with a frame `end` whose `reason` is `table_closed`, `access_ended` or
    `log_damaged` (sent events are lost: read the table anew). A frame's `id` is the version and the
    beginning of its hash.
    """
    asking = caller()
    history = authorise(handler(), table, asking)
    form, (after, mark) = form_among(JSON, LINES, FRAMES), _after(query)
    if form == FRAMES and mark and not _has(history, after, mark):
        return streamed_at_once(LOST)
    if after > history.table.version:
        raise Refused("no_such_version", f"the table has the versions 1 to {history.table.version}")
    if form == FRAMES:
        return _stream(history, asking, after, query.get("language"))
    if form == LINES:
        return _lines(history, asking, after, query.get("language"))
    part = EventsPart(after, query["limit"], query.get("language"))
    return table_requests.list_events(asked_at(table), history, part, _presenter(part.language))


def _after(query: dict[str, Any]) -> tuple[int, str]:
    """Returns the client's version, and the beginning of its hash if given."""
    last = PLACED.fullmatch(request.headers.get("Last-Event-ID", ""))
    if "after" in query or last is None:
        return query.get("after", 0), ""
    return int(last["version"]), last["mark"] or ""


def _has(history: TableHistory, version: int, mark: str) -> bool:
    within = 1 <= version <= history.table.version
    return within and history.events[version - 1].hash.hex().startswith(mark)


def _lines(history: TableHistory, asking: Caller, after: int, language: str | None) -> Response:
    table, people = history.table, _presenter(language)
    viewer = viewer_of(table, asking)

    rows = (event_row(event, table, viewer, language, people) for event in history.events[after:])
    return Response(b"".join(msgspec.json.encode(row) + b"\n" for row in rows), mimetype=LINES)


def _presenter(chosen: str | None) -> Presenter:
    """Returns the presenter for the language of the sentences, else the caller's."""
    return handler().presenter(chosen or language())


def _stream(history: TableHistory, asking: Caller, after: int, language: str | None) -> Response:
    """Hands the stream to the server, which holds no thread for it; after its end there is nothing to resume."""
    if history.table.closed and after >= history.table.version:
        return Response(status=204)
    if history.table.transcribed:
        viewer = viewer_of(history.table, asking)
        return streamed_at_once(whole_stream(history, viewer, after, language, _presenter(language)))
    known = head_of(history.events[after - 1]) if after else START
    return streamed(TableSubscription(history.table.id, asking, after, language, known=known))
