"""What HTTP requires of every request and answer: bounded headers, caching, compression, other origins, and an id.

All of it is done here, once a request, on the headers as WSGI has them: Flask's hooks, Flask-Compress and Flask-Cors
took 500 Python calls for what takes 80.
"""

import gzip
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Any, NamedTuple, cast

import brotli
import msgspec
from flask import Flask, Request, Response, g
from flask.globals import request_ctx
from werkzeug.datastructures import Accept
from werkzeug.exceptions import HTTPException
from werkzeug.http import generate_etag, parse_accept_header, parse_etags
from werkzeug.routing import MapAdapter

from events.archiving.compression import compress
from service import metrics
from service.api.admission import ADMITTED
from service.api.common import DEPENDS_ON
from service.api.headers import PREFER, REQUEST_ID, matches
from service.api.media_types import FILE, JSON, LINES, PROBLEM
from service.api.table_requests import Reply
from service.errors import Refused, problem
from service.logs import log_answer
from service.streams.frames import SUBSCRIPTION, WAIT

COMPRESSED = (JSON, PROBLEM, LINES, FILE, "text/plain")
LEAST_BYTES = 1024
NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
A_DAY_S = 86_400
NO_ROUTE = ("any", "none")
MOST_LISTED = 2048  # bytes of a header that is a list: each word of it is compared with all that can be answered
LISTS = ("Accept", "Accept-Encoding", "Accept-Language", "If-Match", "If-None-Match", PREFER, "Range")
MOST_AT_ONCE = 256  # bytes of such a header on the event loop, where nothing else is done meanwhile
TYPE, MOST_OF_TYPE = "Content-Type", 256  # bytes: parameters are compared with all that came before them
MOST_ASKED, MOST_NAMES = 8192, 100  # bytes of a query, and names in it: each that is unknown is told
# All but the page, and what is the operator's.
PUBLIC = re.compile(r"/(v1/|\.well-known/|openapi[.-]|asyncapi\.|healthz|readyz)")
READ = (
    *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "If-Range", "Last-Event-ID"),
    *(PREFER, "Range"),
)
TOLD = (
    *("ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Preference-Applied", "Idempotent-Replayed"),
    *("Content-Language", "Content-Disposition", "WWW-Authenticate", "Deprecation", "Sunset"),
    *("Accept-Ranges", "Content-Range"),
)


def _key(name: str) -> str:
    """The name of a header in the WSGI environment."""
    return "CONTENT_TYPE" if name == TYPE else "HTTP_" + name.upper().replace("-", "_")


NAMES = {_key(name): name for name in (*LISTS, TYPE)}
BOUNDED = {key: MOST_OF_TYPE if name == TYPE else MOST_LISTED for key, name in NAMES.items()}
BOUNDED_AT_ONCE = dict.fromkeys([*BOUNDED, "HTTP_X_FORWARDED_FOR"], MOST_AT_ONCE)
OF_EVERY_ORIGIN = (
    ("Access-Control-Allow-Origin", "*"),  # no cookies: a foreign page can do no more than any program
    ("Access-Control-Expose-Headers", ", ".join(TOLD)),
)
PREFLIGHT = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"),
    ("Access-Control-Allow-Headers", ", ".join((*READ, REQUEST_ID))),
    ("Access-Control-Max-Age", str(A_DAY_S)),
)
SAFE = (("X-Content-Type-Options", "nosniff"),)
SAFE_EVERYWHERE = (*SAFE, *OF_EVERY_ORIGIN)
ONCE = {"vary", "x-content-type-options"}  # which a view may have set
NOT_IN_304 = ("content-type", "content-length", "content-encoding", "content-language")
COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {  # which is taken, where the client likes several alike
    "zstd": compress,
    "br": partial(brotli.compress, quality=4),
    "gzip": partial(gzip.compress, compresslevel=6, mtime=0),
}
STATUS_LINES = {status.value: f"{status.value} {status.phrase.upper()}" for status in HTTPStatus}
BEGAN, NAMED = "wintercount.began", "wintercount.request_id"  # in the WSGI environment


