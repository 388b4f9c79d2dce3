"""Strict parsing of requests: anything ambiguous or unknown is refused, and the problem says what to correct."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, reduce
from itertools import chain
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from flask import Request as HttpRequest
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE, Schema, ValidationError, fields
from marshmallow.exceptions import SCHEMA
from marshmallow.validate import Range
from webargs.flaskparser import FlaskParser
from werkzeug.routing import IntegerConverter

from service.errors import FieldError, Refused
from service.limits.bodies import LARGEST_BODY
from service.tables.authorisation import ALL

View = TypeVar("View", bound=Callable[..., Any])

MAX_DEPTH = 32
MOST_VALUES = 1000  # of a body, each of which may come back in `errors`
PLAIN = ("text/plain", "application/octet-stream")  # what a text by itself is sent as
NO_BODY = (b"", b"{}")
MAX_INTEGER = 2**53  # beyond it not every JSON reader keeps the number


def strict_json(body: bytes) -> Any:
    """Returns the JSON value of a body; raises `Refused` for JSON that parsers read differently."""
    try:
        text = body.decode("utf-8")
        if b"\\u" in body or body.count(b"[") + body.count(b"{") >= MAX_DEPTH or body.count(b",") >= MOST_VALUES:
            _check(json.loads(text))  # which could find nothing else; without hooks it is soon read
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_finite, parse_int=_bounded
        )
    except UnicodeDecodeError:
        raise Refused("malformed", "the body is not UTF-8") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise Refused("malformed", f"the body is not valid JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice in an object")
    return found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large")
    return value


def _bounded(text: str) -> int:
    if len(text) > 17 or abs(int(text)) >= MAX_INTEGER:
        raise ValueError(f"an integer lies between -2^53 and 2^53, not {text[:20]}")
    return int(text)


def _check(value: Any) -> None:
    """Raises `Refused` for too many values, for nesting too deep, and for texts that are no Unicode."""
    level, count = [value], 0
    for _ in range(MAX_DEPTH):
        count += len(level)
        if count > MOST_VALUES:
            raise Refused("malformed", f"the body holds more than {MOST_VALUES} values")
        objects = [found for found in level if isinstance(found, dict)]
        for text in chain(*objects, (found for found in level if isinstance(found, str))):
            _check_text(text)
        level = list(chain(*(found for found in level if isinstance(found, list)), *map(dict.values, objects)))
    if level:
        raise _too_deep()


def _check_text(text: str) -> None:
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise Refused("malformed", "a text holds a NUL or half a surrogate pair")


def _too_deep() -> Refused:
    return Refused("malformed", f"the body is nested deeper than {MAX_DEPTH}")


class StrictParser(FlaskParser):
    """Parses bodies as strict JSON; unknown names are refused in bodies and queries."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE, "json": RAISE}  # noqa: RUF012 - webargs' own form

    def load_json(self, req: HttpRequest, schema: Any) -> Any:
        """Returns the body, `{}` if there is none; plain text becomes the field that the schema names in `plain`."""
        body, plain = req.get_data(), getattr(schema, "plain", None)
        if not body:
            return {}
        if req.mimetype == "application/json" or plain is None:
            return body_of(body, req.mimetype)
        return {plain: _plain(req, body)}

    def load_querystring(self, req: HttpRequest, schema: Any) -> Any:
        """Returns the query; a name may occur only once."""
        _check_twice([name for name, values in req.args.lists() if len(values) > 1])
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> Any:
        """Raises `Refused` for values that do not fit a schema."""
        raise _unfit(error.messages)


PLACES = {"json": "body", "query": "query"}  # by the names of webargs


def _unfit(messages: Any) -> Refused:
    errors = [error for location, found in messages.items() for error in _field_errors(found, PLACES[location])]
    return Refused("invalid", "some fields do not fit; see `errors`", errors=errors)


def _field_errors(messages: Any, place: str, pointer: str = "") -> Iterator[FieldError]:
    """Yields the errors in marshmallow's messages: texts, lists of them, or these by field."""
    if isinstance(messages, dict):
        for name, found in messages.items():
            token = str(name).replace("~", "~0").replace("/", "~1")
            yield from _field_errors(found, place, pointer if name == SCHEMA else f"{pointer}/{token}")
    else:
        for said in [messages] if isinstance(messages, str) else messages:
            yield FieldError(place, pointer, said)


