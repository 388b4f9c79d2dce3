"""`asyncapi.yaml` is what the code serves, its schemas are the OpenAPI document's, and its examples fit them."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import yaml

from tests.service.api.document import DOCUMENT as OPENAPI
from tests.service.api.world import World, accepted
from tools.contracts.openapi import ASYNCAPI, as_yaml
from tools.contracts.streams import asyncapi

DOCUMENT: dict[str, Any] = yaml.load(ASYNCAPI.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
SCHEMAS: dict[str, Any] = OPENAPI["components"]
SELDOM = ("settled", "lag", "end", "your_turn")
MESSAGES = [
    pytest.param(message, id=f"{name}-{kind}")
    for name, channel in DOCUMENT["channels"].items()
    for kind, message in channel["messages"].items()
]


def test_the_document_is_what_the_code_serves(world: World) -> None:
    """`make openapi` renews it."""
    written = ASYNCAPI.read_text(encoding="utf-8")
    assert written == as_yaml(asyncapi(OPENAPI))
    served = world.nobody.get("/asyncapi.yaml")
    assert (served.text, served.mimetype) == (written, "application/yaml")
    assert served.headers["Access-Control-Allow-Origin"] == "*"
    assert world.nobody.get("/asyncapi.yaml", If_None_Match=served.headers["ETag"]).status_code == 304


def test_the_document_as_json_refers_to_the_other_as_json(world: World) -> None:
    served = accepted(world.nobody.get("/asyncapi.json"))
    assert json.loads(json.dumps(DOCUMENT).replace("openapi.yaml#", "openapi.json#")) == served


def test_every_stream_and_every_webhook_is_a_channel() -> None:
    """Whatever the OpenAPI document tells to be a stream of events, or a webhook, is told here."""
    streams = {
        path
        for path, item in OPENAPI["paths"].items()
        if "text/event-stream" in item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    }
    addresses = {channel["address"] for channel in DOCUMENT["channels"].values()}
    assert addresses == {*streams, None}
    hooks = [channel for channel in DOCUMENT["channels"].values() if channel["address"] is None]
    assert len(OPENAPI["webhooks"]) == len(hooks) == 1
    assert {one["channel"]["$ref"] for one in DOCUMENT["operations"].values()} == {
        f"#/channels/{name}" for name in DOCUMENT["channels"]
    }


def references(node: Any) -> Iterator[str]:
    """Everything that a part of the document refers to."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from references(part)


def test_schemas_are_those_of_the_openapi_document() -> None:
    """None is written twice, and each that is referred to is there."""
    found = [one for one in references(DOCUMENT) if not one.startswith("#")]
    assert found
    for one in found:
        place, _, name = one.rpartition("/")
        assert place == "openapi.yaml#/components/schemas"
        assert name in SCHEMAS["schemas"]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_of_its_schema(message: dict[str, Any]) -> None:
    """Its example too, headers and payload; frames of every kind but those that come seldom have one."""
    payload = message["payload"]["schema"]["$ref"].partition("#")[2]
    schema = jsonschema_rs.Draft202012Validator({"$ref": f"#{payload}", "components": SCHEMAS})
    for example in message.get("examples", ()):
        schema.validate(example["payload"])
        jsonschema_rs.Draft202012Validator(message["headers"]).validate(example["headers"])
    assert message.get("examples") or message["name"] in SELDOM
