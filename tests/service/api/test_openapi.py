"""`openapi.yaml` is what the code serves, and its examples are what the service answers."""

import base64
import contextlib
import gzip
import json
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from games import GAMES
from service.accounts import accounts, passkeys, personal_texts, signing_in, webhooks
from service.accounts.callers import NOBODY
from service.api import request_names
from service.api.event_types import title_of
from service.commands import CommandHandler
from service.errors import PROBLEMS
from service.levels import strength
from service.streams.frames import Frames, Inbox, TableSubscription
from service.tables import opening
from tests.long import long_but_for
from tests.service.api.document import DOCUMENT
from tests.service.api.story import Story
from tests.service.api.world import World, accepted, embedded_store
from tools.contracts.openapi import OPENAPI
from tools.contracts.shapes import EXAMPLES
from tools.contracts.shapes import RECORDED as RECORDED_EXAMPLES
from worker.webhooks import message_of

RENEW = os.environ.get("WINTERCOUNT_EXAMPLES") == "renew"
RECORDED = sorted((Path(__file__).parents[2] / "corpus").glob("*.ndjson.gz"))
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
    served = world.nobody.get("/openapi.yaml")
    assert (served.text, served.mimetype) == (OPENAPI.read_text(encoding="utf-8"), "application/yaml")
    assert accepted(world.nobody.get("/openapi.json")) == DOCUMENT


def test_every_route_is_in_the_document(world: World) -> None:
    routes = {
        (rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}"), method.lower())
        for rule in world.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS") and not rule.endpoint.startswith(("page.", "documentation."))  # files
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
    return validator_of(json.dumps(schema))


@cache
def validator_of(schema: str) -> jsonschema_rs.Draft202012Validator:
    """Made once for each schema: it reads the whole document."""
    return jsonschema_rs.Draft202012Validator(json.loads(schema) | {"components": DOCUMENT["components"]})


@by_operation
def test_an_operation_has_examples_that_fit_its_schemas(operation: dict[str, Any]) -> None:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    for media in [
        *bodies.values(),
        *(media for answer in answers.values() for media in answer.get("content", {}).values()),
    ]:
        validator(media["schema"]).validate(media["example"])


def ids_of_tables(value: Any) -> Iterator[str]:
    """Every id of a table that is told anywhere in examples."""
    if isinstance(value, dict):
        yield from (found for name, found in value.items() if name == "table" and isinstance(found, str))
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from ids_of_tables(item)


def test_every_id_of_a_table_may_stand_in_a_path() -> None:
    """That of a text in notation, which is kept as a table, as well."""
    (pattern,) = {
        parameter["schema"]["pattern"]
        for path in DOCUMENT["paths"].values()
        for parameter in path.get("parameters", ())
        if parameter["name"] == "table"
    }
    told = set(ids_of_tables(EXAMPLES))
    assert {name[:2] for name in told} == {"t_", "x_"}
    assert [name for name in told if not re.search(pattern, name)] == []


def test_players_of_the_example_are_as_strong_as_they_were_measured() -> None:
    """A new figure of `make strength` asks for `make openapi`, which takes a running service: this alone takes none."""
    levels = EXAMPLES["listAiPlayers"]["answers"]["application/json"]["levels"]
    assert {level["level"]: level["strength"] for level in levels} == msgspec.to_builtins(strength())


def test_a_schema_tells_events_and_moves_of_a_game_apart() -> None:
    """A wrong field in the payload of one event, or a wrong value, does not pass for another event."""
    example = EXAMPLES["listEvents"]["answers"]["application/json"]
    event = next(row for row in example["events"] if row["type"] == "HuntStarted")
    schema = validator({"$ref": "#/components/schemas/Event"})
    assert schema.is_valid(event)
    assert not schema.is_valid(event | {"payload": event["payload"] | {"dealer": "Ann"}})
    assert not schema.is_valid(event | {"type": "HuntFinished"})
    assert not schema.is_valid(event | {"payload": {}})
    assert not schema.is_valid(event | {"game": "manitou"})
    request = validator({"$ref": "#/components/schemas/MoveRequest"})
    move = {"game": "big-manitou", "seat": 1, "move": {"type": "play_card", "card": "chief-1", "ground": 1}}
    assert request.is_valid(move)
    assert not request.is_valid(move | {"move": {"type": "play_card", "card": "chief-1"}})
    assert not request.is_valid(move | {"game": "tomahawk"})


def schemas(node: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in the document that may be a schema, with its place; examples are none."""
    if isinstance(node, dict):
        yield place, node
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, part in parts:
        if name not in ("example", "examples", "default", "mapping"):
            yield from schemas(part, f"{place}/{name}")


def test_a_generator_can_read_every_schema() -> None:
    """No tuple that ends in false, no title twice, no enum of several types; every union is told apart by a field."""
    for place, schema in schemas(DOCUMENT["components"]["schemas"]):
        assert schema.get("items") is not False, place
        assert "prefixItems" not in schema, place
        assert not isinstance(schema.get("title"), str) or place.endswith("/properties"), place
        if isinstance(schema.get("enum"), list):
            assert len({type(value) for value in schema["enum"]}) == 1, place
            assert len(schema["enum"]) > 1, place
        if any("$ref" in one for one in schema.get("oneOf", ())):
            assert set(schema["discriminator"]["mapping"].values()) == {one["$ref"] for one in schema["oneOf"]}, place
        structs = [one for one in schema.get("anyOf", ()) if "$ref" in one]
        assert len(structs) <= 1, f"{place}: told apart by nothing"


def test_a_refusal_is_described_once_a_status() -> None:
    """And every operation names the codes that it may refuse with."""
    for path, _, operation in OPERATIONS:
        for status, answer in operation["responses"].items():
            if not status.startswith(("2", "3")):
                assert answer["$ref"] == f"#/components/responses/Problem{status}", path
                codes = re.findall(r"([a-z_]+): ", answer["description"])
                assert {PROBLEMS[code].status for code in codes} == {int(status)}


@pytest.mark.parametrize("game", long_but_for({"manitou", "tomahawk"}.__contains__, GAMES))
def test_what_a_table_tells_fits_the_schemas_of_its_game(world: World, game: str) -> None:
    """Events and views of every seat, legal moves, and what a move is answered, all of a game played to its end."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game=game)
    path, title = f"/v1/tables/{table}", title_of(GAMES[game])
    fits = {name: validator({"$ref": f"#/components/schemas/{title}{name}"}) for name in ("Table", "Moves", "Played")}
    rng = random.Random(5)
    while chosen := world.move(table, rng):
        who = (ann, bob)[chosen[0] - 1]
        fits["Moves"].validate(accepted(who.get(f"{path}/moves")))
        body = world.moving(table, *chosen)
        validator({"$ref": "#/components/schemas/MoveRequest"}).validate(body)
        fits["Played"].validate(accepted(who.post(f"{path}/moves", body)))
    fits["Table"].validate(accepted(ann.get(path)))
    events = accepted(world.nobody.get(f"{path}/events?limit=1000&language=fr"))
    validator({"$ref": "#/components/schemas/Events"}).validate(events)
    assert {event["game"] for event in events["events"]} == {game}


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name.partition(".")[0]) for path in RECORDED])
def test_a_recorded_table_fits_them_too(path: Path) -> None:
    """Every event of an archive."""
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    schema = validator({"$ref": "#/components/schemas/Event"})
    for row in lines[1:]:
        schema.validate({"game": lines[0]["game"]} | row)


