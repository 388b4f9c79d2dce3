"""What the document says of the games: their moves, events, views and scores, told apart by `game` and `type`."""

import copy
from collections.abc import Iterable
from typing import Any, get_type_hints

import msgspec

from events.lifecycle import LIFECYCLE
from games import GAMES
from games.kernel import AnyGame
from service.api.document.envelope import envelope_schemas
from service.api.document.shapes import Schema, ref, told_apart

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


def title_of(game: AnyGame) -> str:
    """The name of a game as it begins the names of its schemas."""
    return "".join(word.title() for word in game.slug.split("-"))


def _add(schemas: Schemas, more: Schemas) -> None:
    if twice := schemas.keys() & more.keys():
        raise ValueError(f"two schemas have one name: {', '.join(sorted(twice))}")
    schemas |= more


def _of_game(game: AnyGame) -> Schemas:
    title = title_of(game)
    scores = get_type_hints(game.scores)["return"]
    schemas = _named(title, [*game.moves, *game.move_sets, game.view_type, scores])
    schemas[f"{title}View"]["properties"]["game"] = {"const": game.slug}
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


def schema_name(title: str, event: type[Any]) -> str:
    """The name of an event's schema: `TableOpened` is of the table already."""
    return title + event.__name__.removeprefix(title)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _union(title: str, kinds: Iterable[Any], description: str) -> Schema:
    return told_apart("type", {_tag(kind): f"{title}{kind.__name__}" for kind in kinds}, description)


def _depending(resources: Schemas) -> set[str]:
    """The schemas that hold something of a game which only they can tell to be that game's."""
    found: set[str] = set()
    while True:
        untold = OF_A_GAME | {name for name in found if "game" not in resources[name]["properties"]}
        more = {name for name, schema in resources.items() if _references(schema) & untold} - found
        if not more:
            return found
        found |= more


def _references(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_references, node))
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(_references, node.values()))


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
