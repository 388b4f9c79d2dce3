"""Time travel: what changed, which event changed it, when something became so."""

from typing import Any

from flask import Response

from service.api.common import expensive_reply
from service.api.headers import LINK
from service.api.schemas.travel import BlameQuery, BlameSchema, DiffQuery, DiffSchema, FindQuery, FindSchema
from service.api.strict import Blueprint, strict_json
from service.errors import Refused

SEEN = ("no_such_table", "no_such_version", "no_such_seat", "not_your_seat", "scope_missing", "too_busy")

blueprint = Blueprint("travel", __name__, url_prefix="/v1/tables", description="Time travel")


@blueprint.get("/<table>/diff")
@blueprint.arguments(DiffQuery, location="query")
@blueprint.response(200, DiffSchema, headers=LINK)
@blueprint.contract("diffTable", *SEEN, caller="optional", scopes=("watch",), transcripts=True)
def get_diff(query: dict[str, Any], table: str) -> Response:
    """What changed between two versions, event by event.

    Each row is a JSON Patch (RFC 6902) with the event and the rules that caused it. Applied in order they lead from
    `GET /v1/tables/{table}?at=from` to `?at=to`. One answer tells at most 100 versions: if `next` is not null, the
    rest is asked for with it as `from`.
    """
    return expensive_reply("diff", table, "from", **query)


@blueprint.get("/<table>/blame")
@blueprint.arguments(BlameQuery, location="query")
@blueprint.response(200, BlameSchema, headers=LINK)
@blueprint.contract("blamePlace", *SEEN, "no_such_place", caller="optional", scopes=("watch",), transcripts=True)
def get_blame(query: dict[str, Any], table: str) -> Response:
    """The event that last changed a place (JSON Pointer, RFC 6901) of the table's document.

    One answer looks through 500 versions: if the place did not change in them, `next` is the version `at` which to ask
    for the same place, and what the event would be is null.
    """
    return expensive_reply("blame", table, "at", **query)


@blueprint.get("/<table>/find")
@blueprint.arguments(FindQuery, location="query")
@blueprint.response(200, FindSchema, headers=LINK)
@blueprint.contract("findMoment", *SEEN, "never_so", "not_json", caller="optional", scopes=("watch",), transcripts=True)
def get_find(query: dict[str, Any], table: str) -> Response:
    """The first version at which a place (JSON Pointer) of the table's document held a value.

    One answer looks through 500 versions: if it was not so in them, `next` is the version `from` which to look on, and
    what the event would be is null.
    """
    return expensive_reply("find", table, "from", **query | {"value": _value(query["value"])})


def _value(text: str) -> Any:
    try:
        return strict_json(text.encode())
    except Refused:
        raise Refused("not_json", '`value` is a JSON value: 5, true, null, "play"') from None
