"""The contract files are what the tool makes of the code, and their examples are what the service answers."""

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
import pytest

from games import GAMES
from service.accounts import accounts_and_tokens, key_store, passkeys, personal_texts, signing_in, webhooks
from service.api import idempotency
from service.api.schemas.parts import STATUSES, VISIBILITIES
from service.command_handler import CommandHandler
from service.errors import PROBLEMS
from service.tables import opening
from tests.long import long_but_for
from tests.service.api.document import CLOSED, DOCUMENT, OPERATIONS, operations_of
from tests.service.api.story import Story
from tests.service.api.world import World, accepted, embedded_store
from tools.contracts.examples import EXAMPLES
from tools.contracts.examples import RECORDED as RECORDED_EXAMPLES
from tools.contracts.files import ROOT, as_yaml, contracts
from tools.contracts.shapes import reached

RENEW = os.environ.get("WINTERCOUNT_EXAMPLES") == "renew"
RECORDED = sorted((Path(__file__).parents[2] / "corpus").glob("*.ndjson.gz"))
by_operation = pytest.mark.parametrize(
    "operation", [pytest.param(operation, id=operation["operationId"]) for _, _, operation in OPERATIONS]
)


CONTRACTS = contracts()


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_is_committed_and_served(world: World, name: str) -> None:
    """`make openapi` renews the files."""
    assert (ROOT / name).read_text(encoding="utf-8") == as_yaml(CONTRACTS[name])
    served = world.nobody.get(f"/{name}")
    assert (served.text, served.mimetype) == (as_yaml(CONTRACTS[name]), "application/yaml")
    assert served.headers["Access-Control-Allow-Origin"] == "*"
    assert world.nobody.get(f"/{name}", If_None_Match=served.headers["ETag"]).status_code == 304
    as_json = json.dumps(CONTRACTS[name]).replace("openapi.yaml#", "openapi.json#")
    assert accepted(world.nobody.get(f"/{name.removesuffix('yaml')}json")) == json.loads(as_json)


def test_the_contract_of_clients_is_small() -> None:
    """Code that is generated from it is read, compiled and imported."""
    assert len((ROOT / "openapi.yaml").read_bytes()) <= 500_000
    assert len(CONTRACTS["openapi.yaml"]["components"]["schemas"]) <= 350


def test_each_operation_is_in_one_contract() -> None:
    """Operators' in a file of their own; what no operation uses is in none."""
    files = [CONTRACTS[name] for name in ("openapi.yaml", "openapi-operations.yaml")]
    named = [operation["operationId"] for contract in files for _, _, operation in operations_of(contract)]
    assert sorted(named) == sorted(operation["operationId"] for _, _, operation in OPERATIONS)
    assert {"moderate", "importArchive", "getMetrics"}.isdisjoint(
        operation["operationId"]
        for item in CONTRACTS["openapi.yaml"]["paths"].values()
        for operation in item.values()
        if "operationId" in operation
    )
    for name in ("openapi.yaml", "openapi-operations.yaml"):
        text = json.dumps(CONTRACTS[name])
        for kind in ("schemas", "parameters", "headers", "examples"):
            assert all(f'#/components/{kind}/{one}"' in text for one in CONTRACTS[name]["components"][kind]), kind


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
    """By a title in the imperative and some sentences."""
    assert re.fullmatch(r"[A-Z][a-z-]*[^s] .{3,50}|Sign in", operation["summary"])
    assert operation["description"].endswith((".", "`"))
    assert any(status.startswith("2") for status in operation["responses"])
    assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}


def test_every_parameter_is_described() -> None:
    for path, item in DOCUMENT["paths"].items():
        parameters = [
            *item.get("parameters", []),
            *(p for m in item.values() if "responses" in m for p in m.get("parameters", [])),
        ]
        for parameter in parameters:
            assert parameter.get("description"), (path, parameter["name"])


OF_ALL_GAMES = {f"#/{name}" for name in ("Event", "LegalMove", "Move", "Scores")}


