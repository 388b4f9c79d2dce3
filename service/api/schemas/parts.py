"""What several schemas are made of."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from types import GenericAlias, UnionType
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate

from games import GAMES
from service.accounts.allowed_names import checked_text
from service.api.request_parsing import MAX_INTEGER, Described, QueryWhole
from service.encodings import bytes_of

ID = validate.Regexp(r"^[A-Za-z0-9_-]{1,64}\Z")
AT = "as it was at this version"
EYES = "as this seat saw it: the caller's own; once the game is over any seat, or `all` to see everything"
STATUSES = ("open", "running", "finished")
VISIBILITIES = ("public", "private")


def moment(description: str | None = None, **field: Any) -> Any:
    """A recorded time: RFC 3339, in UTC."""
    said = {"description": description} if description else {}
    return fields.String(required=True, metadata={"format": "date-time"} | said, **field)


def a_day(**field: Any) -> Any:
    """A day of UTC, or null."""
    return fields.String(required=True, allow_none=True, metadata={"format": "date"}, **field)


def one_of(values: Iterable[str], description: str | None = None) -> Any:
    """One of these texts, in an answer."""
    metadata = {"description": description} if description else {}
    return fields.String(required=True, validate=validate.OneOf(tuple(values)), metadata=metadata)


def game_name() -> Any:
    """The game, in an answer."""
    return one_of(GAMES)


PLAIN = {int: fields.Integer, str: fields.String, float: fields.Float, bool: fields.Boolean, dict: fields.Dict}
USUAL: dict[str, Any] = {  # what a word names in every answer: a type, or what makes the field
    **dict.fromkeys(("id", "table", "player", "name", "by", "title", "type", "rule", "option", "refused", "next"), str),
    **dict.fromkeys(("text", "words", "says", "detail", "description", "section", "label", "url", "path"), str),
    **dict.fromkeys(("version", "seat", "seats", "players", "events", "moves", "games", "won", "to"), int),
    **dict.fromkeys(("worlds", "iterations", "rating", "deviation"), int),
    **dict.fromkeys(("share", "low", "high"), float),
    **{"options": dict, "bot": bool, "rules": [str], "faults": [str], "winners": [int]},
    **dict.fromkeys(("at", "opened_at", "ended_at", "since", "deadline"), moment),
    **{"game": game_name, "used_on": a_day},
    **{"status": partial(one_of, STATUSES), "visibility": partial(one_of, VISIBILITIES)},
}


def schema(name: str, description: str, /, *more: str | type[Schema]) -> Callable[..., type[Schema]]:
    """A schema: called with its own fields, it adds those of other schemas and usual ones by name (`name?`: or null).

    A field of an answer may be a type, a list of one, `dict` of two, `type | None`, or one of these and its meaning.
    """
    usual = {word.removesuffix("?"): _usual(word) for text in more if isinstance(text, str) for word in text.split()}
    bases = tuple(base for base in more if not isinstance(base, str)) or (Schema,)

    def of(**described: Any) -> type[Schema]:
        own = {key: value if isinstance(value, fields.Field) else _field(value) for key, value in described.items()}
        return type(name, bases, {"__doc__": description, **usual, **own})

    return of


def _usual(word: str) -> fields.Field[Any]:
    name = word.removesuffix("?")
    kind = USUAL[name]
    found: fields.Field[Any] = _field(kind) if isinstance(kind, type | list) else kind()
    found.allow_none = word != name
    return found


def _field(kind: Any, **options: Any) -> Any:
    if isinstance(kind, tuple):
        return _field(kind[0], metadata={"description": kind[1]})
    if isinstance(kind, UnionType):
        return _field(get_args(kind)[0], allow_none=True, **options)
    if isinstance(kind, list):
        return fields.List(_field(kind[0]), required=True, **options)
    if isinstance(kind, GenericAlias):
        keys, values = (PLAIN[each]() for each in get_args(kind))
        return fields.Dict(keys=keys, values=values, required=True, **options)
    return PLAIN[kind](required=True, **options) if kind in PLAIN else fields.Nested(kind, required=True, **options)


def ref(name: str) -> dict[str, Any]:
    """A component of the document, by its name."""
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}]}


def nullable(name: str, description: str) -> Any:
    """A component of the document, or null where the description says so; in an answer."""
    any_of = [{"$ref": f"#/components/schemas/{name}"}, {"type": "null"}]
    return fields.Raw(required=True, metadata={"anyOf": any_of, "description": description})


def any_json(description: str = "any JSON value") -> Any:
    """A value of any kind."""
    return fields.Raw(metadata={"description": description})


def list_of(name: str, description: str | None = None) -> Any:
    """A list of a component of the document, in an answer."""
    said = {"description": description} if description else {}
    return fields.List(fields.Raw(metadata=ref(name)), required=True, metadata=said)


class Text(Described, fields.String):
    """A text; nothing is turned into one."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a text")
        return value

    def _validate(self, value: Any) -> None:
        """Stops at the first fault: what is too long is not read sign by sign."""
        for check in self.validators:
            check(value)


