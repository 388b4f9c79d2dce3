"""Errors in the document: one problem schema, one response, and the codes of each operation."""

from collections.abc import Iterator
from typing import Any

from service.errors import PROBLEMS
from tools.contracts.shapes import NUMBER, TEXT, record

ACTED_ON = (409, 412, 422)  # the statuses that a client handles; `default` stands for all
ANYWHERE = (
    *("malformed", "invalid", "too_large", "too_slow", "too_busy", "unsupported_media_type", "not_found"),
    *("method_not_allowed", "not_acceptable", "precondition_failed", "too_many_requests"),
    *("store_unavailable", "store_loading", "store_full", "log_damaged", "internal"),
)
PROBLEM = record(
    "A problem (RFC 9457). Programs read `code`, people `detail`; other members depend on the code.",
    {
        "type": TEXT | {"format": "uri-reference", "description": "a page with advice on this code"},
        "title": TEXT | {"description": "the meaning of the code"},
        "status": NUMBER | {"description": "the HTTP status"},
        "detail": TEXT | {"description": "what is wrong with this request"},
        "code": TEXT | {"enum": list(PROBLEMS), "description": "the kind of problem; new ones may be added"},
    },
    request_id=TEXT | {"description": "the id of the request, as in the operator's log"},
    rule=TEXT | {"description": "the rule that forbids the move"},
    version=NUMBER | {"description": "the table's version"},
    decision={"type": ["string", "null"], "description": "the decision that is open instead"},
    option=TEXT | {"description": "the house rule that was refused"},
    retry_after=NUMBER | {"description": "seconds to wait"},
    quota=TEXT | {"description": "the quota that is used up"},
    most=NUMBER | {"description": "the limit of that quota"},
    errors={
        "type": "array",
        "items": {"$ref": "#/components/schemas/FieldError"},
        "description": "with 422: what does not fit",
    },
    loaded_percent={"type": "number", "description": "how much of its data the store has loaded"},
    eta_s=NUMBER | {"description": "estimated seconds until all is loaded"},
)
FIELD_ERROR = record(
    "A field of a request that does not fit.",
    {
        "in": TEXT | {"description": "the part of the request: body or query"},
        "pointer": TEXT | {"description": "the field, as a JSON Pointer (RFC 6901)", "examples": ["/seats/1/level"]},
        "code": TEXT | {"description": "the kind of error, such as `required` or `type`; new ones may be added"},
        "detail": TEXT | {"description": "what is wrong with the field"},
    },
)
RESPONSE = {
    "description": "A problem. Any operation may answer with the codes listed here; its own are in `x-problem-codes`.",
    "x-problem-codes": list(ANYWHERE),
    "headers": {
        "Retry-After": {"description": "with 429 and 503: seconds to wait", "schema": NUMBER},
        "WWW-Authenticate": {"description": "with 401: Bearer", "schema": TEXT},
    },
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
REFERENCE = {"$ref": "#/components/responses/Problem"}


def codes_of(path: str, contract: dict[str, Any]) -> list[str]:
    """The problem codes of an operation that not every operation has."""
    return [code for code in dict.fromkeys(_codes(path, contract)) if code not in ANYWHERE]


def _codes(path: str, contract: dict[str, Any]) -> Iterator[str]:
    if contract["caller"]:
        yield "unauthenticated"
    if contract["caller"] == "needed" and contract["scopes"]:
        yield "scope_missing"
    yield from contract["refuses"]
    if "{table}" in path and not contract["transcripts"]:
        yield "transcribed"
    if any(header["name"] == "Idempotency-Key" for header in contract["headers"]):
        yield from ("request_reused", "not_replicated")


def responses(codes: list[str]) -> dict[str, Any]:
    """The responses with these codes, by status."""
    statuses = sorted({PROBLEMS[code].status for code in codes} & set(ACTED_ON))
    return {str(status): REFERENCE for status in statuses} | {"default": REFERENCE}
