"""The documentation: the contract files for programs, and the guides and the reference for people."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import msgspec
import yaml
from flask import Blueprint, Response, abort, render_template

from service.errors import ADVICE, PROBLEMS
from service.page import GUIDES, HEADERS, REFERENCE, REFERENCE_HEADERS, REFERENCE_POLICY, TYPES, Asset, asset_of, sent

INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.S)

blueprint = Blueprint("documentation", __name__)


@blueprint.get("/<any('openapi', 'openapi-operations', 'asyncapi'):name>.<any('json', 'yaml'):form>")
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


@blueprint.get("/docs")
def get_docs() -> Response:
    """The address of the guides, whose links are relative."""
    return Response(status=308, headers=HEADERS | {"Location": "/docs/"})


@blueprint.get("/docs/", defaults={"name": ""})
@blueprint.get("/docs/<path:name>")
def get_guide(name: str) -> Response:
    """A page of the guides or a file that it loads; the reference where the guides are not built."""
    names = _guides()
    if not name and not names:
        return get_reference()
    found = f"{name}index.html" if name.endswith("/") or not name else name
    if found not in names and f"{name}/index.html" in names:
        return Response(status=308, headers=HEADERS | {"Location": f"/docs/{name}/"})
    if found not in names:
        abort(404)
    return sent(*_guide(found))


@cache
def _guides() -> frozenset[str]:
    return frozenset(path.relative_to(GUIDES).as_posix() for path in GUIDES.rglob("*") if path.suffix[1:] in TYPES)


@cache
def _guide(name: str) -> tuple[Asset, dict[str, str]]:
    """Returns a file of the guides; the policy of a page allows its inline scripts."""
    path = GUIDES / name
    content, compressed = path.read_bytes(), path.with_name(f"{path.name}.br")
    scripts = [b64encode(sha256(script).digest()).decode() for script in INLINE_SCRIPT.findall(content)]
    allowed = " ".join(["script-src 'self'", *(f"'sha256-{script}'" for script in dict.fromkeys(scripts))])
    headers = HEADERS | {"Content-Security-Policy": REFERENCE_POLICY.replace("script-src 'self'", allowed)}
    brotli = compressed.read_bytes() if compressed.is_file() else None
    return asset_of(content, TYPES[path.suffix[1:]], brotli), headers


@blueprint.get("/docs/reference", strict_slashes=False)
def get_reference() -> Response:
    """All operations, with samples and a sandbox."""
    return sent(_rendered("reference.html"), REFERENCE_HEADERS)


@blueprint.get("/docs/reference/<any('scalar.js', 'start.js', 'style.css'):name>")
def get_part_of_reference(name: str) -> Response:
    """The library that shows the reference, the script that starts it, and its colours."""
    if not REFERENCE.joinpath(name).is_file():
        abort(404)  # the library was not fetched
    return sent(_part_of_reference(name), REFERENCE_HEADERS)


@cache
def _part_of_reference(name: str) -> Asset:
    return asset_of(REFERENCE.joinpath(name).read_bytes(), TYPES[name.rpartition(".")[2]])


@blueprint.get("/docs/problems")
def get_problems() -> Response:
    """All problem codes, each with advice."""
    return sent(_rendered("problems.html"), HEADERS)


@cache
def _rendered(template: str) -> Asset:
    page = render_template(template, built=bool(_guides()), problems=PROBLEMS, advice=ADVICE)
    return asset_of(page.encode(), TYPES["html"])
