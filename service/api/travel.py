"""Time travel: what changed, which event changed it, when something became so."""

from typing import Any

from flask import Response

from projections.history import History
from service.api.common import caller, house, reply
from service.api.schemas.travel import BlameQuery, BlameSchema, DiffQuery, DiffSchema, FindQuery, FindSchema
from service.api.strict import Blueprint, strict_json
from service.errors import Refused
from service.tables.reading import Eyes, eyes_of, table_for
from service.tables.travel import blame, cause_of, difference, find

SEEN = ("no-such-table", "no-such-version", "no-such-seat", "not-your-seat")

blueprint = Blueprint("travel", __name__, url_prefix="/v1/tables", description="Time travel")


def _seen(table: str, query: dict[str, Any]) -> tuple[History, Eyes]:
    asking = caller()
    history = table_for(house(), table, asking)
    return history, eyes_of(history.table, asking, query.get("seat"))


@blueprint.get("/<table>/diff")
@blueprint.arguments(DiffQuery, location="query")
@blueprint.response(200, DiffSchema)
@blueprint.contract(*SEEN, caller="optional")
def get_diff(query: dict[str, Any], table: str) -> Response:
    """What changed between two versions, event by event.

    Each row is a JSON Patch (RFC 6902) with the event and the rules that caused it. Applied in order they lead from
    `GET /v1/tables/{table}?at=from` to `?at=to`.
    """
    history, eyes = _seen(table, query)
    last = query.get("to", history.table.version)
    first = query.get("first", max(1, last - 1))
    eyes.check(max(first, last))
    return reply({"table": table, "from": first, "to": last, "changes": difference(history, eyes, first, last)})


@blueprint.get("/<table>/blame")
@blueprint.arguments(BlameQuery, location="query")
@blueprint.response(200, BlameSchema)
@blueprint.contract(*SEEN, "no-such-place", caller="optional")
def get_blame(query: dict[str, Any], table: str) -> Response:
    """The event that last changed a place (JSON Pointer, RFC 6901) of the table's document."""
    history, eyes = _seen(table, query)
    at = query.get("at", history.table.version)
    eyes.check(at)
    return reply(blame(history, eyes, query["path"], at))


@blueprint.get("/<table>/find")
@blueprint.arguments(FindQuery, location="query")
@blueprint.response(200, FindSchema)
@blueprint.contract(*SEEN, "never-so", "not-json", caller="optional")
def get_find(query: dict[str, Any], table: str) -> Response:
    """The first version at which a place (JSON Pointer) of the table's document held a value."""
    history, eyes = _seen(table, query)
    history = history if eyes.until is None else history.until(eyes.until)
    found = find(history, eyes, query["path"], _value(query["value"]), query["first"])
    event = history.events[found.version - 1]
    return reply(cause_of(event) | {"table": table, "at": found.at, "path": query["path"]})


def _value(text: str) -> Any:
    try:
        return strict_json(text.encode())
    except Refused:
        raise Refused("not-json", '`value` is a JSON value: 5, true, null, "play"') from None