def load(schema: Schema, location: str, values: Mapping[str, Any]) -> Any:
    """Returns values loaded by a schema; raises `Refused`."""
    try:
        return schema.load(values, unknown=RAISE)
    except ValidationError as error:
        raise _unfit({location: error.messages}) from None


def body_of(body: bytes, media_type: str) -> dict[str, Any]:
    """Returns the fields of a JSON body; raises `Refused`."""
    if not body:
        return {}
    if media_type != "application/json":
        raise Refused("unsupported_media_type", "send the body with `Content-Type: application/json`")
    value = strict_json(body)
    if not isinstance(value, dict):
        errors = [FieldError("body", "", "It has to be an object: {…}.")]
        raise Refused("invalid", "the body has to be one JSON object with the fields of this operation", errors=errors)
    return value


def query_of(text: str) -> dict[str, str]:
    """Returns the query of a URL; a name may occur only once, as parsers differ in which one they take."""
    if not text:
        return {}
    pairs = parse_qsl(text.encode("latin-1").decode("utf-8", "replace"), keep_blank_values=True)
    _check_twice([name for name, number in Counter(name for name, _ in pairs).items() if number > 1])
    return dict(pairs)


def _check_twice(names: list[str]) -> None:
    if names:
        errors = _field_errors(dict.fromkeys(names, "occurs more than once"), "query")
        raise Refused("invalid", "a name occurs twice in the query", errors=list(errors))


def _plain(req: HttpRequest, body: bytes) -> str:
    """Returns a body that is plain text."""
    charset = req.mimetype_params.get("charset", "utf-8").lower()
    if req.mimetype not in PLAIN or charset != "utf-8":
        raise Refused("unsupported_media_type", f"send it as {' or '.join(PLAIN)} in UTF-8, or as application/json")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("malformed", "the body is not UTF-8") from None
    _check_text(text)
    return text


@cache
def reads(view: Any) -> tuple[bool, bool]:
    """Whether an operation reads a query, and a body; other routes may read both."""
    told = getattr(view, "_apidoc", {})
    read = {parameter["in"] for parameter in told.get("arguments", {}).get("parameters", ())}
    takes_body = "json" in read or "requestBody" in told.get("manual_doc", {})
    return not told or "query" in read, not told or takes_body


def check_unread(view: Any, asked: HttpRequest) -> None:
    """Raises `Refused` for a query or a body that the operation does not read: it has no schema that would look at it.

    An empty object is as good as no body, since many clients send one with every POST.
    """
    query, body = reads(view)
    if not query and asked.environ.get("QUERY_STRING") and asked.args:
        errors = list(_field_errors(dict.fromkeys(asked.args, "Unknown field."), "query"))
        raise Refused("invalid", "this operation reads no query: leave it out", errors=errors)
    if not body and asked.environ.get("CONTENT_LENGTH") and asked.get_data() not in NO_BODY:
        errors = [FieldError("body", "", "Unknown field.")]
        raise Refused("invalid", "this operation takes no body: leave it out", errors=errors)


def _saying(decorator: Callable[[Any], Any]) -> Callable[[View], View]:
    """Returns a decorator that only documents a view."""

    def mark(view: View) -> View:
        view.__dict__["_apidoc"] = decorator(view)._apidoc
        return view

    return mark