def validator(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return validator_of(json.dumps(schema))


@cache
def validator_of(schema: str) -> jsonschema_rs.Draft202012Validator:
    """Made once for each schema: it reads the whole document."""
    return jsonschema_rs.Draft202012Validator(json.loads(schema) | {"components": CLOSED["components"]})


@by_operation
def test_an_operation_has_examples_that_fit_its_schemas(operation: dict[str, Any]) -> None:
    bodies = operation.get("requestBody", {}).get("content", {})
    answers = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
    for name, media in [
        *bodies.items(),
        *(pair for answer in answers.values() for pair in answer.get("content", {}).items()),
    ]:
        if name == "application/json" or "example" in media:
            validator(media["schema"]).validate(media["example"])


TABLE = re.compile(r"[tx]_")


def ids_of_tables(value: Any) -> Iterator[str]:
    """Every id of a table that is told anywhere in examples."""
    if isinstance(value, dict):
        yield from (found for name, found in value.items() if name in ("id", "table") and TABLE.match(str(found)))
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


def test_a_schema_tells_events_and_moves_of_a_game_apart() -> None:
    """A wrong field in the payload of one event, or a wrong value, does not pass for another event."""
    example = EXAMPLES["listEvents"]["answers"]["application/json"]
    event = next(row for row in example["events"] if row["type"] == "HuntStarted")
    schema = validator({"$ref": "#/components/schemas/Event"})
    assert schema.is_valid(event)
    assert not schema.is_valid(event | {"payload": event["payload"] | {"dealer": "Ann"}})
    assert not schema.is_valid(event | {"type": "HuntFinished"})
    assert not schema.is_valid(event | {"payload": {}})
    assert not schema.is_valid(event | {"game": "tomahawk"})
    request = validator({"$ref": "#/components/schemas/MoveRequest"})
    move = {"game": "big-manitou", "seat": 1, "move": {"type": "play_card", "card": "chief-1", "ground": 1}}
    assert request.is_valid(move)
    assert not request.is_valid(move | {"move": {"type": "play_card", "card": "chief-1"}})


def schemas(node: Any, place: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in the document that may be a schema, with its place; examples are none."""
    if isinstance(node, dict):
        yield place, node
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, part in parts:
        if name not in ("example", "examples", "default", "mapping"):
            yield from schemas(part, f"{place}/{name}")


def test_a_generator_can_read_every_schema() -> None:
    """No tuple that ends in false, no title twice, no enum of several types; every union is told apart by a field.

    But for the unions of all games, which the table's game tells apart. No pattern needs one dialect of expressions.
    """
    titles = set(DOCUMENT["components"]["schemas"])
    for place, schema in schemas(DOCUMENT["components"]["schemas"]):
        assert schema.get("items") is not False, place
        assert "prefixItems" not in schema, place
        if isinstance(schema.get("title"), str) and not place.endswith("/properties"):
            assert schema["title"] not in titles, place
            titles.add(schema["title"])
        if isinstance(schema.get("enum"), list):
            assert len({type(value) for value in schema["enum"]}) == 1, place
            assert len(schema["enum"]) > 1, place
        if any("$ref" in one for one in schema.get("oneOf", ())):
            assert set(schema["discriminator"]["mapping"].values()) == {one["$ref"] for one in schema["oneOf"]}, place
        structs = [one for one in schema.get("anyOf", ()) if "$ref" in one]
        assert len(structs) <= 1 or place in OF_ALL_GAMES, f"{place}: told apart by nothing"
        if isinstance(schema.get("pattern"), str):
            assert re.fullmatch(r"[ -~]+", schema["pattern"]), place
            assert not re.search(r"\(\?[^:]|\\[pPuxsZA]", schema["pattern"]), place


def test_errors_are_one_response_and_every_operation_names_its_codes() -> None:
    """Beside those that any operation may answer with."""
    anywhere = DOCUMENT["components"]["responses"]["Problem"]["x-problem-codes"]
    named = set(anywhere)
    for path, _, operation in OPERATIONS:
        codes = operation.get("x-problem-codes", [])
        named.update(codes)
        assert not set(codes) & set(anywhere), path
        statuses = {str(PROBLEMS[code].status) for code in codes}
        errors = {status for status in operation["responses"] if not status.startswith(("2", "3"))}
        assert errors - {"default"} == statuses & {"409", "412", "422"}, path
    assert named == set(PROBLEMS)


def reached_from(node: Any) -> set[str]:
    return reached(DOCUMENT["components"]["schemas"], node)


def test_responses_are_open_and_requests_are_closed() -> None:
    """To a response fields and values may be added; a request with a field that is not known is refused."""
    all_schemas = DOCUMENT["components"]["schemas"]
    in_requests = reached_from([operation.get("requestBody", {}) for _, _, operation in OPERATIONS])
    in_responses = reached_from([operation["responses"] for _, _, operation in OPERATIONS])
    for name in in_responses:
        for place, schema in schemas(all_schemas[name], name):
            assert schema.get("additionalProperties") is not False, place
            if isinstance(schema.get("enum"), list):
                assert tuple(schema["enum"]) in (STATUSES, VISIBILITIES), place
    for name in in_requests - in_responses:
        assert "oneOf" in all_schemas[name] or all_schemas[name]["additionalProperties"] is False, name
        defaults = [place for place, schema in schemas(all_schemas[name], name) if "default" in schema]
        assert [place for place in defaults if not place.endswith("properties")] == []


@pytest.mark.parametrize("game", long_but_for({"manitou", "tomahawk"}.__contains__, GAMES))
def test_what_a_table_tells_fits_the_schemas_of_its_game(world: World, game: str) -> None:
    """Events and views of every seat, legal moves, and what a move is answered, all of a game played to its end."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game=game)
    path = f"/v1/tables/{table}"
    fits = {name: validator({"$ref": f"#/components/schemas/{name}"}) for name in ("Table", "Moves", "Played")}
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
    for module in (accounts_and_tokens, opening, passkeys, signing_in, webhooks):
        monkeypatch.setattr(module, "secrets", drawn)
    monkeypatch.setattr(idempotency, "os", SimpleNamespace(urandom=rng.randbytes))
    monkeypatch.setattr(accounts_and_tokens, "today", lambda: now[0] // 86_400_000)
    monkeypatch.setattr(personal_texts, "new_nonce", lambda: rng.randbytes(personal_texts.NONCE))
    monkeypatch.setattr(key_store, "new_key", lambda: rng.randbytes(32))
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
