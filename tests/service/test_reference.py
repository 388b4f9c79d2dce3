"""The page at `/docs`: the library that shows it, the document that it shows, and the samples of each operation."""

import ast
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

from service.api.document.openapi import METHODS, OPENAPI, PATH_PARAMETERS
from service.api.document.reference import for_people
from service.api.document.samples import BASE, PLACES
from service.page import POLICY, REFERENCE, REFERENCE_POLICY
from service.runtime.app import create_app
from tools.node import NODE

DOCUMENT = yaml.load(OPENAPI.read_text(encoding="utf-8"), yaml.CSafeLoader)
SHOWN = for_people(DOCUMENT)
OPERATIONS = {
    operation["operationId"]: operation
    for item in SHOWN["paths"].values()
    for method, operation in item.items()
    if method in METHODS
}
PINNED = json.loads(REFERENCE.joinpath("scalar.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    """A client of an app without a store: the documents need none."""
    with create_app().test_client() as found:
        yield found


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_page_loads_files_of_this_service_alone(client: FlaskClient, path: str) -> None:
    """Every script and style is a file of its own, and the policy names no other address."""
    page = client.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert re.search(r"<style|<script>|\sstyle=|\son[a-z]+=|https?:", page.text) is None
    for link in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert client.get(link).status_code == 200, link


def test_its_policy_lets_styles_be_written_and_no_script(client: FlaskClient) -> None:
    """At `/docs` and what it loads; every other page keeps the strict one."""
    assert client.get("/docs").headers["Content-Security-Policy"] == REFERENCE_POLICY
    assert "script-src 'self';" in REFERENCE_POLICY
    assert "connect-src 'self';" in REFERENCE_POLICY
    assert REFERENCE_POLICY.count("unsafe") == 1
    for path in ("/", "/docs/problems"):
        assert client.get(path).headers["Content-Security-Policy"] == POLICY


def test_the_library_is_the_one_that_is_pinned(client: FlaskClient) -> None:
    """Byte for byte, with its licence beside it."""
    library = client.get("/docs/scalar.js").data
    assert sha256(library).hexdigest() == PINNED["sha256"]
    assert "Copyright (c) 2023-present Scalar" in REFERENCE.joinpath("README.md").read_text(encoding="utf-8")


def test_nothing_else_of_its_folder_is_served(client: FlaskClient) -> None:
    assert client.get("/docs/scalar.json").status_code == 404


def test_tokens_come_first(client: FlaskClient) -> None:
    """In what stands above the operations, with every scope."""
    shown: Any = client.get("/docs/openapi.json").json
    introduction = shown["info"]["description"]
    assert re.findall("^## (.+)$", introduction, re.MULTILINE) == ["Tokens", "Conventions"]
    scopes = {scope for one in OPERATIONS.values() for need in one["security"] for scope in need.get("token", ())}
    assert {scope for scope in scopes if f"`{scope}`" not in introduction} == set()


def test_each_operation_has_a_short_title_and_its_scopes() -> None:
    assert OPERATIONS["playMove"]["summary"] == "Play move"
    assert OPERATIONS["playMove"]["description"].endswith("Scopes: `play`.")
    assert OPERATIONS["getTable"]["description"].endswith("Scopes: no token or `watch`.")
    assert OPERATIONS.keys() == {
        operation["operationId"]
        for item in DOCUMENT["paths"].values()
        for method, operation in item.items()
        if method in METHODS
    }


def test_every_reference_leads_somewhere() -> None:
    """What is left of the schemas is what operations use, and small enough for a browser."""
    text = json.dumps(SHOWN)
    named = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert named <= SHOWN["components"]["schemas"].keys()
    assert len(text) < len(json.dumps(DOCUMENT)) * 0.9


def test_sampled_places_are_such_as_the_document_allows() -> None:
    for name, parameter in PATH_PARAMETERS.items():
        if name in PLACES and (pattern := parameter["schema"].get("pattern")):
            assert re.fullmatch(pattern, PLACES[name]), name
    assert PLACES["lesson"] == "YOUR_LESSON"


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_samples_are_in_three_languages_and_can_be_read(name: str) -> None:
    """curl by the rules of a shell, Python by its own parser; with a token where one is needed."""
    sources = {sample["label"]: sample["source"] for sample in OPERATIONS[name]["x-codeSamples"]}
    assert list(sources) == ["curl", "Python", "TypeScript"]
    words = shlex.split(sources["curl"].replace("\\\n", " "))
    assert words[0] == "curl"
    assert any(word.startswith(BASE) for word in words)
    assert "{" not in next(word for word in words if word.startswith(BASE))
    assert isinstance(ast.parse(sources["Python"]).body[0], ast.Import)
    needed = OPERATIONS[name]["security"] and {} not in OPERATIONS[name]["security"]
    assert all("YOUR_TOKEN" in source for source in sources.values()) or not needed


def test_a_sample_sends_the_body_of_the_example() -> None:
    """The JSON that curl sends, and what Python's literal says, are the example itself."""
    operation = OPERATIONS["openTable"]
    example = operation["requestBody"]["content"]["application/json"]["example"]
    curl, python, _ = (sample["source"] for sample in operation["x-codeSamples"])
    words = shlex.split(curl.replace("\\\n", " "))
    assert json.loads(words[words.index("-d") + 1]) == example
    call = next(node for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Call) and node.keywords)
    (body,) = (keyword.value for keyword in call.keywords if keyword.arg == "json")
    assert ast.literal_eval(body) == example


def test_typescript_samples_can_be_parsed(tmp_path: Path) -> None:
    """Each in a block of a module of its own."""
    imports: list[str] = []
    blocks: list[str] = []
    for operation in OPERATIONS.values():
        source = operation["x-codeSamples"][2]["source"]
        imports += re.findall(r"^import .+$", source, re.MULTILINE)
        blocks.append("{\n" + re.sub(r"^import .+$", "", source, flags=re.MULTILINE) + "\n}")
    module = tmp_path / "samples.mjs"
    module.write_text("\n".join([*dict.fromkeys(imports), *blocks]), encoding="utf-8")
    checked = subprocess.run([NODE, "--check", str(module)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
