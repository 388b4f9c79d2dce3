"""Audits, archives, and tables adjudicated again."""

from typing import Any

from flask import Response, request

from events.log import VersionRange
from service.api.common import expensive_answer, expensive_reply, form_among, handler
from service.api.headers import ETAG, LINK, LOCATION
from service.api.media_types import BINARY, FILE, LINES, TEXT
from service.api.request_parsing import Blueprint
from service.api.schemas import audits as schemas
from service.api.schemas.tables import TableSchema
from service.api.tables import answer
from service.command_handler import Outcome
from service.errors import Refused
from service.limits.bodies import LARGEST_ARCHIVE
from service.limits.rates import QUESTIONS
from service.tables import archive_transfer

NOTATION = "text/plain"

blueprint = Blueprint("audits", __name__, url_prefix="/v1", description="Audit, archives, deciding again")


@blueprint.get("/tables/<table>/audit", query=schemas.AuditQuery, answer=schemas.AuditSchema)
@blueprint.contract("no_such_table contradictory", may="watch", counts=QUESTIONS)
def audit_table(query: dict[str, Any], table: str) -> Response:
    """Audit a table.

    Checks the hash chain, every commitment, every random draw and every decision again, and a branch against its
    parent, if the parent is kept here. Once the game is over, up to three AI moves are computed again (`ai_moves`).
    With the `version` and `hash` of a receipt it also says whether the log still holds that event.
    """
    if ("version" in query) != ("hash" in query):
        raise Refused("contradictory", "a receipt has a `version` and a `hash`")
    return expensive_reply("audit", table, **query)


@blueprint.get("/tables/<table>/moves/<int:version>/explanation", answer=schemas.ExplanationSchema)
@blueprint.contract("no_such_table no_such_version no_ai_move table_not_over", may="", counts=QUESTIONS)
def explain_move(table: str, version: int) -> Response:
    """Explain an AI move.

    Computes the move of this event again from the AI's view, feed and seed, once the game is over. Returns whether the
    AI chooses the recorded move again, and the moves that it weighed.
    """
    return expensive_reply("explanation", table, version=version)


@blueprint.get("/tables/<table>/archive", query=schemas.ArchiveQuery, answer=BINARY, content_type=LINES, headers=LINK)
@blueprint.alt_response(200, schema=BINARY, content_type=FILE, headers=LINK)
@blueprint.contract("no_such_table no_such_version", may="watch", counts=QUESTIONS)
def export_archive(query: dict[str, Any], table: str) -> Response:
    """Export a table as an archive.

    Returns a header, then an event a line, as the caller may read them. The archive of a finished game is complete and
    can be imported elsewhere; that of a running game hides secrets, and can be verified. A response has at most 2000
    events; `Link` with `rel="next"` leads to the rest, which is appended to it.
    """
    form = form_among(LINES, FILE)
    part, following = expensive_answer("archive", table, **query)
    headers = {"Content-Disposition": f'attachment; filename="{table}.ndjson"'}
    if following:
        address = f"/v1/tables/{table}/archive?after={following.after}&until={following.until}"
        headers["Link"] = f'<{address}>; rel="next"'
    return Response(part, mimetype=form, headers=headers)


@blueprint.get("/tables/<table>/notation", answer=TEXT, content_type=NOTATION)
@blueprint.contract("no_such_table", may="watch", transcripts=True, counts=QUESTIONS)
def export_notation(table: str) -> Response:
    """Export a table as notation.

    Returns a short text that people can read: a header, then a move a line. The notation of a finished game has all
    moves and all luck, and replays to the same result. While the game runs, it has the caller's own moves and `?` for
    the rest, with comments on what the caller saw. For a transcript it is the text that was loaded.
    """
    return Response(expensive_answer("notation", table).body, mimetype=NOTATION)


@blueprint.post("/archives", answer=TableSchema, status=201, headers=ETAG | LOCATION)
@blueprint.doc(requestBody={"required": True, "content": {FILE: {"schema": BINARY}}})
@blueprint.contract("archive_refused", needs="admin", takes=LARGEST_ARCHIVE)
def import_archive() -> Response:
    """Import an archive.

    It must be the complete archive of a finished game; importing it again changes nothing. It may also be sent as
    `application/x-ndjson`.
    """
    if request.mimetype not in (LINES, FILE):
        raise Refused("unsupported_media_type", f"send the archive as {' or '.join((LINES, FILE))}")
    request.max_content_length = LARGEST_ARCHIVE
    history = archive_transfer.import_archive(handler(), request.get_data(cache=False).splitlines(keepends=True))
    return answer(Outcome(history, VersionRange(history.table.version, history.table.version)), 201)


@blueprint.post(
    "/tables/<table>/readjudications", body=schemas.ReadjudicationRequest, answer=schemas.ReadjudicationSchema
)
@blueprint.contract("no_such_table not_allowed table_not_started option_refused", needs="watch", counts=QUESTIONS)
def readjudicate_table(body: dict[str, Any], table: str) -> Response:
    """Re-adjudicate a table.

    Plays the recorded moves again under other house rules. Returns where the outcome first differs and what would have
    followed; after that point everything is counterfactual, as the players decided in another situation. Nothing is
    stored.
    """
    return expensive_reply("readjudication", table, **body)
