"""The catalogue of events: what each type says, who may read what, and how it reads."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, get_type_hints

import msgspec

from events.lifecycle import LIFECYCLE
from games.kernel import AnyGame
from games.payloads import event_type
from rulings.words import LANGUAGES, TABLE, sentence
from service.accounts.personal_texts import NO_TEXTS
from service.api.document.gameschemas import schema_name, title_of
from service.tables.event_rows import texts_of

AT_A_TABLE = "table"  # the events that tables of every game have, among the examples
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]?[0-9]+(?:\.[0-9]+[a-z]?)*")
OF_THE_DOCUMENT, OF_THE_SCHEMA = "#/components/schemas/", "#/$defs/"

EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    files("service.api.document").joinpath("events.json").read_text(encoding="utf-8")
)
"""By game and type; `make openapi` finds them in games that are played."""


def catalogue(game: AnyGame, schemas: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every type of event that a table of the game may have: the game's own, then the table's. `schemas` has all."""
    own = (_row(game, event, "game", schemas) for event in game.events)
    return [*own, *(_row(game, event, AT_A_TABLE, schemas) for event in LIFECYCLE)]


def _row(game: AnyGame, event: Any, of: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    payload = schema_name(title_of(game) if of == "game" else "Table", event)
    example = EXAMPLES.get(game.slug if of == "game" else AT_A_TABLE, {}).get(event_type(event))
    return {
        "type": event_type(event),
        "of": of,
        "description": inspect.getdoc(event),
        "schema": event.schema,
        "secret": secrets_of(event),
        "rules": list(dict.fromkeys(RULE.findall(inspect.getdoc(event) or ""))),
        "name": schema_name(title_of(game), event),
        "payload": _bundled(f"{payload}Payload", schemas),
        "example": example,
        "words": _words(game, of, example),
    }


def secrets_of(event: Any) -> list[str]:
    """The fields that may be closed to some readers: they need not be there."""
    hints = get_type_hints(event)
    return [name for name in event.__struct_fields__ if msgspec.UnsetType in getattr(hints[name], "__args__", ())]


def _words(game: AnyGame, of: str, example: Mapping[str, Any] | None) -> dict[str, str] | None:
    """The sentence of the example in each language, as whoever may read all of it reads it."""
    if example is None:
        return None
    spoken = game.slug if of == "game" else TABLE
    payload = {
        language: example["payload"] | texts_of("", example["type"], example["payload"], NO_TEXTS.teller(language))
        for language in LANGUAGES
    }
    return {language: sentence(spoken, example["type"], payload[language], language) for language in LANGUAGES}


def _bundled(name: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of the document that stands for itself: what it refers to is in its `$defs`."""
    found: dict[str, Any] = {}
    waiting = [*_named_in(schemas[name])]
    while waiting:
        inner = waiting.pop()
        if inner not in found:
            found[inner] = schemas[inner]
            waiting += _named_in(schemas[inner])
    schema = schemas[name] | ({"$defs": dict(sorted(found.items()))} if found else {})
    text = msgspec.json.encode(schema).replace(OF_THE_DOCUMENT.encode(), OF_THE_SCHEMA.encode())
    bundled: dict[str, Any] = msgspec.json.decode(text)
    return bundled


def _named_in(node: Any) -> Iterator[str]:
    """The names of the schemas that a part of the document refers to."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(OF_THE_DOCUMENT)
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _named_in(part)
