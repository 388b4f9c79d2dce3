"""Writes the operations of `openapi.yaml` as functions of Python, beside the models that a library generates.

`python -m tools.clients.operations FILE`
"""

import keyword
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jinja2 import Environment, StrictUndefined

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = Path(__file__).with_name("operations.py.jinja")
METHODS = ("get", "put", "post", "delete")
READ_BY_THE_LAYER = ("If-None-Match", "Last-Event-ID")  # headers that say where one is: no argument of a function
JSON = "application/json"
READS = {
    "text/plain": ("str", "as_text"),
    "application/octet-stream": ("bytes", "as_bytes"),
}
TYPES = {"string": "str", "integer": "int"}
BODIES = {JSON: "body", "application/octet-stream": "content"}


class Operation(NamedTuple):
    """What the template needs of an operation."""

    name: str
    method: str
    path: str
    summary: str
    parameters: list[str]
    query: dict[str, str]
    headers: dict[str, str]
    body: str | None
    gives: str
    reads: str


def written(document: Mapping[str, Any]) -> str:
    """The module with all operations."""
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 - not HTML
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(version=document["info"]["version"], operations=list(_operations(document)))


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    shared = document["components"]["parameters"]

    def parameters(owner: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [shared[p["$ref"].rpartition("/")[2]] if "$ref" in p else p for p in owner.get("parameters", [])]

    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield _operation(
                    path, method, item[method] | {"parameters": parameters(item[method])}, parameters(item)
                )


def _operation(path: str, method: str, said: dict[str, Any], of_path: list[dict[str, Any]]) -> Operation:
    named = [p for p in said["parameters"] if p["name"] not in READ_BY_THE_LAYER]
    media, body = next(iter(said.get("requestBody", {}).get("content", {}).items()), (None, None))
    bodies = [f"body: {_body_type(body)}"] if body else []
    keywords = [_argument(p) for p in sorted(named, key=lambda p: not p["required"])]
    gives, reads = _answer(said["responses"])
    return Operation(
        _snake(said["operationId"]),
        method.upper(),
        re.sub(r"\{(\w+)\}", r"{quote(str(\1), safe='')}", path),
        said["summary"],
        [*map(_argument, of_path), *bodies, *(["*", *keywords] if keywords else [])],
        {p["name"]: _variable(p["name"]) for p in named if p["in"] == "query"},
        {p["name"]: _variable(p["name"]) for p in named if p["in"] == "header"},
        BODIES[media] if media else None,
        gives,
        reads,
    )


def _body_type(media: dict[str, Any]) -> str:
    return "bytes" if media["schema"].get("format") == "binary" else _type(media["schema"])


def _argument(parameter: dict[str, Any]) -> str:
    told = f"{_variable(parameter['name'])}: {_type(parameter['schema'])}"
    return told if parameter["required"] else f"{told} | None = None"


def _type(schema: dict[str, Any]) -> str:
    """A parameter's or a body's type in Python."""
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    if "$ref" in schema:
        return f"models.{schema['$ref'].rpartition('/')[2]}"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    return TYPES[schema["type"]]


def _answer(responses: dict[str, Any]) -> tuple[str, str]:
    """The type of what an operation answers, and the function that reads it."""
    content = next(said for status, said in responses.items() if status.startswith("2")).get("content", {})
    if JSON in content:
        return _type(content[JSON]["schema"]), "as_json"
    return next((READS[media] for media in content if media in READS), ("None", "as_nothing"))


def _variable(name: str) -> str:
    plain = name.lower().replace("-", "_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


if __name__ == "__main__":
    read = yaml.load((ROOT / "openapi.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    Path(sys.argv[1]).write_text(written(read), encoding="utf-8")
