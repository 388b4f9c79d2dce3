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


AGAIN = "Send the same request again after `Retry-After`, with the same `Idempotency-Key`: it happens once."
LOOK = "Ask for the table again (`GET /v1/tables/{table}`) and decide anew."

ADVICE = {
    "malformed": "Mend the request: JSON in UTF-8, no name twice, an `Idempotency-Key` of visible ASCII characters.",
    "unauthenticated": "Send `Authorization: Bearer …` with a token. `POST /v1/players` gives the first.",
    "scope_missing": "Use a token with a scope that the operation names; `POST /v1/players/me/tokens` makes it.",
    "not_your_seat": "Ask for your own: `seat` in `GET /v1/tables/{table}`. Others lie open when the game is over.",
    "no_aids": "Ask again when the game is over; `aids` of `POST /v1/tables` opens a table with them.",
    "rating_out_of_range": "Look for a table that is open to you: `GET /v1/tables?open_to=me`. An invitation of who "
    "opened the table lets in whatever the rating is.",
    "not_allowed": "Nothing helps here but another role: `detail` says who may do this.",
    "sign_in_refused": "Ask for a new code where you are signed in, or for new options of a passkey; after some wrong "
    "attempts a code is void.",
    "account_suspended": "An operator has suspended the account: `GET /v1/players/me` tells why. Games that have begun "
    "go on.",
    "not_found": "Check the path against `/openapi.json`; there is no slash at its end.",
    "no_such_game": "Take a name that `GET /v1/games` lists.",
    "no_such_rule": "Take an id that `GET /v1/games/{game}/rules` lists.",
    "no_such_case": "Take the name of a case from `GET /v1/games/{game}/rulings`.",
    "no_such_lesson": "Open one: `POST /v1/games/{game}/lesson`.",
    "no_such_analysis": "Ask for it: `POST` to the same address.",
    "no_such_dump": "Take a name that `GET /v1/dumps` lists.",
    "no_such_table": "Check the id. A private table is there for those alone whom it names: send your token.",
    "no_such_seat": "Seats count from 1; `seats` of the table lists them.",
    "no_such_dispute": "Take an id that `GET /v1/tables/{table}/disputes` lists.",
    "no_such_takeback": "It was answered, or a move came first: `GET /v1/tables/{table}/disputes` tells.",
    "no_such_ruling": "Take a version that `GET /v1/tables/{table}/rulings` lists.",
    "no_ai_move": "Take the version of an event whose `by` has `ai`.",
    "no_such_token": "Take an id that `GET /v1/players/me/tokens` lists.",
    "no_such_passkey": "Take an id that `GET /v1/players/me/passkeys` lists.",
    "no_such_player": "Check the id: nobody has it, or nobody has it any more.",
    "no_such_invitation": "It was withdrawn, or is too old: ask for another.",
    "no_such_report": "Take an id that `GET /v1/reports` lists.",
    "no_such_action": "Take a number that `GET /v1/moderation` lists.",
    "no_such_webhook": "Set one: `PUT /v1/players/me/webhook`.",
    "no_such_version": "Versions count from 1 to the table's `version`.",
    "no_such_place": "Take a JSON Pointer into the document of `GET /v1/tables/{table}?at=…`.",
    "never_so": "Look from an earlier version (`from`), or for another value.",
    "cursor_gone": "Delete what was made of the feed, and read it from the beginning: `GET /v1/feed` without a cursor.",
    "method_not_allowed": "`Allow` lists the methods of the resource.",
    "not_acceptable": "Name one of the media types in `detail` in `Accept`, or leave it out.",
    "no_such_range": "Ask for a range within the file: `GET /v1/dumps` tells its `size`.",
    "too_slow": "Send the body at once; nothing was done.",
    "not_your_turn": LOOK,
    "decision_closed": "It was answered, or taken by the clock. `decision` is the one that is open instead, if any is.",
    "decision_open": "Wait for the `deadline` of the decision.",
    "conflict": "Send the same request again.",
    "table_not_started": "Wait until every seat is taken.",
    "table_started": "What was asked for belongs before the game.",
    "table_finished": "The game is over: nothing can be played any more, all can be read.",
    "table_not_over": "Ask again when the game is over.",
    "table_paused": "Wait until the dispute is resolved.",
    "dispute_open": "Wait until the dispute is resolved, then send the move again.",
    "dispute_closed": "It is resolved: nothing more can be said.",
    "too_late": "Nothing helps: the table's `disputes` say how long a ruling may be disputed.",
    "table_full": "So much is on record there that only moves are made and open disputes settled: play on.",
    "nothing_to_take_back": "Only the seat's own last move can be taken back.",
    "seat_taken": "Take another seat, or another table: `GET /v1/tables?status=open`.",
    "seat_kept": "Take another seat: this one is kept.",
    "already_seated": "Play on the seat that you have.",
    "transcribed": "A text tells it, and no record: read it as a table, or open one to play.",
    "no_world": "Ask at another version: here no way was found in which the cards can have come about.",
    "unrelated_tables": "Compare a table with its branches: `GET /v1/tables/{table}/forks`.",
    "version_mismatch": LOOK,
    "too_large": "Send less: `detail` says how much may be sent.",
    "unsupported_media_type": "Send `Content-Type: application/json`, or what `detail` names.",
    "invalid": "`detail` and `errors` name the field and the values that it may have.",
    "not_json": "`value` is JSON: a text stands in quotation marks.",
    "contradictory": "Leave out one of the two that do not go together; `detail` names them.",
    "arbiter_not_named": "Show the player the table's `arbiter`, and send it along.",
    "opening_refused": "`detail` names what the game or its seats do not allow; `GET /v1/games` lists what they do.",
    "fork_refused": "`detail` names what stands against it.",
    "move_refused": "Read the `rule` at `GET /v1/games/{game}/rules/{rule}`; `GET /v1/tables/{table}/moves` lists the "
    "legal moves.",
    "webhook_refused": "Name a public address with https, without user, password or fragment.",
    "archive_refused": "`detail` names the first fault. Check the file with `wintercount verify`.",
    "notation_refused": "`line` and `column` say where, `detail` what was expected or which rule forbids it. "
    "`GET /v1/tables/{table}/notation` shows of any table what such a text looks like.",
    "option_refused": "Take a house rule and a value that `GET /v1/games/{game}` lists.",
    "request_reused": "Take a new `Idempotency-Key` for a new request.",
    "quota_reached": "Close or finish one of what `quota` names; `most` may be there at a time.",
    "too_many_requests": "Wait for `retry_after` seconds, as `Retry-After` says too.",
    "too_many_streams": "Close a stream, or read pages meanwhile. " + AGAIN,
    "too_busy": AGAIN,
    "store_loading": "Wait: `GET /readyz` tells how far it has come. " + AGAIN,
    "store_full": "Nothing was written. The operator has to make room; reading goes on.",
    "store_unavailable": AGAIN,
    "not_replicated": "It may be recorded, but not safely yet; the repeat waits again, and gets the first answer. "
    + AGAIN,
    "log_damaged": "Nothing was written. Read the table anew; the operator has been told.",
    "internal": "Tell the operator the `request_id`. A request with an `Idempotency-Key` may be repeated.",
}
