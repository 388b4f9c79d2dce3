"""The catalogue of events: every type of event that a table of a game may have, with its schema and an example."""

import inspect
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, get_type_hints

import msgspec

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.kernel import AnyGame
from games.payloads import event_type
from rulings.sentences import LANGUAGES, TABLE, sentence
from service.accounts.shown_names import Presenter
from service.tables.table_documents import texts_of

RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?[0-9]+(?:\.[0-9]+[a-z]?)*")
EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    files("service.api").joinpath("event_examples.json").read_text(encoding="utf-8")
)
"""An event by game (or `table`) and type; `make openapi` finds them in games that are played."""


@cache
def event_types(slug: str) -> list[dict[str, Any]]:
    """Returns a game's types of event, then those of every table."""
    game = GAMES[slug]
    own = [_row(event, "game", title_of(GAMES[slug]), slug) for event in game.events]
    return [*own, *(_row(event, "table", "Table", TABLE) for event in LIFECYCLE)]


def _row(event: Any, of: str, title: str, speaker: str) -> dict[str, Any]:
    example = EXAMPLES[speaker or "table"].get(event_type(event))
    return {
        "type": event_type(event),
        "of": of,
        "description": inspect.getdoc(event),
        "schema": event.schema,
        "secret": secrets_of(event),
        "rules": list(dict.fromkeys(RULE.findall(inspect.getdoc(event) or ""))),
        "name": schema_name(title, event),
        "payload": _payload(event),
        "example": example,
        "words": example and _words(speaker, example),
    }


def title_of(game: AnyGame) -> str:
    """The prefix of a game's schemas, such as `BigManitou`."""
    return "".join(word.title() for word in game.slug.split("-"))


def schema_name(title: str, cls: type[Any]) -> str:
    """The name of a class's schema in the OpenAPI document: it begins with a title, unless several games share it."""
    _, _, module = cls.__module__.partition("games.")
    return cls.__name__ if module and "." not in module else title + cls.__name__.removeprefix(title)


def secrets_of(event: Any) -> list[str]:
    """Returns the secret fields of an event, which are optional."""
    hints = get_type_hints(event)
    return [name for name in event.__struct_fields__ if msgspec.UnsetType in getattr(hints[name], "__args__", ())]


def _payload(event: type[Any]) -> dict[str, Any]:
    """The JSON Schema of an event's fields; its `$defs` hold the schemas that it refers to."""
    schema = msgspec.json.schema(event)
    named = schema["$defs"]
    payload: dict[str, Any] = named.pop(event.__name__)
    payload["required"].remove("type")
    del payload["properties"]["type"]
    return payload | ({"$defs": named} if named else {})


def _words(speaker: str, example: Mapping[str, Any]) -> dict[str, str]:
    """Returns the sentence of an example in each language, as seen by a reader of all secrets."""
    type_, payload = example["type"], example["payload"]
    return {
        language: sentence(speaker, type_, payload | texts_of("", type_, payload, Presenter(language)), language)
        for language in LANGUAGES
    }
