"""The documents of the API: the committed contract files for programs, and pages for people."""

from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import yaml
from flask import Blueprint, Response, abort, render_template

from service.advice import ADVICE
from service.errors import PROBLEMS
from service.page import HEADERS, REFERENCE, REFERENCE_HEADERS, TYPES, Asset, asset_of, sent

blueprint = Blueprint("documentation", __name__)


@blueprint.get("/<any('openapi', 'asyncapi'):name>.<any('json', 'yaml'):form>")
def get_contract(name: str, form: str) -> Response:
    """A contract file as it is committed, or as JSON."""
    return sent(_contract(name, form), {})


@cache
def _contract(name: str, form: str) -> Asset:
    packaged = files("service").joinpath("contracts", f"{name}.yaml")  # setup.py puts it there when it builds a wheel
    content = (packaged if packaged.is_file() else Path(__file__).parents[2] / f"{name}.yaml").read_bytes()
    if form == "json":
        document = yaml.load(content, Loader=yaml.CSafeLoader)
        content = msgspec.json.encode(document).replace(b"openapi.yaml#", b"openapi.json#")
    return asset_of(content, f"application/{form}")


@blueprint.get("/docs", strict_slashes=False)
@blueprint.get("/docs/", strict_slashes=False)
def get_docs() -> Response:
    """The documentation for people."""
    return get_part_of_docs("index.html")


@blueprint.get("/docs/<any('scalar.js', 'start.js', 'style.css'):name>")
def get_part_of_docs(name: str) -> Response:
    """The library that shows the documentation, the script that starts it, and its colours."""
    if not REFERENCE.joinpath(name).is_file():
        abort(404)  # the library was not fetched
    return sent(_part_of_docs(name), REFERENCE_HEADERS)


@cache
def _part_of_docs(name: str) -> Asset:
    return asset_of(REFERENCE.joinpath(name).read_bytes(), TYPES[name.rpartition(".")[2]])


@blueprint.get("/docs/problems")
def get_problems() -> Response:
    """All problem codes, each with advice."""
    return sent(_problems(), HEADERS)


@cache
def _problems() -> Asset:
    return asset_of(render_template("problems.html", problems=PROBLEMS, advice=ADVICE).encode(), TYPES["html"])
