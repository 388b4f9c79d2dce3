"""Refusals: one problem document, one response a status, the codes of each operation, and what to do about each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from service.api.document.shapes import Schema
from service.errors import PROBLEMS
from service.limits.rates import UNCOUNTED

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
        yield "not-found"
    yield "invalid"  # a query with a name that it does not read
    yield "too-large"  # a query, or a header
    if "{table}" in path and not contract["transcripts"]:
        yield "transcribed"
    if method != "get":  # a body is read before it is known that the operation takes none
        yield from ("malformed", "too-slow", "too-busy")
    yield from _of_body(operation, contract)
    if path not in UNCOUNTED:
        yield "too-many-requests"
    if contract["asks_store"]:
        yield from ("store-unavailable", "store-loading", "store-full", "log-damaged")
    yield "internal"


def _of_caller(contract: dict[str, Any]) -> Iterator[str]:
    """What it refuses because of who asks."""
    if contract["caller"]:
        yield "unauthenticated"
    if contract["caller"] == "needed" and contract["scopes"]:
        yield "scope-missing"


def _of_body(operation: dict[str, Any], contract: dict[str, Any]) -> Iterator[str]:
    """What it refuses because of a body or a key of the request."""
    if "requestBody" in operation:
        yield "unsupported-media-type"
    if any(header["name"] == "Idempotency-Key" for header in contract["headers"]):
        yield from ("malformed", "request-reused", "not-replicated")


AGAIN = "Send the same request again after `Retry-After`, with the same `Idempotency-Key`: it happens once."
LOOK = "Ask for the table again (`GET /v1/tables/{table}`) and decide anew."

ADVICE = {
    "malformed": "Mend the request: JSON in UTF-8, no name twice, an `Idempotency-Key` of visible ASCII characters.",
    "unauthenticated": "Send `Authorization: Bearer …` with a token. `POST /v1/players` gives the first.",
    "scope-missing": "Use a token with a scope that the operation names; `POST /v1/players/me/tokens` makes it.",
    "not-your-seat": "Ask for your own: `seat` in `GET /v1/tables/{table}`. Others lie open when the game is over.",
    "no-aids": "Ask again when the game is over; `aids` of `POST /v1/tables` opens a table with them.",
    "rating-out-of-range": "Look for a table that is open to you: `GET /v1/tables?open_to=me`. An invitation of who "
    "opened the table lets in whatever the rating is.",
    "not-allowed": "Nothing helps here but another role: `detail` says who may do this.",
    "sign-in-refused": "Ask for a new code where you are signed in, or for new options of a passkey; after some wrong "
    "attempts a code is void.",
    "account-suspended": "An operator has suspended the account: `GET /v1/players/me` tells why. Games that have begun "
    "go on.",
    "not-found": "Check the path against `/openapi.json`; there is no slash at its end.",
    "no-such-game": "Take a name that `GET /v1/games` lists.",
    "no-such-rule": "Take an id that `GET /v1/games/{game}/rules` lists.",
    "no-such-case": "Take the name of a case from `GET /v1/games/{game}/rulings`.",
    "no-such-lesson": "Open one: `POST /v1/games/{game}/lesson`.",
    "no-such-analysis": "Ask for it: `POST` to the same address.",
    "no-such-dump": "Take a name that `GET /v1/dumps` lists.",
    "no-such-table": "Check the id. A private table is there for those alone whom it names: send your token.",
    "no-such-seat": "Seats count from 1; `seats` of the table lists them.",
    "no-such-dispute": "Take an id that `GET /v1/tables/{table}/disputes` lists.",
    "no-such-takeback": "It was answered, or a move came first: `GET /v1/tables/{table}/disputes` tells.",
    "no-such-ruling": "Take a version that `GET /v1/tables/{table}/rulings` lists.",
    "no-ai-move": "Take the version of an event whose `by` has `ai`.",
    "no-such-token": "Take an id that `GET /v1/players/me/tokens` lists.",
    "no-such-passkey": "Take an id that `GET /v1/players/me/passkeys` lists.",
    "no-such-player": "Check the id: nobody has it, or nobody has it any more.",
    "no-such-invitation": "It was withdrawn, or is too old: ask for another.",
    "no-such-report": "Take an id that `GET /v1/reports` lists.",
    "no-such-action": "Take a number that `GET /v1/moderation` lists.",
    "no-such-webhook": "Set one: `PUT /v1/players/me/webhook`.",
    "no-such-version": "Versions count from 1 to the table's `version`.",
    "no-such-place": "Take a JSON Pointer into the document of `GET /v1/tables/{table}?at=…`.",
    "never-so": "Look from an earlier version (`from`), or for another value.",
    "cursor-gone": "Delete what was made of the feed, and read it from the beginning: `GET /v1/feed` without a cursor.",
    "method-not-allowed": "`Allow` lists the methods of the resource.",
    "not-acceptable": "Name one of the media types in `detail` in `Accept`, or leave it out.",
    "no-such-range": "Ask for a range within the file: `GET /v1/dumps` tells its `size`.",
    "too-slow": "Send the body at once; nothing was done.",
    "not-your-turn": LOOK,
    "decision-closed": "It was answered, or taken by the clock. `decision` is the one that is open instead, if any is.",
    "decision-open": "Wait for the `deadline` of the decision.",
    "conflict": "Send the same request again.",
    "table-not-started": "Wait until every seat is taken.",
    "table-started": "What was asked for belongs before the game.",
    "table-finished": "The game is over: nothing can be played any more, all can be read.",
    "table-not-over": "Ask again when the game is over.",
    "table-paused": "Wait until the dispute is resolved.",
    "dispute-open": "Wait until the dispute is resolved, then send the move again.",
    "dispute-closed": "It is resolved: nothing more can be said.",
    "too-late": "Nothing helps: the table's `disputes` say how long a ruling may be disputed.",
    "table-full": "So much is on record there that only moves are made and open disputes settled: play on.",
    "nothing-to-take-back": "Only the seat's own last move can be taken back.",
    "seat-taken": "Take another seat, or another table: `GET /v1/tables?status=open`.",
    "seat-kept": "Take another seat: this one is kept.",
    "already-seated": "Play on the seat that you have.",
    "transcribed": "A text tells it, and no record: read it as a table, or open one to play.",
    "no-world": "Ask at another version: here no way was found in which the cards can have come about.",
    "unrelated-tables": "Compare a table with its branches: `GET /v1/tables/{table}/forks`.",
    "version-mismatch": LOOK,
    "too-large": "Send less: `detail` says how much may be sent.",
    "unsupported-media-type": "Send `Content-Type: application/json`, or what `detail` names.",
    "invalid": "`detail` and `errors` name the field and the values that it may have.",
    "not-json": "`value` is JSON: a text stands in quotation marks.",
    "contradictory": "Leave out one of the two that do not go together; `detail` names them.",
    "arbiter-not-named": "Show the player the table's `arbiter`, and send it along.",
    "opening-refused": "`detail` names what the game or its seats do not allow; `GET /v1/games` lists what they do.",
    "fork-refused": "`detail` names what stands against it.",
    "move-refused": "Read the `rule` at `GET /v1/games/{game}/rules/{rule}`; `GET /v1/tables/{table}/moves` lists the "
    "legal moves.",
    "webhook-refused": "Name a public address with https, without user, password or fragment.",
    "archive-refused": "`detail` names the first fault. Check the file with `wintercount verify`.",
    "notation-refused": "`line` and `column` say where, `detail` what was expected or which rule forbids it. "
    "`GET /v1/tables/{table}/notation` shows of any table what such a text looks like.",
    "option-refused": "Take a house rule and a value that `GET /v1/games/{game}` lists.",
    "request-reused": "Take a new `Idempotency-Key` for a new request.",
    "quota-reached": "Close or finish one of what `quota` names; `most` may be there at a time.",
    "too-many-requests": "Wait for `retry_after` seconds, as `Retry-After` says too.",
    "too-many-streams": "Close a stream, or read pages meanwhile. " + AGAIN,
    "too-busy": AGAIN,
    "store-loading": "Wait: `GET /readyz` tells how far it has come. " + AGAIN,
    "store-full": "Nothing was written. The operator has to make room; reading goes on.",
    "store-unavailable": AGAIN,
    "not-replicated": "It may be recorded, but not safely yet; the repeat waits again, and gets the first answer. "
    + AGAIN,
    "log-damaged": "Nothing was written. Read the table anew; the operator has been told.",
    "internal": "Tell the operator the `request_id`. A request with an `Idempotency-Key` may be repeated.",
}
