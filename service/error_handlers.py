"""Errors as problem documents: what each kind of error tells the client, and what the operator reads in the log."""

import logging

import msgspec
from flask import Flask, Response, current_app, g, request
from flask.globals import request_ctx
from redis.exceptions import BusyLoadingError, OutOfMemoryError, RedisError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from events.log import LogDamaged
from events.scripts import NotReplicated
from service.accounts.key_store import KeysFull, KeysUnavailable
from service.api.admission import Admission
from service.api.headers import REQUEST_ID
from service.api.media_types import PROBLEM
from service.errors import PROBLEMS, Refused, field_error, problem
from service.http import asked_for, request_id_of
from service.logs import about
from service.page import nothing_here, wants_page

CODE_OF_STATUS = {
    400: "malformed",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    416: "no_such_range",
    422: "invalid",
}

CHALLENGES = {  # RFC 6750, 3.1
    "unauthenticated": 'Bearer error="invalid_token"',
    "scope_missing": 'Bearer error="insufficient_scope"',
}

REPEAT = "a request with an Idempotency-Key is safe to repeat"
OUTAGES: dict[type[Exception], tuple[str, str, str]] = {  # the first that fits: code, answer, log
    BusyLoadingError: ("store_loading", "the store loads its data; `/readyz` tells how far it has come", ""),
    OutOfMemoryError: (
        "store_full",
        "nothing was written: the store has no memory left; what is there is read on",
        "the store is full",
    ),
    NotReplicated: (
        "not_replicated",
        f"it may be recorded, but no replica has it on disk yet; {REPEAT}: the repeat waits again",
        "not replicated",
    ),
    KeysFull: (
        "store_full",
        "nothing was written: the key store has no memory left for a new key",
        "the key store is full",
    ),
    KeysUnavailable: ("store_unavailable", f"names cannot be read now; {REPEAT}", "the key store cannot be used"),
    RedisError: ("store_unavailable", f"the store does not answer; {REPEAT}", "the store does not answer"),
}
INTERNAL = Refused("internal", "the operator has been told; a request with an Idempotency-Key may be repeated")

log = logging.getLogger(__name__)


def handle_errors(app: Flask) -> None:
    """Answers every error of the app with a problem document."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _http_error)
    for outage in (RedisError, NotReplicated, KeysUnavailable):
        app.register_error_handler(outage, _outage)
    app.register_error_handler(LogDamaged, _damaged)
    app.register_error_handler(Exception, _unexpected)


def answer(refusal: Refused) -> Response:
    """A refusal as a problem document."""
    body = problem(refusal) | ({"request_id": g.request_id} if "request_id" in g else {})
    if "errors" in body:
        body["errors"] = [field_error(error) for error in body["errors"]]
    response = Response(msgspec.json.encode(body), body["status"], mimetype=PROBLEM)
    if "retry_after" in refusal.members:
        response.headers["Retry-After"] = str(refusal.members["retry_after"])
    if refusal.code in ("too_many_streams", "too_busy", "store_unavailable", "store_loading", "not_replicated"):
        response.headers["Retry-After"] = "1"
    if refusal.code in CHALLENGES:
        sent = refusal.code == "scope_missing" or "Authorization" in request.headers
        response.headers["WWW-Authenticate"] = CHALLENGES[refusal.code] if sent else "Bearer"
    return response


def _refused(refusal: Refused) -> Response:
    admission: Admission | None = current_app.extensions.get("admission")
    return answer(admission.count_refused(refusal) if admission else refusal)


def _http_error(error: HTTPException) -> Response:
    code = CODE_OF_STATUS.get(error.code or 500, "internal")
    if code == "not_found" and wants_page():
        return nothing_here()
    response = answer(Refused(code, _detail(error, code)))
    for name, value in error.get_headers():
        if name in ("Allow", "Content-Range"):
            response.headers[name] = value
    return response


def _detail(error: HTTPException, code: str) -> str:
    """What is wrong, and what would do instead; what werkzeug says of an address and a method helps nobody."""
    if code == "not_found":
        return "there is nothing at this path; /docs and /openapi.json list all paths, and none ends in a slash"
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        return f"{request.method} is not allowed here; this path takes {', '.join(sorted(error.valid_methods))}"
    return error.description or PROBLEMS[code].title


def _outage(error: Exception) -> Response:
    code, told, logged = next(outage for kind, outage in OUTAGES.items() if isinstance(error, kind))
    if logged:
        log.error("%s: %s", logged, error)
    return answer(Refused(code, told))


def _damaged(error: LogDamaged) -> Response:
    log.critical("%s: %s", _asked(), error)
    return answer(Refused("log_damaged", "nothing was written; the operator has been told"))


def _asked() -> str:
    """What the log says was asked for: an error names its table, and a path may be the link of an invitation."""
    return " ".join(asked_for(request_ctx.request))


def _unexpected(error: Exception) -> Response:
    log.exception("%s", _asked(), exc_info=error)
    return answer(INTERNAL)


def outside_the_app(error: Exception, asked: str, given: str | None) -> tuple[int, list[tuple[str, str]], bytes]:
    """The answer to a request whose answer the app did not make, or not to its end; the log tells what happened.

    `asked` is its method and route, `given` the name that its client has given it.
    """
    name, document = request_id_of(given), problem(INTERNAL)
    with about(name):
        log.error("%s, outside the app", asked, exc_info=error)
    headers = [("Content-Type", PROBLEM), (REQUEST_ID, name)]
    return document["status"], headers, msgspec.json.encode(document | {"request_id": name})
