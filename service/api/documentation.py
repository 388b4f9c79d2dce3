"""The documents of the API: files for machines and pages for people, made once when they are first asked for."""

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template

from service.api.common import made_once
from service.api.document.openapi import as_yaml
from service.api.document.reference import for_people
from service.api.document.refusals import ADVICE
from service.api.document.streams import asyncapi
from service.errors import PROBLEMS
from service.page import HEADERS, REFERENCE, REFERENCE_HEADERS, TYPES, Asset, asset_of, sent

blueprint = Blueprint("documentation", __name__)


Make = Callable[[dict[str, Any]], bytes]

DOCUMENTS: dict[str, tuple[Make, str]] = {  # the schemas of an AsyncAPI document are in the OpenAPI document
    "openapi.json": (msgspec.json.encode, "application/json"),
    "openapi.yaml": (lambda document: as_yaml(document).encode(), "application/yaml"),
    "asyncapi.json": (lambda document: msgspec.json.encode(asyncapi(document, "openapi.json")), "application/json"),
    "asyncapi.yaml": (lambda document: as_yaml(asyncapi(document)).encode(), "application/yaml"),
}


@blueprint.get("/<any('openapi.json', 'openapi.yaml', 'asyncapi.json', 'asyncapi.yaml'):name>")
def get_document(name: str) -> Response:
    """The OpenAPI or AsyncAPI document, as JSON or YAML."""
    return sent(_made_once(name, *DOCUMENTS[name]), {})


@blueprint.get("/docs", strict_slashes=False)
@blueprint.get("/docs/", strict_slashes=False)
def get_docs() -> Response:
    """The documentation for people."""
    return _part_of_docs("index.html")


@blueprint.get("/docs/<any('scalar.js', 'start.js', 'style.css'):name>")
def get_part_of_docs(name: str) -> Response:
    """The library that shows the documentation, what starts it, and its colours."""
    return _part_of_docs(name)


@blueprint.get("/docs/openapi.json")
def get_shown_document() -> Response:
    """The OpenAPI document as the documentation shows it."""
    return sent(_made_once("shown", lambda document: msgspec.json.encode(for_people(document)), TYPES["json"]), {})


def _part_of_docs(name: str) -> Response:
    media_type = TYPES[name.rpartition(".")[2]]
    if not REFERENCE.joinpath(name).is_file():
        abort(404)  # the library was not fetched
    part = _made_once(f"docs/{name}", lambda _: REFERENCE.joinpath(name).read_bytes(), media_type)
    return sent(part, REFERENCE_HEADERS)


@blueprint.get("/docs/problems")
def get_problems() -> Response:
    """All kinds of problem."""
    return sent(_made_once("problems", _problems, TYPES["html"]), HEADERS)


def _made_once(name: str, make: Make, media_type: str) -> Asset:
    """What is made of the document, kept: to write it out takes a second of processor."""
    document = current_app.extensions["openapi"]
    made: Asset = made_once(name, lambda: asset_of(make(document()), media_type))
    return made


def _problems(_: dict[str, Any]) -> bytes:
    return render_template("problems.html", problems=PROBLEMS, advice=ADVICE).encode()
