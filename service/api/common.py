"""What all resources share: who asks, the name of the request, and the form of answers."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

import msgspec
from flask import Response, current_app, g, has_request_context, request
from werkzeug.http import parse_dict_header

from events.recorded import Recorded
from events.store import RedisLog
from projections.history import History
from projections.table import Table
from rulings.words import LANGUAGES
from service.accounts.accounts import Accounts
from service.accounts.callers import Caller
from service.accounts.erasing import Eraser
from service.accounts.people import People
from service.accounts.texts import Teller
from service.accounts.webhooks import Webhooks
from service.analyses.asking import TableAnalyses
from service.api.admission import ASKING, Admission, Asking
from service.commands import CommandHandler, Request
from service.dumps.keeping import Dumps
from service.errors import Refused
from service.ip_addresses import Networks
from service.levels import Effort
from service.limits.budgets import Limits
from service.limits.quotas import Quotas
from service.moderation.desk import Desk
from service.streams.hub import Hub
from service.tables.expensive import Answer, Answering, Question

PLACE = r"(?P<version>[0-9]{1,9})(?:-(?P<mark>[0-9a-f]{8}))?"  # a version of a table, and how its hash begins
KEY = re.compile(r"[\x21-\x7e]{1,255}")
REQUEST_ID, PREFER = "X-Request-Id", "Prefer"
LEAST_KEY = 20  # characters: who knows the key of a new account can repeat the request, and is told its token


def _header(name: str, description: str, **schema: Any) -> dict[str, Any]:
    schema = {"type": "string"} | schema
    return {"in": "header", "name": name, "required": False, "schema": schema, "description": description}


FORM = {"maxLength": 255, "pattern": r"^[\x21-\x7e]+$"}
KEY_HEADER = _header(
    "Idempotency-Key",
    "repeats of an accepted request with the same key get the first answer; for accounts and tokens within 24 hours, "
    "at a table until at least 24 hours after it closed",
    minLength=1,
    **FORM,
)
ACCOUNT_KEY_HEADER = KEY_HEADER | {"schema": {"type": "string", "minLength": LEAST_KEY, **FORM}}
IF_MATCH = _header("If-Match", "the ETag of the table that the move was made for: 412 if it has moved on")
IF_NONE_MATCH = _header("If-None-Match", "an ETag of the table: 304 if that is what would be answered")
LANGUAGES_HEADER = _header("Accept-Language", "the language of the words: en or fr", examples=["fr"])
PREFER_MINIMAL = _header(PREFER, "`return=minimal`: the answer is 204, with its ETag", examples=["return=minimal"])
LAST_EVENT_ID = _header(
    "Last-Event-ID", "the id of the last frame that the client has, or a version; used when `after` is not given"
)
RANGE = _header("Range", "a part of the file, such as `bytes=1000-`: the answer is 206", examples=["bytes=1000-"])
IF_RANGE = _header(
    "If-Range", "the ETag of the part that is there already: if the file is another now, all of it is sent"
)

# Of every stream: no cache keeps it, and no proxy holds it back, to compress it (`no-transform`) or to fill a buffer.
STREAMED = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}

_TEXT = {"type": "string"}
ETAG = {"ETag": {"description": "the table's version and whose view it is", "required": True, "schema": _TEXT}}
LOCATION = {"Location": {"description": "where it is found", "required": True, "schema": _TEXT}}
LINK = {"Link": {"description": "where the rest is found, if there is more", "required": False, "schema": _TEXT}}
CONTENT_LANGUAGE = {
    "Content-Language": {"description": "the language of the words", "required": True, "schema": {"enum": ["en", "fr"]}}
}


class _Page(msgspec.Struct):
    """The part of a page that says where the next one begins."""

    next: int | None = None


class Explainer(Protocol):
    """Computes AI moves again, in a process of its own; raises `Refused` when it has too much to do."""

    def explain(self, history: History, version: int) -> msgspec.Struct:
        """The AI move that led to an event, and what the player weighed."""

    def sample(self, history: History) -> msgspec.Struct:
        """Some AI moves of a finished table, and which of them come out otherwise."""

    def close(self) -> None:
        """Ends the process."""


def efforts(game: str) -> dict[str, Effort]:
    """The AI levels that play a game, and what they take: handed in where processes are put together."""
    found: dict[str, Effort] = current_app.extensions["efforts"](game)
    return found


class Services(NamedTuple):
    """What the resources work with."""

    handler: CommandHandler
    accounts: Accounts
    hub: Hub
    explainer: Explainer
    webhooks: Webhooks
    expensive: Answering
    limits: Limits
    proxies: Networks
    quotas: Quotas
    eraser: Eraser
    people: People
    dumps: Dumps
    desk: Desk
    analyses: TableAnalyses

    def close(self) -> None:
        """Ends what goes on in the background."""
        self.hub.close()
        self.explainer.close()
        self.expensive.close()


def services() -> Services:
    """The services of the app that answers."""
    found: Services = current_app.extensions["wintercount"]
    return found


def admission() -> Admission:
    """Who lets requests in."""
    found: Admission = current_app.extensions["admission"]
    return found


def let_in() -> Asking:
    """What is known of the request since it was let in."""
    found: Asking = request.environ[ASKING]
    return found


def charge(cost: int) -> None:
    """Charges whoever asks for work whose size shows only later (in processor milliseconds); raises `Refused`."""
    if has_request_context() and ASKING in request.environ:
        admission().spend(let_in(), "work", cost)


def handler() -> CommandHandler:
    """What decides and records."""
    return services().handler


def redis_log() -> RedisLog:
    """The log, which also holds the projections."""
    log = handler().log
    if not isinstance(log, RedisLog):
        raise TypeError("the lobby is kept in Redis")
    return log


def caller() -> Caller:
    """Who asks, as found when the request was let in: for operations whose contract names a caller."""
    return let_in().caller


def managing() -> Caller:
    """Who manages the account; raises `Refused` for a token that was revoked a moment ago in another process."""
    asking = caller()
    asking.needs("account")
    services().accounts.check(asking)
    return asking


def request_name(caller_id: str | None) -> Request:
    """The request's name: a repeat with the same Idempotency-Key by the same caller has the same one.

    Without a key it has a name all the same: the store's client repeats a call whose answer was lost.
    """
    key = idempotency_key()
    named = secrets.token_hex(16) if key is None else hashlib.sha256(f"{caller_id}\n{key}".encode()).hexdigest()[:32]
    return Request(named, _fingerprint(key or secrets.token_hex(16)))


def _fingerprint(key: str) -> str:
    """Tells bodies with the same Idempotency-Key apart. The store has no such key, and so cannot try out texts."""
    body = f"{request.method} {request.path}\n".encode() + request.get_data()
    return hmac.digest(key.encode(), body, "sha256").hex()[:32]


def table_name(named: Request) -> bytes:
    """What a repeated request names its table by. No secret is needed: the id of a table opens nothing."""
    return hashlib.sha256(f"table\n{named.key}".encode()).digest()


def idempotency_key() -> str | None:
    """The Idempotency-Key of the request; raises `Refused` for one of a form that is not allowed."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise Refused("malformed", "an Idempotency-Key is 1 to 255 visible ASCII characters")
    return key


