"""What the document says of games and events: moves, views, the envelope, and the catalogue of events."""

import copy
from collections.abc import Iterable
from typing import Any, get_type_hints

import msgspec

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.kernel import AnyGame
from service.api.event_types import schema_name, title_of
from service.tables.viewing import BESIDE
from tools.contracts.shapes import Schema, ref, referred, told_apart

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
TIME: Schema = TEXT | {"format": "date-time"}
REQUIRED = (
    *("table", "version", "schema", "at", "by", "request", "batch", "readers", "secrets", "draws"),
    *("hash", "opened"),
)


def record(description: str, required: dict[str, Schema], **optional: Schema) -> Schema:
    """The schema of an object with these fields."""
    return {
        "type": "object",
        "description": description,
        "required": list(required),
        "properties": required | optional,
    }


ENVELOPE = {
    "type": "object",
    "description": (
        "What every event has. Without `game`, `hash`, `opened`, `texts`, `used_ms`, `words` and the fields that "
        "`opened` names (of the payload if `readers` names them too) an event is the public envelope, whose canonical "
        "JSON is hashed: hash = SHA-256(hash before, version as 8 bytes, envelope). A secret is committed to in "
        "`secrets` by SHA-256(salt, canonical JSON of the value)."
    ),
    "required": list(REQUIRED),
    "properties": {
        "table": TEXT,
        "version": NUMBER | {"minimum": 1},
        "schema": NUMBER | {"minimum": 1, "description": "the version of this form"},
        "at": TIME,
        "now": TIME
        | {"description": "the machine's time, if the table's time `at` was ahead of it: deadlines count from it"},
        "by": ref("Cause"),
        "request": {"type": ["string", "null"], "description": "the name of the request that caused it"},
        "batch": {
            "type": "array",
            "items": NUMBER,
            "minItems": 2,
            "maxItems": 2,
            "description": "first and last version of the events recorded together",
        },
        "readers": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": NUMBER},
            "description": "the secret fields of the payload, each with the seats that may read it",
        },
        "secrets": {"type": "object", "additionalProperties": TEXT, "description": "commitments"},
        "draws": {"type": "object", "additionalProperties": NUMBER, "description": "draws of luck, by kind"},
        "hash": TEXT,
        "opened": {
            "type": "object",
            "additionalProperties": ref("OpenedSecret"),
            "description": "the secrets that the caller may read",
        },
        "ai_seed": TEXT | {"description": "the seed of an AI's choice, when the game is over"},
        "ai_used": {"allOf": [ref("AiUsed")], "description": "how an AI chose, when the game is over"},
        "again": {
            "type": "array",
            "items": ref("MoveAgain"),
            "description": "the moves that a correction takes again, when the game is over",
        },
        "texts": {
            "type": "object",
            "additionalProperties": TEXT,
            "description": (
                "what people are called or wrote, in plain, by the field of the payload that holds it encrypted; "
                "`somebody` or `(removed)` if it was erased"
            ),
        },
        "used_ms": NUMBER
        | {"description": "how long a person took for the decision that this answers, in the first event of a move"},
        "words": TEXT | {"description": "a sentence, if a language was asked for"},
    },
}
HOLDER = {"player": TEXT, "version": NUMBER, "level": TEXT}
CAUSES = {"seat": "CauseSeat", "player": "CausePlayer", "clock": "CauseClock"}


def _cause(kind: str, description: str, **fields: Any) -> Schema:
    return record(description, {"kind": {"const": kind}, **fields})


def envelope_schemas() -> dict[str, Schema]:
    """The envelope and what it is made of."""
    return {
        "Envelope": ENVELOPE,
        "Cause": told_apart("kind", CAUSES, "Who caused an event."),
        "CauseSeat": _seat(),
        "CausePlayer": _cause("player", "A player who need not sit at the table.", player=TEXT),
        "CauseClock": _cause("clock", "Nobody: a time was over."),
        "AiHolder": record("The AI player that holds a seat.", HOLDER),
        "AiUsed": record(
            "Which AI player chose: `iterations` of its `budget`, at the version of the table that it had `seen`.",
            {"player": TEXT, "version": NUMBER, "iterations": NUMBER, "budget": NUMBER, "seen": NUMBER},
            instead_of={"type": "array", "items": ref("AiGivenUp")},
        ),
        "AiGivenUp": record(
            "An AI player that was given up before, and why.", {"player": TEXT, "version": NUMBER, "why": TEXT}
        ),
        "MoveAgain": record("A move that is taken again.", {"seat": NUMBER, "move": {"type": "object"}}),
        "OpenedSecret": record(
            "The salt of a secret that was opened: with it the commitment is checked.", {"salt": TEXT}
        ),
    }


def _seat() -> Schema:
    schema = _cause("seat", "Whoever holds a seat: a player, or an AI.", seat=NUMBER)
    schema["required"].append("player")
    schema["properties"] |= {"player": {"type": ["string", "null"]}, "ai": ref("AiHolder")}
    return schema


Schemas = dict[str, Schema]

OF_A_GAME = {"Move", "LegalMove", "Scores", "View"}  # that do not say themselves which game's they are
EVENT = (
    "What happened, in the game or at the table: `game` tells the union, `type` the event in it. A field that is "
    "secret is left out for those who may not read it yet."
)


