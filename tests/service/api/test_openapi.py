"""`openapi.yaml` is what the code serves, and its examples are what the service answers."""

import contextlib
import json
import os
import random
import secrets
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from service.api.document.examples import EXAMPLES
from service.api.document.openapi import OPENAPI, as_yaml
from service.commands import CommandHandler
from service.runtime.app import create_app
from tests.service.api.story import Story
from tests.service.api.world import World, embedded_store

RENEW = os.environ.get("WINTERCOUNT_EXAMPLES") == "renew"
DOCUMENT: dict[str, Any] = yaml.load(OPENAPI.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
OPERATIONS = [
    (path, method, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
]
by_operation = pytest.mark.parametrize(
    "operation", [pytest.param(operation, id=operation["operationId"]) for _, _, operation in OPERATIONS]
)


def test_the_document_is_what_the_code_serves(world: World) -> None:
    """`make openapi` renews it."""
    assert OPENAPI.read_text(encoding="utf-8") == as_yaml(create_app().extensions["openapi"])
    served = world.nobody.get("/openapi.yaml")
    assert (served.text, served.mimetype) == (OPENAPI.read_text(encoding="utf-8"), "application/yaml")


def test_every_route_is_in_the_document(world: World) -> None:
    routes = {
        (rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}"), method.lower())
        for rule in world.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS") and not rule.endpoint.startswith("page.")  # files, no resources
    }
    assert routes == {(path, method) for path, method, _ in OPERATIONS}


@by_operation
def test_an_operation_is_described(operation: dict[str, Any]) -> None:
    """In a sentence, with every parameter of the path, and with every status that it answers with."""
    assert operation["summary"].endswith(".")
    assert any(status.startswith("2") for status in operation["responses"])
    assert "500" in operation["responses"]
    assert all(answer["description"] for answer in operation["responses"].values())
    if operation["security"]:
        assert "401" in operation["responses"]


def test_every_parameter_is_described() -> None:
    for path, item in DOCUMENT["paths"].items():
        parameters = [
            *item.get("parameters", []),
            *(p for m in item.values() if "responses" in m for p in m.get("parameters", [])),
        ]
        for parameter in parameters:
            assert parameter.get("description"), (path, parameter["name"])


def validator(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema | {"components": DOCUMENT["components"]})


@by_operation
def test_an_operation_has_examples_that_fit_its_schemas(operation: dict[str, Any]) -> None:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    for media in [
        *bodies.values(),
        *(media for answer in answers.values() for media in answer.get("content", {}).values()),
    ]:
        validator(media["schema"]).validate(media["example"])


def test_a_schema_tells_events_and_moves_of_a_game_apart() -> None:
    """A wrong field in the payload of one event, or a wrong value, does not pass for another event."""
    example = EXAMPLES["get_tables_by_table_events"]["answers"]["application/json"]
    event = next(row for row in example["events"] if row["type"] == "HuntStarted")
    schema = validator({"$ref": "#/components/schemas/Event"})
    assert schema.is_valid(event)
    assert not schema.is_valid(event | {"payload": event["payload"] | {"dealer": "Ann"}})
    assert not schema.is_valid(event | {"type": "HuntFinished"})
    assert not schema.is_valid(event | {"payload": {}})
    move = validator({"$ref": "#/components/schemas/Move"})
    assert move.is_valid({"type": "play_card", "card": "chief-1", "ground": 1})
    assert not move.is_valid({"type": "play_card", "card": "chief-1"})


@pytest.fixture
def stand_still(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Luck out of a seed, and a clock that only the test moves (milliseconds)."""
    rng, now = random.Random(20), [1_790_000_000_000]
    monkeypatch.setattr(secrets, "token_bytes", rng.randbytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size: rng.randbytes(size).hex())
    monkeypatch.setattr(CommandHandler, "now_ms", lambda _: now[0])
    return now


def test_examples_are_what_the_service_answers(stand_still: list[int]) -> None:
    """`make openapi` renews them; a difference is a change of what clients read."""
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        story = Story(world, stand_still)
        story.tell()
    if RENEW:
        target = Path(str(files("service.api.document"))) / "examples.json"
        target.write_text(json.dumps(story.told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert RENEW or story.told == EXAMPLES
    assert RENEW or set(story.told) == {operation["operationId"] for _, _, operation in OPERATIONS}
