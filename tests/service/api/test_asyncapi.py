"""The schemas of `asyncapi.yaml` are those of the OpenAPI document, and its examples fit them."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from tests.service.api.document import DOCUMENT as OPENAPI
from tools.contracts.streams import asyncapi

DOCUMENT = asyncapi(OPENAPI)
SCHEMAS: dict[str, Any] = OPENAPI["components"]
SELDOM = ("settled", "lag", "end", "your_turn")
MESSAGES = [
    pytest.param(message, id=f"{name}-{kind}")
    for name, channel in DOCUMENT["channels"].items()
    for kind, message in channel["messages"].items()
]


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
    payload = message["payload"].get("schema", message["payload"])["$ref"].partition("#")[2]
    own = json.loads(json.dumps(DOCUMENT["components"]["schemas"]).replace("openapi.yaml#", "#"))
    components = {"schemas": SCHEMAS["schemas"] | own}
    schema = jsonschema_rs.Draft202012Validator({"$ref": f"#{payload}", "components": components})
    for example in message.get("examples", ()):
        schema.validate(example["payload"])
        jsonschema_rs.Draft202012Validator(message["headers"]).validate(example["headers"])
    assert message.get("examples") or message["name"] in SELDOM
