"""The schemas of the games: one a kind of move, event and view, and their unions."""

from collections.abc import Iterable, Iterator
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.kernel import AnyGame
from service.api.event_types import schema_name, title_of
from service.tables.table_documents import BESIDE
from tools.contracts.shapes import NUMBER, TEXT, TIME, Schema, record, ref, union

Schemas = dict[str, Schema]

SEATS: Schema = {"type": "array", "items": NUMBER}


def _map(values: Schema, description: str) -> Schema:
    return {"type": "object", "additionalProperties": values, "description": description}


ENVELOPE = record(
    "The fields of every event. The public envelope is the event without `game`, `hash`, `opened`, `texts`, `used_ms`, "
    "`words` and the fields that `opened` names (in the payload too, if `readers` names them). Its canonical JSON is "
    "hashed: hash = SHA-256(previous hash, version as 8 bytes, envelope). `secrets` commits to each secret by "
    "SHA-256(salt, canonical JSON of the value).",
    {
        "table": TEXT | {"description": "the table's id"},
        "version": NUMBER | {"minimum": 1, "description": "the version that the event takes its table to"},
        "schema": NUMBER | {"minimum": 1, "description": "the version of the payload's form"},
        "at": TIME | {"description": "when it was recorded, by the table's clock"},
        "by": ref("Cause"),
        "request": {"type": ["string", "null"], "description": "the id of the request that caused it"},
        "batch": SEATS
        | {"minItems": 2, "maxItems": 2, "description": "first and last version of the events recorded together"},
        "readers": _map(SEATS, "for each secret field of the payload, the seats that may read it"),
        "secrets": _map(TEXT, "a commitment to each secret"),
        "draws": _map(NUMBER, "the number of random draws, by kind"),
        "hash": TEXT | {"description": "the hash of the chain up to this event (hexadecimal)"},
        "opened": _map(ref("OpenedSecret"), "the secrets that the caller may read"),
    },
    now=TIME | {"description": "the server's time, if `at` was ahead of it; deadlines count from it"},
    ai_seed=TEXT | {"description": "the seed of an AI's choice, once the game is over"},
    ai_used={"allOf": [ref("AiUsed")], "description": "how an AI chose, once the game is over"},
    again={
        "type": "array",
        "items": ref("MoveAgain"),
        "description": "the moves that a correction plays again, once the game is over",
    },
    texts=_map(
        TEXT,
        "names and texts in plain, by the field of the payload that holds them encrypted; `somebody` or `(removed)` "
        "where they were erased",
    ),
    used_ms=NUMBER
    | {"description": "in the first event of a move: how long the person took for the decision, in milliseconds"},
    words=TEXT | {"description": "a sentence about the event, if `language` was given"},
)


ENVELOPES: Schemas = {
    "Envelope": ENVELOPE,
    "Cause": record(
        "Who caused an event.",
        {"kind": TEXT | {"enum": ["seat", "player", "clock"], "description": "`clock`: nobody, a time was over"}},
        seat=NUMBER | {"description": "with kind `seat`"},
        player={"type": ["string", "null"], "description": "null: an AI holds the seat"},
        ai=record("The AI player that holds the seat.", {"player": TEXT, "version": NUMBER, "level": TEXT}),
    ),
    "AiUsed": record(
        "The AI player that chose: it used `iterations` of its `budget` and saw the table at version `seen`.",
        {"player": TEXT, "version": NUMBER, "iterations": NUMBER, "budget": NUMBER, "seen": NUMBER},
        instead_of={"type": "array", "items": ref("AiGivenUp")},
    ),
    "AiGivenUp": record(
        "An AI player that failed before another one chose, and why.",
        {"player": TEXT, "version": NUMBER, "why": TEXT},
    ),
    "MoveAgain": record("A move that is played again.", {"seat": NUMBER, "move": {"type": "object"}}),
    "OpenedSecret": record("The salt of an opened secret, with which its commitment can be checked.", {"salt": TEXT}),
}


def _open_schemas(titles: list[str], legal: Iterable[str]) -> Schemas:
    """The schemas of moves and events of any game.

    They are open and name their kinds in `x-kinds`: generators of clients fail on unions of unions, and a client has to
    read an event of a type that it does not know.
    """
    moves, events = [f"{title}Move" for title in titles], [f"{title}Event" for title in ["Table", *titles]]
    event = {"game": ref("GameName"), "type": TEXT, "payload": {"type": "object", "additionalProperties": True}}
    return {
        "Move": _of_any_game("A move of any game.", moves),
        "LegalMove": _of_any_game(
            "A legal move of any game, with the same fields as the move; or, with `choose` and `from`, an entry for "
            "many: any `choose` of the cards `from` (`PartyChoice`), one on each of `piles` (`TomahawkPlayCardsSet`).",
            legal,
        ),
        "Event": {
            "description": "An event of a table or its game. A secret field is left out for those who may not see it "
            "yet. Later releases may add types.",
            "allOf": [ref("Envelope"), {"type": "object", "required": list(event), "properties": event}],
            "x-kinds": [ref(name) for name in events],
        },
    }