def choice(values: Iterable[str], description: str | None = None, **field: Any) -> Text:
    """One of these texts, in a request."""
    return Text(description, validate=validate.OneOf(tuple(values)), **field)


def when(description: str) -> Text:
    """A time (RFC 3339) in a query."""
    return Text(f"{description} (RFC 3339)", validate=validate.Length(1, 40), metadata={"format": "date-time"})


def limit(what: str, load_default: int = 50, most: int = 200) -> QueryWhole:
    """How much a page has at most."""
    return QueryWhole(what, load_default=load_default, validate=validate.Range(1, most))


def words(most: int, description: str | None = None, least: int = 1, **field: Any) -> Text:
    """What somebody writes, in a request; required unless it is said otherwise."""
    checks = [validate.Length(least, most), checked_text]
    return Text(description, validate=checks, **(field or {"required": True}))


class Name(Text):
    """A name: kept in NFC, and without blanks at its ends."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        return unicodedata.normalize("NFC", super()._deserialize(value)).strip()


class Cursor(Text):
    """`next` of the page before: opaque to clients, and read as a place of this form (a regular expression)."""

    def __init__(self, form: str) -> None:
        super().__init__("`next` of the page before")
        self._form = form

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        with suppress(ValueError):
            if re.fullmatch(self._form, place := bytes_of(super()._deserialize(value)).decode()):
                return place
        raise ValidationError("is not a cursor of this list")


class OptionValue(fields.Field):
    """A value of a house rule: a text, an integer, true or false, or a list of texts."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        is_list_of_texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not is_list_of_texts and not isinstance(value, str | bool | int):
            raise ValidationError("must be a text, an integer, true, false or a list of texts")
        return value


class HouseRules(fields.Dict):
    """House rules by name; an error is about the rule, not about the `value` of an entry as marshmallow has it."""

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> Any:
        try:
            return super()._deserialize(value, *args, **options)  # type: ignore[no-untyped-call] # of marshmallow
        except ValidationError as error:
            if isinstance(found := error.messages, dict):
                raise ValidationError(
                    {name: of_rule.get("value", of_rule) for name, of_rule in found.items()}
                ) from None
            raise


def house_rules(description: str, **field: Any) -> Any:
    """House rules by name, as they are chosen."""
    least, most = 1 - MAX_INTEGER, MAX_INTEGER - 1
    texts = {"type": "array", "items": {"type": "string"}}
    kinds = [{"type": "string"}, {"type": "boolean"}, {"type": "integer", "minimum": least, "maximum": most}, texts]
    value = OptionValue(metadata={"anyOf": kinds})
    return HouseRules(keys=Text(), values=value, metadata={"description": description}, **field)


LANGUAGE = choice(("en", "fr"), "adds a sentence in this language to each event")
STREAM: dict[str, Any] = {  # fields of the query of whatever can be a stream
    "names": Text("`off`: a stream without `event` lines", validate=validate.OneOf(("on", "off"))),
    "stream_token": Text("opens a stream without Authorization", validate=validate.Length(1, 100)),
}


class PageQuery(Schema):
    """Which part of a list of tables."""

    cursor = Cursor(r"[0-9]{15}\|[a-z0-9_]{1,40}")
    limit = limit("tables a page, at most")
