"""The catalogue of events: `GET /v1/games/{game}/events` tells every type as the code has it."""

import json
import random
from typing import Any

import jsonschema_rs
import pytest

from events.lifecycle import TYPES
from games import GAMES
from games.payloads import event_type
from rulings.rulebook import rules
from service.api.event_types import secrets_of
from tests.service.api.document import DOCUMENT
from tests.service.api.world import World, accepted, refused
from wintercount.testing.random_games import random_game

by_game = pytest.mark.parametrize("game", list(GAMES))


def told(world: World, game: str) -> dict[str, Any]:
    return {row["type"]: row for row in accepted(world.nobody.get(f"/v1/games/{game}/events"))["events"]}


@by_game
def test_every_type_is_told(world: World, game: str) -> None:
    """The game's own and the table's, each with its schema."""
    rows, own = told(world, game), {event_type(event): event for event in GAMES[game].events}
    assert list(rows) == [*own, *TYPES]
    assert {type_ for type_, row in rows.items() if row["of"] == "game"} == set(own)
    for type_, event in (own | TYPES).items():
        row = rows[type_]
        assert row["schema"] == event.schema == 1
        assert row["name"] in DOCUMENT["components"]["schemas"]


@by_game
def test_an_example_fits_the_schema_of_its_type(world: World, game: str) -> None:
    """Each type has one; the schema stands for itself, and takes no other type's example."""
    rows = told(world, game)
    for row in rows.values():
        schema = jsonschema_rs.Draft202012Validator(row["payload"])
        schema.validate(row["example"]["payload"])
        assert row["example"]["schema"] == row["schema"]
        assert "#/components/" not in json.dumps(row["payload"])
        assert not schema.is_valid(None)


@by_game
def test_an_example_has_its_sentence_in_both_languages(world: World, game: str) -> None:
    rows = told(world, game)
    assert all(set(row["words"]) == {"en", "fr"} for row in rows.values())
    assert all(row["words"]["en"] and row["words"]["en"] != row["words"]["fr"] for row in rows.values())
    assert "somebody" in rows["SeatTaken"]["words"]["en"]


@by_game
def test_every_event_of_a_game_names_rules_that_there_are(world: World, game: str) -> None:
    known = rules(game)
    for row in told(world, game).values():
        assert bool(row["rules"]) == (row["of"] == "game"), row["type"]
        assert not set(row["rules"]) - set(known), row["type"]


@by_game
def test_what_play_hides_is_told_as_secret(game: str) -> None:
    """In games of every number of players: no field is closed to anybody that the catalogue does not name."""
    for players in GAMES[game].players:
        for step in random_game(GAMES[game], players, {}, random.Random(players)):
            for before, event, _ in step.turn.steps:
                assert set(GAMES[game].readers(before, event)) <= set(secrets_of(type(event)))


def test_the_secrets_of_a_table_are_told(world: World) -> None:
    rows = told(world, "manitou")
    assert rows["TableOpened"]["secret"] == ["seed"]
    assert rows["TableForked"]["secret"] == ["seed", "state", "past"]
    assert rows["CardsDrawn"]["secret"] == ["cards"]
    assert rows["CardPlayed"]["secret"] == []


def test_a_game_that_is_not_hosted_has_no_catalogue(world: World) -> None:
    refused(world.nobody.get("/v1/games/chess/events"), 404, "no_such_game")
    answer = world.nobody.get("/v1/games/manitou/events")
    assert world.nobody.get("/v1/games/manitou/events", If_None_Match=answer.headers["ETag"]).status_code == 304