def game_schemas(resources: Schemas) -> Schemas:
    """The schemas of the games, and those of `resources` that hold something of a game, for each game one."""
    schemas = envelope_schemas() | _payloads("Table", LIFECYCLE)
    generic = _depending(resources)
    for game in GAMES.values():
        _add(schemas, _of_game(game) | _specialised(game, resources, generic))
    unions = {name: resources[name].get("description") for name in generic if "game" in resources[name]["properties"]}
    for name, described in (unions | {"Event": EVENT}).items():
        schemas[name] = told_apart("game", {slug: title_of(game) + name for slug, game in GAMES.items()}, described)
    return {name: schema for name, schema in resources.items() if name not in generic} | schemas


def _add(schemas: Schemas, more: Schemas) -> None:
    if twice := schemas.keys() & more.keys():
        raise ValueError(f"two schemas have one name: {', '.join(sorted(twice))}")
    schemas |= more


def _of_game(game: AnyGame) -> Schemas:
    title = title_of(game)
    scores = get_type_hints(game.scores)["return"]
    schemas = _named(title, [*game.moves, *game.move_sets, game.view_type, scores])
    schemas[f"{title}View"] = _beside_the_table(schemas[f"{title}View"], game)
    payloads = _payloads(title, game.events)
    _add(schemas, {name: schema for name, schema in payloads.items() if schemas.get(name) != schema})
    _add(schemas, _rows(game, title, game.events, move=ref(f"{title}Move")) | _rows(game, "Table", LIFECYCLE))
    legal = {_tag(kind): kind for kind in [*game.moves, *game.move_sets]}  # a set stands for its moves
    schemas[f"{title}Move"] = _union(title, game.moves, f"A move in {game.title}.")
    schemas[f"{title}LegalMove"] = _union(
        title, legal.values(), f"A move that is legal now in {game.title}, or a summary that stands for many."
    )
    names = {_tag(event): schema_name(title, event) for event in [*game.events, *LIFECYCLE]}
    schemas[f"{title}Event"] = told_apart("type", names, f"What happened at a table of {game.title}.")
    return schemas


def _beside_the_table(view: Schema, game: AnyGame) -> Schema:
    """A view as a table holds it, which tells the house rules and the scores itself."""
    fields = {name: schema for name, schema in view["properties"].items() if name not in BESIDE}
    required = [name for name in view["required"] if name not in BESIDE]
    return view | {"properties": fields | {"game": {"const": game.slug}}, "required": required}


def _payloads(title: str, events: Iterable[type[Any]]) -> Schemas:
    """What events say, and what that is made of."""
    schemas = _named(title, events)
    for event in events:
        payload = schemas.pop(f"{title}{event.__name__}")
        payload["required"].remove("type")
        del payload["properties"]["type"]
        schemas[_payload(title, event)] = payload | {"description": f"What `{event.__name__}` says."}
    return schemas


def _payload(title: str, event: type[Any]) -> str:
    return f"{schema_name(title, event)}Payload"


def _rows(game: AnyGame, origin: str, events: Iterable[type[Any]], **more: Schema) -> Schemas:
    """Events as they are read at a table of a game: the envelope, with this game, this type and this payload.

    A table's own events, too, are of its game: within a union, `game` and `type` each tell them apart.
    """
    title, described = title_of(game), _named(origin, events)
    schemas: Schemas = {}
    for event in events:
        fields = {
            "game": {"const": game.slug},
            "type": {"const": _tag(event)},
            "payload": ref(_payload(origin, event)),
        }
        own = {"type": "object", "required": list(fields), "properties": fields | more}
        said = {k: v for k, v in described[f"{origin}{event.__name__}"].items() if k == "description"}
        schemas[schema_name(title, event)] = said | {"allOf": [ref("Envelope"), own]}
    return schemas


def _named(title: str, kinds: Iterable[Any]) -> Schemas:
    """The schemas of these classes and of those in them, without titles: a name occurs once in the document."""
    _, named = msgspec.json.schema_components(list(kinds), ref_template=f"#/components/schemas/{title}{{name}}")
    return {
        f"{title}{name}": {word: said for word, said in schema.items() if word != "title"}
        for name, schema in named.items()
    }


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _union(title: str, kinds: Iterable[Any], description: str) -> Schema:
    return told_apart("type", {_tag(kind): f"{title}{kind.__name__}" for kind in kinds}, description)


def _depending(resources: Schemas) -> set[str]:
    """The schemas that hold something of a game which only they can tell to be that game's."""
    found: set[str] = set()
    while True:
        untold = OF_A_GAME | {name for name in found if "game" not in resources[name]["properties"]}
        more = {name for name, schema in resources.items() if referred(schema) & untold} - found
        if not more:
            return found
        found |= more


def _specialised(game: AnyGame, resources: Schemas, generic: set[str]) -> Schemas:
    """What these schemas are at a table of one game."""
    title, of_games = title_of(game), OF_A_GAME | {"Event"} | generic
    schemas: Schemas = {}
    for name in sorted(generic):
        schema = _renamed(copy.deepcopy(resources[name]), {ref(n)["$ref"]: ref(title + n) for n in of_games})
        if "game" in schema["properties"]:
            schema["properties"]["game"] = {"const": game.slug}
        schemas[title + name] = schema
    return schemas


def _renamed(node: Any, names: dict[str, dict[str, str]]) -> Any:
    if isinstance(node, list):
        return [_renamed(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("$ref") in names:
        return node | names[node["$ref"]]
    return {name: _renamed(value, names) for name, value in node.items()}
