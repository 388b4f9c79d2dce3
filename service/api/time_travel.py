"""Time travel: what changed between versions, which event changed it, and when a place had a value."""

from typing import Any

from flask import Response

from service.api.common import expensive_reply
from service.api.headers import LINK
from service.api.request_parsing import Blueprint, strict_json
from service.api.schemas.time_travel import BlameQuery, BlameSchema, DiffQuery, DiffSchema, FindQuery, FindSchema
from service.errors import Refused
from service.limits.rates import QUESTIONS

SEEN = ("no_such_table", "no_such_version", "no_such_seat", "not_your_seat", "scope_missing")

blueprint = Blueprint("travel", __name__, url_prefix="/v1/tables", description="Time travel")


@blueprint.get("/<table>/diff", query=DiffQuery, answer=DiffSchema, headers=LINK)
@blueprint.contract(*SEEN, may="watch", transcripts=True, counts=QUESTIONS)
def diff_table(query: dict[str, Any], table: str) -> Response:
    """Compare two versions.

    Returns, event by event, a JSON Patch (RFC 6902) with the event and rules that caused it. Applied in order they lead
    from `GET /v1/tables/{table}?at=from` to `?at=to`. A response covers at most 100 versions: if `next` is not null,
    pass it as `from` to get the rest.
    """
    return expensive_reply("diff", table, "from", **query)


@blueprint.get("/<table>/blame", query=BlameQuery, answer=BlameSchema, headers=LINK)
@blueprint.contract(*SEEN, "no_such_place", may="watch", transcripts=True, counts=QUESTIONS)
def blame_place(query: dict[str, Any], table: str) -> Response:
    """Find the last change of a place.

    Returns the event that last changed a place (JSON Pointer, RFC 6901) in the table's document. A request searches 500
    versions: if the place did not change in them, the event is null and `next` is the version to pass as `at`.
    """
    return expensive_reply("blame", table, "at", **query)


@blueprint.get("/<table>/find", query=FindQuery, answer=FindSchema, headers=LINK)
@blueprint.contract(*SEEN, "never_so not_json", may="watch", transcripts=True, counts=QUESTIONS)
def find_moment(query: dict[str, Any], table: str) -> Response:
    """Find when a place had a value.

    Returns the first version at which a place (JSON Pointer) of the table's document had it. A request searches 500
    versions: if none had it, the event is null and `next` is the version to pass as `from`.
    """
    return expensive_reply("find", table, "from", **query | {"value": _value(query["value"])})


def _value(text: str) -> Any:
    try:
        return strict_json(text.encode())
    except Refused:
        raise Refused("not_json", '`value` is a JSON value: 5, true, null, "play"') from None