def _of_any_game(description: str, kinds: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "description": description,
        "required": ["type"],
        "properties": {"type": TEXT | {"description": "the kind of move, such as `play_card`"}},
        "additionalProperties": True,
        "x-kinds": [ref(name) for name in kinds],
    }


def game_schemas() -> Schemas:
    """The schemas of all games, and of the events of every table."""
    schemas = ENVELOPES | _events("Table", LIFECYCLE, ref("GameName"))
    schemas["TableEvent"] = _by_type("Table", LIFECYCLE, "What happened at a table, whatever its game.")
    for game in GAMES.values():
        of_game = _of_game(game)
        if different := [name for name in schemas.keys() & of_game.keys() if schemas[name] != of_game[name]]:
            raise ValueError(f"two schemas have one name: {', '.join(different)}")
        schemas |= of_game
    titles = {slug: title_of(game) for slug, game in GAMES.items()}
    scores = [ref(f"{title}Scores") for title in titles.values()]
    schemas["Scores"] = {"type": "object", "description": "The scores of any game.", "anyOf": scores}
    schemas["View"] = union("game", {slug: f"{title}View" for slug, title in titles.items()}, "What a seat sees.")
    legal = [f"{title}LegalMove" if f"{title}LegalMove" in schemas else f"{title}Move" for title in titles.values()]
    return schemas | _open_schemas(list(titles.values()), legal)


def _of_game(game: AnyGame) -> Schemas:
    title = title_of(game)
    view, scores = game.view_type, get_type_hints(game.scores)["return"]
    schemas = _named(title, [*game.moves, *game.move_sets, view, scores])
    schemas[f"{title}View"] = _beside_the_table(schemas[f"{title}View"], game)
    schemas |= _events(title, game.events, {"const": game.slug})
    schemas[f"{title}Move"] = _by_type(title, game.moves, f"A move in {game.title}.")
    if game.move_sets:
        legal = {_tag(kind): kind for kind in [*game.moves, *game.move_sets]}  # a set stands for its moves
        description = f"A legal move in {game.title}, or an entry that stands for many."
        schemas[f"{title}LegalMove"] = _by_type(title, legal.values(), description)
    return schemas | {f"{title}Event": _by_type(title, game.events, f"An event of {game.title}.")}


def _beside_the_table(view: Schema, game: AnyGame) -> Schema:
    """The schema of a view within a table, which has house rules and scores of its own."""
    fields = {name: schema for name, schema in view["properties"].items() if name not in BESIDE}
    required = [name for name in view["required"] if name not in BESIDE]
    return view | {
        "properties": {"game": {"const": game.slug}} | fields,
        "required": list(dict.fromkeys(["game", *required])),
    }


def _events(title: str, events: Iterable[type[Any]], game: Schema) -> Schemas:
    """The schemas of events, each with its game, type and payload beside the envelope, and of what they consist of."""
    schemas = _named(title, events)
    for event in events:
        payload = schemas.pop(schema_name(title, event))
        description = {"description": payload.pop("description")}
        payload["required"].remove("type")
        fields = {
            "game": game,
            "type": payload["properties"].pop("type"),
            "payload": {"title": f"{schema_name(title, event)}Payload"} | payload,
        }
        own = {"type": "object", "required": list(fields), "properties": fields}
        schemas[schema_name(title, event)] = description | {"allOf": [ref("Envelope"), own]}
    return schemas


def _named(title: str, kinds: Iterable[Any]) -> Schemas:
    """The schemas of these classes and of the classes of their fields."""
    kinds = list(kinds)
    names = {cls.__name__: schema_name(title, cls) for cls in _structs(inspect.multi_type_info(kinds))}
    _, named = msgspec.json.schema_components(kinds, ref_template="{name}")
    return {names[name]: _with_names(schema, names) for name, schema in named.items()}


def _with_names(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, list):
        return [_with_names(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _with_names(value, names) for key, value in node.items()}
    if "$ref" in found:
        return found | ref(names[found["$ref"]])
    if isinstance(found.get("title"), str):
        del found["title"]
    if isinstance(found.get("description"), str):
        found["description"] = " ".join(found["description"].split())
    return found


def _structs(node: Any) -> Iterator[type[Any]]:
    """The classes in a description of types."""
    if isinstance(node, inspect.StructType):
        yield node.cls
    parts = node if isinstance(node, list | tuple) else ()
    if isinstance(node, inspect.Type | inspect.Field):
        parts = [getattr(node, name) for name in node.__struct_fields__ if name not in ("default", "default_factory")]
    for part in parts:
        yield from _structs(part)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _by_type(title: str, kinds: Iterable[type[Any]], description: str) -> Schema:
    return union("type", {_tag(kind): schema_name(title, kind) for kind in kinds}, description)
