"""Refusals: one problem document, one response a status, the codes of each operation, and what to do about each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from service.errors import PROBLEMS
from service.limits.rates import UNCOUNTED
from tools.contracts.shapes import Schema

TEXT = {"type": "string"}
SECONDS = {"description": "seconds", "required": True, "schema": {"type": "integer"}}
HEADERS = {
    401: {"WWW-Authenticate": {"description": "Bearer", "required": True, "schema": TEXT}},
    429: {"Retry-After": SECONDS},
    503: {"Retry-After": SECONDS},
}
PROBLEM: Schema = {
    "type": "object",
    "description": "RFC 9457. `code` is for machines, `detail` for people; further members as they apply.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": TEXT | {"format": "uri-reference", "description": "a page that says what to do"},
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "code": TEXT | {"enum": list(PROBLEMS)},
        "request_id": TEXT | {"description": "the name of the request, as in the log of the operator"},
        "rule": TEXT | {"description": "the rule that forbids the move"},
        "version": {"type": "integer", "description": "the table's version"},
        "decision": {"type": ["string", "null"], "description": "the decision that is open instead"},
        "option": TEXT | {"description": "the house rule that was refused"},
        "retry_after": {"type": "integer", "description": "seconds to wait"},
        "quota": TEXT | {"description": "what there would be too many of"},
        "most": {"type": "integer", "description": "how many there may be"},
        "errors": {"type": "object", "description": "what does not fit, by place and field"},
        "loaded_percent": {"type": "number", "description": "how much of its data the store has loaded"},
        "eta_s": {"type": "integer", "description": "seconds until it has loaded all, as it reckons"},
    },
}


def responses(operations: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The refusals of these operations, a response for each status."""
    used = {int(status) for found in operations for status, told in found["responses"].items() if "$ref" in told}
    return {_name(status): _response(status) for status in sorted(used)}


def _name(status: int | str) -> str:
    return f"Problem{status}"


def _response(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    response = {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": schema}},
    }
    return response | ({"headers": HEADERS[status]} if status in HEADERS else {})


def refusals(place: tuple[str, str], operation: dict[str, Any], contract: dict[str, Any]) -> dict[str, Any]:
    """The refusals of an operation, which has its method and its path, by status, each with its codes."""
    found: dict[int, list[str]] = defaultdict(list)
    for code in dict.fromkeys([*contract["refuses"], *_common(place, operation, contract)]):
        found[PROBLEMS[code].status].append(code)
    return {str(status): _refusal(status, codes) for status, codes in found.items()}


def _refusal(status: int, codes: list[str]) -> dict[str, Any]:
    told = " ".join(f"{code}: {PROBLEMS[code].title}." for code in codes)
    return {"$ref": f"#/components/responses/{_name(status)}", "description": told}


def _common(place: tuple[str, str], operation: dict[str, Any], contract: dict[str, Any]) -> Iterator[str]:
    """What an operation refuses because of what it reads."""
    method, path = place
    yield from _of_caller(contract)
    if "{" in path:
        yield "not_found"
    yield "invalid"  # a query with a name that it does not read
    yield "too_large"  # a query, or a header
    if "{table}" in path and not contract["transcripts"]:
        yield "transcribed"
    if method != "get":  # a body is read before it is known that the operation takes none
        yield from ("malformed", "too_slow", "too_busy")
    yield from _of_body(operation, contract)
    if path not in UNCOUNTED:
        yield "too_many_requests"
    if contract["asks_store"]:
        yield from ("store_unavailable", "store_loading", "store_full", "log_damaged")
    yield "internal"


def _of_caller(contract: dict[str, Any]) -> Iterator[str]:
    """What it refuses because of who asks."""
    if contract["caller"]:
        yield "unauthenticated"
    if contract["caller"] == "needed" and contract["scopes"]:
        yield "scope_missing"


def _of_body(operation: dict[str, Any], contract: dict[str, Any]) -> Iterator[str]:
    """What it refuses because of a body or a key of the request."""
    if "requestBody" in operation:
        yield "unsupported_media_type"
    if any(header["name"] == "Idempotency-Key" for header in contract["headers"]):
        yield from ("malformed", "request_reused", "not_replicated")