class Blueprint(SmorestBlueprint):
    """A resource whose requests are parsed strictly, and whose operations declare their contracts."""

    ARGUMENTS_PARSER = StrictParser()

    def route(  # noqa: PLR0913 - each is said by a word of its own, and all but the rule may be left out
        self,
        rule: str,
        *,
        query: type[Schema] | None = None,
        body: type[Schema] | None = None,
        answer: Any = None,
        status: int = 200,
        description: str | None = None,
        content_type: str | None = None,
        headers: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        """Adds an operation: it parses query and body by these schemas, and makes the answer that is described here.

        The view gets the parsed query first, then the body. A schema is made once: webargs would make it at every call.
        """
        add, described = super().route(rule, **options), {"description": description, "content_type": content_type}
        marks = [_saying(super().response(status, answer, headers=headers, **described))]
        if body:
            marks.append(self.arguments(body()))
        if query:
            marks.append(self.arguments(query(), location="query"))

        def mark(view: View) -> View:
            return cast(View, add(reduce(lambda marked, one: one(marked), marks, view)))

        return mark

    def alt_response(self, status: int, response: Any = None, **options: Any) -> Any:
        """Documents an alternative response."""
        return _saying(super().alt_response(status, response, **options))

    def describes(self, schema: type[Schema], location: str = "json") -> Callable[[View], View]:
        """Documents the request of an operation that parses it itself."""
        return _saying(self.arguments(schema(), location=location))

    @staticmethod
    def contract(  # noqa: PLR0913 - each is said by a word of its own, and may be left out
        *refuses: str,
        needs: str | tuple[str, ...] | None = None,
        may: str | None = None,
        takes: int = LARGEST_BODY,
        counts: str | None = "",
        headers: tuple[dict[str, Any], ...] = (),
        asks_store: bool = True,
        transcripts: bool = False,
    ) -> Callable[[View], View]:
        """What an operation tells besides its schemas.

        Its name is that of the view, and clients call a function by it. The rest is said here: the codes of the
        problems that are its own (a word may hold several), which scopes the caller's token needs, or `may` have, the
        bytes that a body may have, what it counts as (`limits.rates`; None: as nothing; left out: as a read or a
        change, by its method), the request headers that it reads, whether it asks the store, and whether it reads
        transcripts as it reads tables.
        A token has one of the scopes, or all of some in one word ("play watch"); any token will do for an empty word.
        Who needs a token and has none, or one without the scopes, is refused before a body is read.
        """
        scopes = may if needs is None else needs
        told: dict[str, Any] = {
            "refuses": " ".join(refuses).split(),
            "caller": "needed" if needs is not None else "optional" if may is not None else None,
            "scopes": [word.split() for word in ([scopes] if isinstance(scopes, str) else scopes or ()) if word],
            "takes": takes,
            "counts": counts,
            "headers": list(headers),
            "asks_store": asks_store,
            "transcripts": transcripts,
        }

        def mark(view: View) -> View:
            first, *words = view.__name__.split("_")
            named = {"name": first + "".join(map(str.title, words))}
            view.__dict__.setdefault("_apidoc", {}).setdefault("manual_doc", {})["x-contract"] = named | told
            return view

        return mark


class Described(fields.Field[Any]):
    """A field whose first argument may be its description."""

    def __init__(self, description: str | None = None, /, **field: Any) -> None:
        told = {"description": description} if description else {}
        super().__init__(**{**field, "metadata": told | field.get("metadata", {})})


class Whole(Described, fields.Integer):
    """An integer written as one: not 3.0, "3" or true."""

    def __init__(self, description: str | None = None, /, validate: Any = (), **field: Any) -> None:
        bounds = Range(1 - MAX_INTEGER, MAX_INTEGER - 1)
        super().__init__(description, validate=[bounds, *([validate] if callable(validate) else validate)], **field)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if type(value) is not int:
            raise ValidationError("must be an integer")
        return value


class QueryWhole(Described, fields.Integer):
    """An integer of a query: decimal digits only."""

    def __init__(self, description: str | None = None, /, **field: Any) -> None:
        super().__init__(description, **{"validate": Range(0, 999_999_999), **field})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not re.fullmatch("[0-9]{1,9}", str(value)):
            raise ValidationError("must be a number from 0 to 999999999")
        return int(value)


class QuerySeat(Described):
    """A seat of a query, or `all` of them together (`ALL`)."""

    def __init__(self, description: str, /) -> None:
        super().__init__(description, metadata={"type": "string", "pattern": "^(all|[0-9]{1,9})$"})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not re.fullmatch("all|[0-9]{1,9}", str(value)):
            raise ValidationError("must be the number of a seat, or all")
        return ALL if value == "all" else int(value)


class PathWhole(IntegerConverter):
    """An integer of a path: decimal digits of ASCII only."""

    regex = "[0-9]{1,9}"


class Truth(Described, fields.Boolean):
    """true or false, and no other spelling."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("must be true or false")
        return value