class Sent:
    """A whole answer, as WSGI sends it."""

    def __init__(self, status: str, headers: list[tuple[str, str]], chunks: Iterable[bytes]) -> None:
        self.status_code = int(status[:3])
        self.headers, self._status, self._chunks = headers, status, chunks

    @property
    def body(self) -> bytes:
        """The whole body."""
        return b"".join(self._chunks)

    def __call__(self, _environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response(self._status, self.headers)
        return self._chunks


class HttpApp(Flask):
    """A Flask app that admits each request once, and finishes each answer once. Its views are plain functions."""

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds a rule for the path: no rule depends on a host, so werkzeug need not work out which was asked."""
        if request is None:
            return super().create_url_adapter(request)
        return self.url_map.bind("", path_info=request.path, default_method=request.method)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The view unchanged: Flask would check on every request whether it is a coroutine."""
        return func

    def preprocess_request(self) -> Any:
        """Names, bounds and admits the request; raises `Refused`."""
        asked = request_ctx.request
        asked.environ.setdefault(BEGAN, time.perf_counter())
        g.request_id = request_id(asked.environ)
        _bound(asked.environ)
        if admit := self.extensions.get("admit"):
            admit(asked)
        return super().preprocess_request() if self.before_request_funcs else None

    def finalize_request(self, rv: Any, from_error_handler: bool = False) -> Response:
        """The answer of a view, as it is sent: one that both lanes share is no `Response`, and None is a 204."""
        if rv is None:
            rv = Reply(204, [])
        if type(rv) is not Reply:
            return super().finalize_request(rv, from_error_handler)
        asked = request_ctx.request
        return self._counted(asked, finished(asked.environ, g.request_id, rv))

    def process_response(self, response: Response) -> Response:
        """The answer with all that HTTP requires of it, counted and logged."""
        asked = request_ctx.request
        return self._counted(asked, _of_view(asked, response))

    def _counted(self, asked: Request, sent: Sent) -> Response:
        if asked.environ.get(WAIT) is None:  # else the server asks once more
            record_answer("threads", asked_for(asked), asked.environ, sent)
        return cast(Response, sent)


def record_answer(lane: str, operation: tuple[str, str], environ: Mapping[str, Any], sent: Sent) -> None:
    """Counts and logs an answer: by which lane it was given, method and route, and how long it took."""
    metrics.answered(lane, *operation, sent.status_code).inc()
    metrics.seconds(*operation).observe(took_s := time.perf_counter() - environ[BEGAN])
    log_answer(*operation, sent.status_code, took_s)


def _bound(environ: dict[str, Any]) -> None:
    """Raises `Refused` for a header or a query that would take long to read; the answer to that reads it no more."""
    query = environ.get("QUERY_STRING")
    if key := too_long(environ):
        detail = f"the header {NAMES[key]} has at most {BOUNDED[key]} bytes here"
    elif not query:
        return
    elif len(query) > MOST_ASKED:
        detail = f"a query has at most {MOST_ASKED} bytes here"
    elif query.count("&") >= MOST_NAMES:
        detail = f"a query has at most {MOST_NAMES} names here"
    else:
        return
    for name in BOUNDED:
        environ.pop(name, None)
    raise Refused("too_large", detail)


def too_long(environ: Mapping[str, Any], bounds: Mapping[str, int] = BOUNDED) -> str | None:
    """A header that would take too long to read, by its name in the environment."""
    return next((key for key in bounds.keys() & environ.keys() if len(environ[key]) > bounds[key]), None)


def _of_view(asked: Request, response: Response) -> Sent:
    """The answer of a view that made a `Response`."""
    environ = asked.environ
    if response.status_code == HTTPStatus.PRECONDITION_FAILED and asked.method in ("GET", "HEAD"):  # a file
        if not matches(environ["HTTP_IF_MATCH"], response.headers["ETag"]):
            return _failed(environ)
        response.status_code = 200  # werkzeug does not know `*` here
    said = Reply(response.status_code, response.headers.to_wsgi_list())
    if response.direct_passthrough:  # a file, which the server sends itself
        headers, _ = _headers(environ, g.request_id, said)
        return Sent(response.status, headers, response.get_app_iter(environ))
    if SUBSCRIPTION in environ and response.status_code == HTTPStatus.OK:
        return Sent(response.status, _headers(environ, g.request_id, said)[0], ())
    body = b"".join(response.response) if response.response else b""  # type: ignore[arg-type] # bytes, as werkzeug keeps them
    return finished(environ, g.request_id, said._replace(body=body))


def _headers(environ: Mapping[str, Any], request_id: str, said: Reply) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """All headers of an answer, and those that it said of itself, by their names in small letters."""
    have = {name.lower(): value for name, value in said.headers}
    own = [pair for pair in said.headers if pair[0].lower() not in ONCE] if ONCE & have.keys() else said.headers
    vary = ("Vary", _vary(environ, have.get("vary")))
    return [*own, *_constant(environ["PATH_INFO"], environ), (REQUEST_ID, request_id), vary], have


class Whole(NamedTuple):
    """An answer all of which is there."""

    status: int
    headers: list[tuple[str, str]]
    have: dict[str, str]
    body: bytes

    def without(self, *names: str) -> list[tuple[str, str]]:
        """The headers but for some."""
        return [pair for pair in self.headers if pair[0].lower() not in names]


def finished(environ: Mapping[str, Any], request_id: str, said: Reply) -> Sent:
    """The answer as it is sent: what caches may do with it, what it depends on, compressed where that is wanted."""
    headers, have = _headers(environ, request_id, said)
    answer, policy = Whole(said.status, headers, have, said.body), have.get("cache-control", "")
    form = have.get("content-type", "").partition(";")[0]
    if "no-store" in policy:
        return _compressed(environ, answer, None)
    encoding = _encoding(environ, form, answer)
    if said.status == HTTPStatus.OK and environ["REQUEST_METHOD"] in ("GET", "HEAD") and form in COMPRESSED:
        if not policy:
            is_callers = ADMITTED in environ and environ[ADMITTED].contract.get("caller")
            headers.append(("Cache-Control", "private, no-cache" if is_callers else "no-cache"))
        return _tagged(environ, answer, encoding)
    if said.status >= HTTPStatus.BAD_REQUEST and not policy:  # else a cache may keep what one caller was refused
        headers.append(("Cache-Control", "no-store"))
    return _compressed(environ, answer, encoding)


def _tagged(environ: Mapping[str, Any], answer: Whole, encoding: str | None) -> Sent:
    """An answer that may be kept, with its tag: it is not sent again while it is the same."""
    tag = answer.have.get("etag") or f'"{generate_etag(answer.body)}"'
    if encoding:
        tag = f'{tag[:-1]}:{encoding}"'  # a compressed form has a tag of its own (RFC 9110, 8.8.1)
    if encoding or "etag" not in answer.have:
        answer = answer._replace(headers=[*answer.without("etag"), ("ETag", tag)])
    if (needed := environ.get("HTTP_IF_MATCH")) and not matches(needed, tag):
        return _failed(environ)
    known = environ.get("HTTP_IF_NONE_MATCH")
    if known and parse_etags(known).contains_weak(tag.strip('"')):
        return Sent(STATUS_LINES[304], answer.without(*NOT_IN_304), ())
    return _compressed(environ, answer, encoding)


def _failed(environ: Mapping[str, Any]) -> Sent:
    """The answer to a read whose `If-Match` does not hold: a problem, in place of what would have been read."""
    refusal, name = Refused("precondition_failed", "If-Match has other ETags than that of the answer"), environ[NAMED]
    body = msgspec.json.encode(problem(refusal) | {"request_id": name})
    return finished(environ, name, Reply(412, [(TYPE, PROBLEM)], body))


def _compressed(environ: Mapping[str, Any], answer: Whole, encoding: str | None) -> Sent:
    headers, body = answer.headers, answer.body
    if encoding:
        headers, body = answer.without("content-length"), COMPRESS[encoding](body)
        headers.append(("Content-Encoding", encoding))
    if encoding or "content-length" not in answer.have:
        headers.insert(0, ("Content-Length", str(len(body))))  # first: an answer cut off in its head is known as such
    line = STATUS_LINES[answer.status]
    if answer.status in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
        return Sent(line, answer.without(*NOT_IN_304), ())
    return Sent(line, headers, () if environ["REQUEST_METHOD"] == "HEAD" else (body,))


def _encoding(environ: Mapping[str, Any], form: str, answer: Whole) -> str | None:
    """How the answer is compressed: one of more than a kilobyte, where the client wants it."""
    accepted = environ.get("HTTP_ACCEPT_ENCODING")
    if (
        not accepted
        or len(answer.body) < LEAST_BYTES
        or form not in COMPRESSED
        or answer.status >= HTTPStatus.MULTIPLE_CHOICES
    ):
        return None
    return None if "content-encoding" in answer.have else _best(accepted)


@lru_cache(1024)
def _best(accepted: str) -> str | None:
    """The encoding that a client likes best, of several that it likes alike the first one here."""
    liked = parse_accept_header(accepted, Accept)
    best, plain = max(COMPRESS, key=liked.quality), liked.quality("identity") if "identity" in accepted else 0
    return best if liked.quality(best) > 0 and liked.quality(best) >= plain else None


def _constant(path: str, environ: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What stands in every answer; pages of any origin read what is public, with a token that they have."""
    if not PUBLIC.match(path):
        return SAFE
    if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
        return (*SAFE, *OF_EVERY_ORIGIN, *PREFLIGHT)
    return SAFE_EVERYWHERE


def _vary(environ: Mapping[str, Any], said: str | None) -> str:
    """The headers of requests on which the answer depends."""
    varies = environ[ADMITTED].contract["varies"] if ADMITTED in environ else ()
    own = said.split(", ") if said else ()
    return ", ".join(dict.fromkeys(["Accept-Encoding", *environ.get(DEPENDS_ON, ()), *own, *varies]))


def asked_for(asked: Request) -> tuple[str, str]:
    """Method and route of a request, for figures, logs and traces: no table and nobody is in them."""
    return (asked.method, asked.url_rule.rule) if asked.url_rule else NO_ROUTE


def request_id(environ: dict[str, Any]) -> str:
    """The id of a request, which it keeps in both lanes."""
    if NAMED not in environ:
        environ[NAMED] = request_id_of(environ.get("HTTP_X_REQUEST_ID"))
    name: str = environ[NAMED]
    return name


def request_id_of(given: str | None) -> str:
    """The id of a request: the client's, if that may stand in a line of a log, else a new one."""
    return given if given and NAME.fullmatch(given) else os.urandom(16).hex()


def route_of(app: Flask, method: str, path: str) -> tuple[str, str]:
    """The same of a request that the app does not have, or has no more."""
    try:
        rule, _ = app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return NO_ROUTE
    return method, rule.rule
