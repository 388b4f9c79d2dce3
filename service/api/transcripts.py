"""Transcripts: texts in notation, loaded as tables without proof."""

from typing import Any

import msgspec
from flask import Response, request

from rulings.notation.transcript import Transcript
from service.accounts.callers import Caller
from service.api.common import caller, expensive_answer, handler, in_good_standing, now, reply
from service.api.headers import LOCATION
from service.api.media_types import BINARY, FILE
from service.api.request_parsing import Blueprint
from service.api.schemas import transcripts as schemas
from service.errors import Refused
from service.limits.rates import QUESTIONS
from service.transcripts import Row

blueprint = Blueprint("transcripts", __name__, url_prefix="/v1/transcripts", description="Texts, read as tables")


@blueprint.post(
    "",
    query=schemas.TranscriptQuery,
    body=schemas.TranscriptRequest,
    answer=schemas.TranscriptSchema,
    status=201,
    headers=LOCATION,
)
@blueprint.doc(requestBody={"content": {FILE: {"schema": BINARY}}})
@blueprint.contract("contradictory notation_refused quota_reached account_suspended", needs="play", counts=QUESTIONS)
def load_transcript(query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Load a transcript.

    Replays a text in notation by the rules; `/v1/tables/{table}` then reads it like a table. Everything in it is
    visible. It counts nowhere, and cannot be played, disputed or audited. The same text gives the same transcript. The
    text may be the whole body, as `application/octet-stream` or as `text/plain` in UTF-8.
    """
    if query and request.mimetype == "application/json":
        raise Refused("contradictory", "who may see it stands in the body, which is JSON: leave the query out")
    row = _loaded(in_good_standing(), body["text"], query.get("visibility", body["visibility"]))
    return reply(row, 201, Location=f"/v1/tables/{row.id}")


def _loaded(asking: Caller, text: str, visibility: str) -> Row:
    """Returns the stored text; a new one is replayed first."""
    store, player = handler().transcripts.store, asking.needs("play").id
    table = store.name(player, visibility, text)
    if known := store.find(table):
        return known.row
    at = now()
    told = expensive_answer("transcript", table, text=text, visibility=visibility, at=at)
    return store.keep(msgspec.json.decode(told.body, type=Row), text)


@blueprint.get("", answer=schemas.TranscriptsSchema)
@blueprint.contract(needs="watch")
def list_transcripts() -> Response:
    """List transcripts. Returns the caller's own, newest first."""
    player = caller().needs("watch").id
    return reply({"transcripts": handler().transcripts.store.of_player(player)})


@blueprint.get("/<table>", answer=schemas.WholeTranscriptSchema)
@blueprint.contract("no_such_table", may="watch", transcripts=True)
def get_transcript(table: str) -> Response:
    """Get a transcript. Returns its text, lines and comments."""
    asked, found = handler().transcripts.read(table, caller())
    lines = [_line(found, number) for number in range(len(found.lines))]
    return reply(msgspec.to_builtins(asked.row) | {"text": asked.text, "told": lines})


def _line(found: Transcript, number: int) -> dict[str, Any]:
    line = found.lines[number]
    parent = None if line.parent is None else found.name(line.parent)
    return {
        "id": found.name(number),
        "parent": parent,
        "parent_version": None if line.parent is None else found.version(line.parent, line.after),
        "version": found.version(number),
        "comments": [{"version": found.version(number, after), "text": text} for after, text in line.comments],
    }


@blueprint.delete("/<table>", status=204, description="it is deleted")
@blueprint.contract("no_such_table", needs="play", transcripts=True)
def delete_transcript(table: str) -> None:
    """Delete a transcript. Deletes one of the caller's own, with all its lines."""
    asking, store = caller(), handler().transcripts.store
    player = asking.needs("play")
    found = next((row for row in store.of_player(player.id) if row.id == table), None)
    if found is None:
        raise Refused("no_such_table", f"you keep no transcript {table!r}")
    store.drop(found)
