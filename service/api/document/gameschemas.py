"""What the document says of the games: their moves, events, views and scores, as unions told apart by a field."""

import copy
from typing import Any, get_type_hints

import msgspec

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.kernel import AnyGame

Schemas = dict[str, Any]

UNIONS = {
    "Move": "What a seat asks for.",
    "LegalMove": "A move that is legal now, or a summary that stands for many.",
    "GameEvent": "An event of the game. A field that is secret is left out for those who may not read it yet.",
    "View": "The game as a seat or a spectator may see it. What is secret is left out.",
    "Scores": "The score as it stands.",
}
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
ENVELOPE = {
    "type": "object",
    "description": (
        "What every event has. Without `hash`, `opened`, `texts`, `words` and the fields that `opened` names (of the "
        "payload if `readers` names them too) an event is the public envelope, whose canonical JSON is hashed: hash = "
        "SHA-256(hash before, version as 8 bytes, envelope). A secret is committed to in `secrets` by SHA-256(salt, "
        "canonical JSON of the value)."
    ),
    "required": [
        *("table", "version", "type", "schema", "at", "by", "request", "batch", "payload", "readers", "secrets"),
        *("draws", "hash", "opened"),
    ],
    "properties": {
        "table": TEXT,
        "version": NUMBER | {"minimum": 1},
        "type": TEXT,
        "schema": NUMBER | {"description": "the version of this form"},
        "at": TEXT | {"format": "date-time"},
        "now": TEXT
        | {
            "format": "date-time",
            "description": "the machine's time, if the table's time `at` was ahead of it: deadlines count from it",
        },
        "by": {"type": "object", "description": "who caused it", "properties": {"kind": TEXT}, "required": ["kind"]},
        "request": {"type": ["string", "null"], "description": "the name of the request that caused it"},
        "batch": {
            "type": "array",
            "items": NUMBER,
            "minItems": 2,
            "maxItems": 2,
            "description": "first and last version of the events recorded together",
        },
        "payload": {"type": "object"},
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
            "additionalProperties": {"type": "object", "required": ["salt"], "properties": {"salt": TEXT}},
            "description": "the secrets that the caller may read",
        },
        "move": {"description": "the move that caused the batch, if the caller may read it"},
        "ai_seed": TEXT | {"description": "the seed of an AI's choice, when the game is over"},
        "ai_used": {
            "type": "object",
            "description": (
                "which player made an AI's move, its `iterations` of its `budget`, the version it had `seen` and who "
                "was given up before it (`instead_of`), when the game is over; older events tell it in `by.ai`"
            ),
        },
        "texts": {
            "type": "object",
            "additionalProperties": TEXT,
            "description": (
                "what people are called or wrote, in plain, by the field of the payload that holds it encrypted; "
                "`somebody` or `(removed)` if it was erased"
            ),
        },
        "words": TEXT | {"description": "a sentence, if a language was asked for"},
    },
}


def game_schemas() -> Schemas:
    """The schemas of all games by name, the unions of them, and those of events."""
    schemas: Schemas = {"Envelope": ENVELOPE}
    for game in GAMES.values():
        schemas |= _of_game(game)
    titles = [title_of(game) for game in GAMES.values()]
    for part, description in UNIONS.items():
        schemas[part] = {"anyOf": [_ref(title + part) for title in titles], "description": description}
    schemas["View"] = _told_apart(schemas, "game", [f"{title}View" for title in titles]) | {
        "description": UNIONS["View"]
    }
    schemas |= _of_the_table()
    return schemas | {"Event": {"anyOf": [_ref("TableEvent"), _ref("GameEvent")]}}


def title_of(game: AnyGame) -> str:
    """The name of a game as it begins the names of its schemas."""
    return "".join(word.title() for word in game.slug.split("-"))


def _of_game(game: AnyGame) -> Schemas:
    title, moves = title_of(game), [*game.moves]
    scores = get_type_hints(game.scores)["return"]
    schemas = _named(title, [*moves, *game.move_sets, *game.events, game.view_type, scores])
    schemas[f"{title}View"] = schemas.pop(f"{title}.View")
    schemas[f"{title}View"]["properties"]["game"] = {"const": game.slug}
    schemas[f"{title}Scores"] = _ref(f"{title}.{scores.__name__}")
    events = [f"{title}.{event.__name__}" for event in game.events]
    schemas |= {name: _row(schemas[name]) for name in events}
    schemas[f"{title}Move"] = _told_apart(schemas, "type", [f"{title}.{move.__name__}" for move in moves])
    legal = [f"{title}.{move.__name__}" for move in [*moves, *game.move_sets]]
    schemas[f"{title}LegalMove"] = {"oneOf": [_ref(name) for name in legal]}
    schemas[f"{title}GameEvent"] = _told_apart(schemas, "type", events)
    return schemas


def _of_the_table() -> Schemas:
    schemas = _named("Table", list(LIFECYCLE))
    events = [f"Table.{event.__name__}" for event in LIFECYCLE]
    schemas |= {name: _row(schemas[name]) for name in events}
    union = _told_apart(schemas, "type", events)
    return schemas | {"TableEvent": union | {"description": "What happens at a table besides the game."}}


def _named(title: str, kinds: list[Any]) -> Schemas:
    _, named = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{title}.{{name}}")
    return {f"{title}.{name}": schema for name, schema in named.items()}


def _row(event: dict[str, Any]) -> dict[str, Any]:
    """An event as it is read: the envelope, with this type and this payload."""
    payload = copy.deepcopy(event)
    kind = payload["properties"].pop("type")
    payload["required"] = [name for name in payload["required"] if name != "type"]
    described = {name: payload.pop(name) for name in ("title", "description") if name in payload}
    own = {"type": "object", "required": ["type", "payload"], "properties": {"type": kind, "payload": payload}}
    return described | {"allOf": [_ref("Envelope"), own]}


def _told_apart(schemas: Schemas, field: str, names: list[str]) -> dict[str, Any]:
    """The union of schemas that the constant in `field` tells apart."""
    mapping = {_constant(schemas[name], field): _ref(name)["$ref"] for name in names}
    return {"oneOf": [_ref(name) for name in names], "discriminator": {"propertyName": field, "mapping": mapping}}


def _constant(schema: dict[str, Any], field: str) -> str:
    constant = schema.get("allOf", [schema])[-1]["properties"][field]
    return str(constant["const"] if "const" in constant else constant["enum"][0])


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
