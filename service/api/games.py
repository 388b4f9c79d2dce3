"""Games, their rules, and the AI players."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from flask import Response

from games import GAMES
from games.house_rules import other_defaults
from rulings.register import present_case, register
from rulings.rulebook import rule, rules
from service.api.common import efforts, language, reply, services
from service.api.event_types import event_types
from service.api.headers import CONTENT_LANGUAGE, LANGUAGES_HEADER
from service.api.request_parsing import Blueprint
from service.api.schemas.games import CatalogueSchema, GameSchema, GamesSchema, LevelsSchema, RuleSchema, RulesSchema
from service.api.schemas.rulings import RegisterSchema, ShownCaseSchema
from service.dumps import Reading
from service.errors import Refused
from service.lessons import lesson
from service.levels import LEVELS, Level, strength
from service.tables.opening import game_of

blueprint = Blueprint("games", __name__, url_prefix="/v1", description="Games hosted, their house rules and rules")


@blueprint.get("/games", answer=GamesSchema)
@blueprint.contract(asks_store=False)
def list_games() -> Response:
    """List games. Returns every game hosted, with its players, house rules and credits."""
    return Response(_games(), mimetype="application/json")


@cache
def _games() -> bytes:
    return msgspec.json.encode({"games": [_game(game) for game in GAMES]})


@blueprint.get("/games/<game>", answer=GameSchema)
@blueprint.contract("no_such_game", asks_store=False)
def get_game(game: str) -> Response:
    """Get a game. Returns its players, its house rules with the rulings they stem from, and credits."""
    return reply(_game(game_of(game).slug))


@blueprint.get("/games/<game>/rules", answer=RulesSchema)
@blueprint.contract("no_such_game", asks_store=False)
def list_rules(game: str) -> Response:
    """List rules. Returns the ids and titles of all rules of a game."""
    slug = game_of(game).slug
    rows = [{"id": found.id, "title": found.title, "section": found.section} for found in rules(slug).values()]
    return reply({"game": slug, "rules": rows})


@blueprint.get("/games/<game>/rules/<rule_id>", answer=RuleSchema)
@blueprint.contract("no_such_game no_such_rule", asks_store=False)
def get_rule(game: str, rule_id: str) -> Response:
    """Get a rule. Returns the text of a rule by its id, such as BM-5.4b."""
    slug = game_of(game).slug
    try:
        found = rule(slug, rule_id)
    except KeyError:
        raise Refused("no_such_rule", f"{slug} has no rule {rule_id!r}; see /v1/games/{slug}/rules") from None
    return reply({"id": found.id, "title": found.title, "section": found.section, "text": found.text})


@blueprint.get("/games/<game>/events", answer=CatalogueSchema)
@blueprint.contract("no_such_game", asks_store=False)
def list_event_types(game: str) -> Response:
    """List event types. Returns every type of event that a table of the game may have, with schema and example."""
    slug = game_of(game).slug
    return reply({"game": slug, "events": event_types(slug)})


@blueprint.get("/games/<game>/rulings", answer=RegisterSchema)
@blueprint.contract("no_such_game")
def list_game_rulings(game: str) -> Response:
    """List the rulings of a game.

    Returns what each decides, by cases, under every house rule that stems from it, and how often each reading would
    have mattered in this server's public games.
    """
    slug, counted = game_of(game).slug, services().dumps.readings()
    of_game = counted.games.get(slug, {}) if counted else {}
    rows = [
        row | {"choices": [choice | _mattered(choice, of_game) for choice in row["choices"]]} for row in register(slug)
    ]
    return reply({"game": slug, "rulings": rows, "counted_at": counted.at if counted else None})


def _mattered(choice: Mapping[str, Any], counted: Mapping[str, Mapping[str, Reading]]) -> dict[str, Reading | None]:
    """Returns how often a reading would have mattered, null where that was not counted."""
    return {"mattered": counted.get(choice["option"], {}).get(msgspec.json.encode(choice["value"]).decode())}


@blueprint.get("/games/<game>/cases/<case>", answer=ShownCaseSchema, headers=CONTENT_LANGUAGE)
@blueprint.contract("no_such_game no_such_case", headers=(LANGUAGES_HEADER,), asks_store=False)
def get_case(game: str, case: str) -> Response:
    """Get a case. Returns it as played under each reading, moment by moment (Accept-Language: en, fr)."""
    slug, chosen = game_of(game).slug, language()
    try:
        found = present_case(slug, case, chosen)
    except KeyError:
        raise Refused("no_such_case", f"{slug} has no case {case!r}; see /v1/games/{slug}/rulings") from None
    return reply(found, Content_Language=chosen)


@blueprint.get("/ai-players", answer=LevelsSchema)
@blueprint.contract(asks_store=False)
def list_ai_players() -> Response:
    """List AI players. Returns the levels that a table may seat, and how strong each was measured to be."""
    measured = strength()
    takes = {game: efforts(game) for game in GAMES}
    return reply({"levels": [_level(level, takes) | {"strength": measured[level.level]} for level in LEVELS.values()]})


def _level(level: Level, takes: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    played = {game: efforts[level.level] for game, efforts in takes.items() if level.level in efforts}
    budget = {game: iterations for game, iterations in played.items() if iterations}
    fields: dict[str, Any] = msgspec.to_builtins(level)
    return {"id": fields.pop("level"), **fields, "games": list(played), "budget": budget}


@cache
def _game(slug: str) -> dict[str, Any]:
    game = GAMES[slug]
    defaults, others = msgspec.to_builtins(game.read_options({}, game.players[0])), other_defaults(game)
    return {
        "id": game.slug,
        "title": game.title,
        "credits": game.credits,
        "rules_version": game.rules_version,
        "players": list(game.players),
        "lesson": lesson(game.slug) is not None,
        "options": [
            {
                "name": option.name,
                "values": list(option.values),
                "default": defaults[option.name],
                "other_defaults": others[option.name],
                "ruling": option.ruling,
                "shapes_setup": option.shapes_setup,
            }
            for option in game.options
        ],
    }