def reply(body: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer."""
    response = Response(msgspec.json.encode(body), status, mimetype="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def answered(name: str, table: str, **asked: Any) -> Answer:
    """The answer to an expensive read by whoever asks; raises `Refused`."""
    return services().expensive(Question(name, caller(), table, {"language": language()} | asked))


def expensive_reply(name: str, table: str, going_on: str | None = None, **asked: Any) -> Response:
    """The answer to an expensive read as JSON; where it goes on is asked for by the query `going_on`."""
    body = answered(name, table, **asked).body
    following = msgspec.json.decode(body, type=_Page).next if going_on else None
    link = next_link(None if following is None else {str(going_on): following})
    return Response(body, mimetype="application/json", headers=link)


def paged(body: Any, following: Mapping[str, Any] | None) -> Response:
    """A page as JSON, with a `Link` to the one behind it: the same query but for what it says of the place."""
    response = reply(body)
    response.headers.update(next_link(following))
    return response


def next_link(following: Mapping[str, Any] | None) -> dict[str, str]:
    """The header that leads to the next page, if there is one."""
    if following is None:
        return {}
    return {"Link": f'<{request.path}?{urlencode({**request.args, **following})}>; rel="next"'}


def is_minimal() -> bool:
    """Whether the caller prefers to be told no more than that it was done (RFC 7240)."""
    return parse_dict_header(request.headers.get(PREFER, "")).get("return") == "minimal"


def form_among(forms: Sequence[str]) -> str:
    """The media type that the caller likes best among these, the first if none is named; raises `Refused`."""
    g.depends_on = ("Accept",)
    found = request.accept_mimetypes.best_match(forms) if request.accept_mimetypes else forms[0]
    if found is None:
        raise Refused("not-acceptable", f"the answer is given as {', '.join(forms)}")
    return found


def language() -> str:
    """The language that the caller likes best among ours."""
    return request.accept_languages.best_match(LANGUAGES, default="en") or "en"


def teller() -> Teller:
    """What decrypts names and texts for the caller."""
    return handler().texts.teller(language())


def receipt(table: Table, event: Recorded) -> dict[str, Any]:
    """Proof that the log holds an event."""
    return {"table": table.id, "version": event.version, "hash": event.hash.hex()}
