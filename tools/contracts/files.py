"""The contract files: the document divided into them, with shared parts written once."""

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from tools.contracts.openapi import METHODS, document
from tools.contracts.shapes import reached
from tools.contracts.streams import asyncapi

ROOT = Path(__file__).resolve().parents[2]
OPERATORS_TAGS, OPERATORS_SCOPES = ("dumps", "operations"), ("admin", "metrics")
FOR_OPERATORS = {
    "title": "Wintercount: operations",
    "description": "Operations for those who run the service: moderation, imports, health, metrics, and dumps of "
    "public tables. [openapi.yaml](/openapi.yaml) has all others.",
}
SHORT = 105  # characters of JSON

Document = dict[str, Any]
Slot = tuple[Any, Any, str]  # a list or dict, the place in it, and the name of what stands there


def contracts() -> dict[str, Document]:
    """The contracts by the names of their files."""
    whole = document()
    public = _part(whole, lambda operation: not _is_for_operators(operation))
    operators = _part(whole | {"webhooks": {}}, _is_for_operators)
    del operators["webhooks"]
    operators["info"] |= FOR_OPERATORS
    return {"openapi.yaml": public, "openapi-operations.yaml": operators, "asyncapi.yaml": asyncapi(whole)}


def as_yaml(contract: Document) -> str:
    """A contract as it stands in its file."""
    return str(yaml.dump(contract, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


class _Dumper(yaml.SafeDumper):
    """Writes without anchors; short objects, lists of values and examples do not take a line for each field."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def _represent_list(dumper: _Dumper, data: list[Any]) -> yaml.Node:
    in_a_line = _is_short(data) or not any(isinstance(one, list | dict) for one in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=in_a_line)


def _represent_dict(dumper: _Dumper, data: Document) -> yaml.Node:
    node = dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=_is_short(data))
    for name, value in node.value:
        if name.value in ("example", "value") and isinstance(value, yaml.CollectionNode):
            value.flow_style = True
    return node


def _is_short(data: Any) -> bool:
    return len(json.dumps(data)) <= SHORT


_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(dict, _represent_dict)


def _is_for_operators(operation: Document) -> bool:
    scopes = {scope for one in operation["security"] for scope in one.get("token", ())}
    return bool(scopes.intersection(OPERATORS_SCOPES) or set(operation["tags"]).intersection(OPERATORS_TAGS))


def _part(whole: Document, wanted: Callable[[Document], bool]) -> Document:
    """The part of the document with these operations."""
    part = copy.deepcopy(whole)
    for item in part["paths"].values():
        for method in [one for one in METHODS if one in item and not wanted(item[one])]:
            del item[method]
    part["paths"] = {path: item for path, item in part["paths"].items() if item.keys() & set(METHODS)}
    tags = {tag for operation in _operations(part) for tag in operation["tags"]}
    part["tags"] = [tag for tag in part["tags"] if tag["name"] in tags]
    components = part["components"]
    slots = {"parameters": _parameters(part), "headers": _headers(part), "examples": _examples(part)}
    components |= {kind: _write_once(kind, list(found)) for kind, found in slots.items()}
    used = reached(
        components["schemas"], [part["paths"], part["webhooks"], components["responses"], components["parameters"]]
    )
    components["schemas"] = {name: schema for name, schema in components["schemas"].items() if name in used}
    return part


def _operations(part: Document) -> Iterator[Document]:
    for item in [*part["paths"].values(), *part["webhooks"].values()]:
        yield from (item[method] for method in METHODS if method in item)


def _parameters(part: Document) -> Iterator[Slot]:
    for owner in [*part["paths"].values(), *_operations(part)]:
        parameters = owner.get("parameters", [])
        yield from ((parameters, place, parameter["name"]) for place, parameter in enumerate(parameters))


def _headers(part: Document) -> Iterator[Slot]:
    for operation in _operations(part):
        for response in operation["responses"].values():
            headers = response.get("headers", {})
            yield from ((headers, name, name) for name in headers)


def _examples(part: Document) -> Iterator[Slot]:
    """The examples of schemas that several operations use: each gets that of the first operation that reads it."""
    found: dict[str, list[Document]] = {}
    for operation in sorted(_operations(part), key=lambda one: "requestBody" in one):
        for body in [operation.get("requestBody", {}), *operation["responses"].values()]:
            for content in body.get("content", {}).values():
                if "example" in content and "$ref" in content["schema"]:
                    found.setdefault(content["schema"]["$ref"].rpartition("/")[2], []).append(content)
    for name, contents in found.items():
        if len(contents) > 1:
            example = contents[0]["example"]
            for content in contents:
                del content["example"]
                content["examples"] = {name: {"value": example}}
                yield content["examples"], name, name


def _write_once(kind: str, slots: list[Slot]) -> Document:
    """Components of what stands in several slots, which get references; of each name the most frequent one."""
    texts = [(name, json.dumps(holder[place], sort_keys=True)) for holder, place, name in slots]
    shared: dict[str, str] = {}
    for (name, text), count in Counter(texts).most_common():
        if count > 1:
            shared.setdefault(name, text)
    components = {}
    for (holder, place, name), (_, text) in zip(slots, texts, strict=True):
        if shared.get(name) == text:
            components[name] = holder[place]
            holder[place] = {"$ref": f"#/components/{kind}/{name}"}
    return dict(sorted(components.items()))
