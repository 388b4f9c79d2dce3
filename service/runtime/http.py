"""What HTTP requires of every answer: other origins, compression, caching, and the request's id."""

import re
import uuid
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, request
from flask_compress import Compress
from flask_cors import CORS
from werkzeug.exceptions import HTTPException

from service.api.admission import ASKING
from service.api.headers import PREFER, REQUEST_ID
from service.errors import Refused

COMPRESSED = (
    "application/json",
    "application/problem+json",
    "application/x-ndjson",
    "application/octet-stream",
    "text/plain",
)
ENCODINGS = ("zstd", "br", "gzip")  # which is taken, where the client likes several alike
LEAST_BYTES = 1024
NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
A_DAY_S = 86_400
NO_ROUTE = ("any", "none")
MOST_LISTED = 2048  # bytes of a header that is a list: each word of it is compared with all that can be answered
ASKED_FOR = "Access-Control-Request-Headers"  # by browsers, at nobody's cost
LISTS = ("Accept", "Accept-Encoding", "Accept-Language", "If-Match", "If-None-Match", PREFER, "Range", ASKED_FOR)
TYPE, MOST_OF_TYPE = "Content-Type", 256  # bytes: parameters are compared with all that came before them
MOST_ASKED, MOST_NAMES = 8192, 100  # bytes of a query, and names in it: each that is unknown is told
BOUNDED = {**dict.fromkeys(LISTS, MOST_LISTED), TYPE: MOST_OF_TYPE}
VARIED = ("Accept-Language", PREFER)
PUBLIC = r"/(v1/|\.well-known/|openapi\.|asyncapi\.|healthz|readyz).*"  # all but the page, and what is the operator's
READ = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "Last-Event-ID",
    PREFER,
    "Range",
)
TOLD = (
    *("ETag", "Link", "Location", "Retry-After", REQUEST_ID, "Preference-Applied"),
    *("Content-Language", "Content-Disposition", "WWW-Authenticate", "Deprecation", "Sunset"),
    *("Accept-Ranges", "Content-Range"),
)


def speak_http(app: Flask) -> None:
    """Adds to every answer of the app what HTTP requires."""
    app.config.update(COMPRESS_MIMETYPES=COMPRESSED, COMPRESS_ALGORITHM=ENCODINGS, COMPRESS_MIN_SIZE=LEAST_BYTES)
    app.config.update(COMPRESS_REGISTER=False, COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False)
    compress = Compress(app)

    @app.after_request
    def _tell(response: Response) -> Response:
        response.headers[REQUEST_ID] = g.request_id
        if response.status_code >= HTTPStatus.BAD_REQUEST:  # else a cache may keep what one caller was refused
            response.headers.setdefault("Cache-Control", "no-store")
        may_be_kept = _may_be_kept(response)
        _say_what_it_depends_on(response)
        if may_be_kept:
            _tag(response)
        response = _compressed(compress, response)
        return _only_if_new(response) if may_be_kept else response

    app.before_request(_name)
    open_to_pages(app)


def open_to_pages(app: Flask) -> None:
    """Lets pages of any origin read what is public and send a token that they have; browsers add none."""
    CORS(
        app,
        resources=PUBLIC,
        origins="*",
        send_wildcard=True,
        supports_credentials=False,
        methods=["GET", "HEAD", "POST", "PUT", "DELETE"],
        allow_headers=[*READ, REQUEST_ID],
        expose_headers=list(TOLD),
        max_age=A_DAY_S,
    )


def _name() -> None:
    g.request_id = request_name(request.headers.get(REQUEST_ID))


def request_name(given: str | None) -> str:
    """The name of a request: what the client calls it, if that may stand in a line of a log, else a new one."""
    return given if given and NAME.fullmatch(given) else uuid.uuid4().hex


def asked_for() -> tuple[str, str]:
    """Method and route of the current request, for figures, logs and traces: no table and nobody is in them."""
    return (request.method, request.url_rule.rule) if request.url_rule else NO_ROUTE


def route_of(app: Flask, method: str, path: str) -> tuple[str, str]:
    """The same of a request that the app does not have, or has no more."""
    try:
        rule, _ = app.url_map.bind("").match(path, method, return_rule=True)
    except HTTPException:
        return NO_ROUTE
    return method, rule.rule


def bound_lists(app: Flask) -> None:
    """Has requests refused whose headers or query would take long to read."""
    app.before_request(_bound)


def _bound() -> None:
    """Raises `Refused` for a header or a query that is too long; the answer to that reads it no more."""
    for name, most in BOUNDED.items():
        if len(request.environ.get(_key(name), "")) > most:
            _pass_over(BOUNDED)
            raise Refused("too-large", f"the header {name} has at most {most} bytes here")
    if len(request.query_string) > MOST_ASKED:
        _pass_over(BOUNDED)
        raise Refused("too-large", f"a query has at most {MOST_ASKED} bytes here")
    if request.query_string.count(b"&") >= MOST_NAMES:
        _pass_over(BOUNDED)
        raise Refused("too-large", f"a query has at most {MOST_NAMES} names here")


def _pass_over(names: Iterable[str]) -> None:
    for name in names:
        request.environ.pop(_key(name), None)


def _key(name: str) -> str:
    """The name of a header in the WSGI environment."""
    return "CONTENT_TYPE" if name == TYPE else "HTTP_" + name.upper().replace("-", "_")


def _contract() -> Mapping[str, Any]:
    """What the operation that was asked for says of itself."""
    asking = request.environ.get(ASKING)
    return asking.contract if asking else {}


def _may_be_kept(response: Response) -> bool:
    read = request.method in ("GET", "HEAD") and response.status_code == 200
    return read and response.mimetype in COMPRESSED and not response.cache_control.no_store


def _say_what_it_depends_on(response: Response) -> None:
    asked = {header["name"] for header in _contract().get("headers", ())}
    response.vary.update(("Accept-Encoding", *(name for name in VARIED if name in asked), *g.get("depends_on", ())))
    if _contract().get("caller"):
        response.vary.add("Authorization")


def _tag(response: Response) -> None:
    """Gives an answer that may be kept its tag: it is asked for again, and not sent again while it is the same."""
    response.headers.setdefault("Cache-Control", "private, no-cache" if _contract().get("caller") else "no-cache")
    response.add_etag()


def _compressed(compress: Compress, response: Response) -> Response:
    """An answer of more than a kilobyte, compressed; not one with the text of a token, and not a stream."""
    wanted = any(request.accept_encodings[name] > 0 for name in ENCODINGS)
    if not wanted or response.cache_control.no_store:
        return response
    answer: Response = compress.after_request(response)
    return answer


def _only_if_new(response: Response) -> Response:
    response.make_conditional(request)
    response.headers.pop("Date", None)  # the server writes it, the same for all that is sent in a second
    return response