def test_streams_and_webhooks_are_of_their_schemas(world: World) -> None:
    """What stands in `data` of a frame, and what a webhook is sent."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    history = world.services.handler.history(world.open(ann, bob, game="manitou"))
    frames = frames_in(Frames().after(history, TableSubscription(history.table.id, NOBODY, 0, None), 0))
    for frame in frames:
        validator({"$ref": "#/components/schemas/EventsFrame"}).validate(frame)
    inbox = frames_in(Inbox(str(ann.player)).news({history.table.id: history}))
    assert [frame["event"] for frame in inbox] == ["decision"]
    validator({"$ref": "#/components/schemas/InboxFrame"}).validate(inbox[0])
    decision = history.table.decision_of(1)
    assert decision is not None
    body = DOCUMENT["webhooks"]["yourTurn"]["post"]["requestBody"]["content"]["application/json"]
    message = message_of(history.table, 1, decision.recorded_id)
    validator(body["schema"]).validate(json.loads(message or b""))


def frames_in(stream: bytes) -> list[dict[str, Any]]:
    """The frames of a stream, their data read."""
    frames = [frame for frame in stream.decode().split("\n\n") if frame]
    rows = [dict(line.split(": ", 1) for line in frame.splitlines()) for frame in frames]
    return [row | {"data": json.loads(row["data"])} for row in rows]


@pytest.fixture
def own_store() -> Iterator[str]:
    """A store of its own, which has started: how often it is asked whether it has, draws on luck."""
    with embedded_store() as url:
        yield url


@pytest.fixture
def stand_still(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Luck out of a seed, and a clock that only the test moves (milliseconds)."""
    rng, now = random.Random(21), [1_790_000_000_000]
    # For the modules that name what is told, and no others: how often a client of the store tries to connect differs.
    drawn = SimpleNamespace(
        token_bytes=rng.randbytes,
        token_hex=lambda size: rng.randbytes(size).hex(),
        token_urlsafe=lambda size: base64.urlsafe_b64encode(rng.randbytes(size)).decode().rstrip("="),
        choice=rng.choice,
    )
    for module in (accounts, opening, passkeys, signing_in, webhooks):
        monkeypatch.setattr(module, "secrets", drawn)
    monkeypatch.setattr(request_names, "os", SimpleNamespace(urandom=rng.randbytes))
    monkeypatch.setattr(accounts, "today", lambda: now[0] // 86_400_000)
    monkeypatch.setattr(personal_texts, "new_nonce", lambda: rng.randbytes(personal_texts.NONCE))
    monkeypatch.setattr(personal_texts, "new_key", lambda: rng.randbytes(32))
    monkeypatch.setattr(CommandHandler, "now_ms", lambda _: now[0])
    return now


@pytest.mark.slow
def test_examples_are_what_the_service_answers(own_store: str, stand_still: list[int]) -> None:
    """`make openapi` renews them; a difference is a change of what clients read."""
    with contextlib.closing(World(own_store)) as world:
        story = Story(world, stand_still)
        story.tell()
    if RENEW:
        RECORDED_EXAMPLES.write_text(json.dumps(story.told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert RENEW or story.told == EXAMPLES
    assert RENEW or set(story.told) == {operation["operationId"] for _, _, operation in OPERATIONS}
