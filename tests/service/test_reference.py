"""The page at `/docs`: the library that shows it, the document that it shows, and the samples of each operation."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from flask.testing import FlaskClient

import wintercount_client
from service.api.document.openapi import METHODS
from service.api.document.reference import BASE, FILE, for_people
from service.page import POLICY, REFERENCE, REFERENCE_POLICY
from tests.service.api.document import DOCUMENT
from tools.node import NODE
from wintercount.processes.services import create_app

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "typescript"
TYPES_READ = ROOT / ".mypy_cache" / "samples"  # of the client and all that it imports, kept from run to run
TYPESCRIPT = CLIENT / "node_modules/typescript/bin/tsc"
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


def test_tokens_come_first(client: FlaskClient) -> None:
    """In what stands above the operations, with every scope."""
    shown: Any = client.get("/docs/openapi.json").json
    introduction = shown["info"]["description"]
    assert re.findall("^## (.+)$", introduction, re.MULTILINE) == ["Tokens", "Conventions"]
    scopes = {scope for one in OPERATIONS.values() for need in one["security"] for scope in need.get("token", ())}
    assert {scope for scope in scopes if f"`{scope}`" not in introduction} == set()


def test_every_reference_leads_somewhere() -> None:
    """What is left of the schemas is what operations use, and small enough for a browser."""
    text = json.dumps(SHOWN)
    named = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert named <= SHOWN["components"]["schemas"].keys()
    assert len(text) < len(json.dumps(DOCUMENT)) * 0.9


def samples_of(name: str) -> dict[str, str]:
    return {sample["label"]: sample["source"] for sample in OPERATIONS[name]["x-codeSamples"]}


def by_curl(source: str) -> tuple[str, str, str | None, Any]:
    """Method, address, authorization and body of a command, by the rules of a shell."""
    words = shlex.split(source.replace("\\\n", " "))
    assert words[:2] == ["curl", "--fail-with-body"]
    address = next(word for word in words if word.startswith(BASE))
    given = {key: value for key, value in pairwise(words) if key in ("-X", "-d", "--data-binary")}
    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    method = given.get("-X", "POST" if len(given) > ("-X" in given) else "GET")
    body = json.loads(given["-d"]) if "-d" in given else given.get("--data-binary")
    return method, address, headers.get("Authorization"), body


def by_client(source: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str | None, Any]:
    """The same of what the client in Python sends when the sample runs."""
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={})

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        monkeypatch.setattr(wintercount_client, "Client", partial(wintercount_client.Client, http=http))
        exec(source, {})  # noqa: S102 - our own
    (request,) = sent
    content = request.read()
    is_json = request.headers.get("Content-Type") == "application/json"
    body = json.loads(content) if is_json else f"@{FILE}" if content else None
    return request.method, str(request.url), request.headers.get("Authorization"), body


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_samples_send_the_same(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """curl and the client in Python: one method, address and body, with a token where one is needed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE).write_text("{}\n", encoding="utf-8")
    sources = samples_of(name)
    assert list(sources) == ["curl", "Python", "TypeScript"]
    told = by_curl(sources["curl"])
    assert "{" not in told[1]
    assert by_client(sources["Python"], monkeypatch) == told
    needed = OPERATIONS[name]["security"] and {} not in OPERATIONS[name]["security"]
    assert all("YOUR_TOKEN" in source for source in sources.values()) or not needed


def test_a_sample_sends_the_body_of_the_example() -> None:
    example = OPERATIONS["openTable"]["requestBody"]["content"]["application/json"]["example"]
    assert by_curl(samples_of("openTable")["curl"])[3] == example


@pytest.mark.slow
def test_python_samples_have_types(tmp_path: Path) -> None:
    """By `mypy --strict`, each a module of its own; a field that there is not would be found."""
    for name in OPERATIONS:
        (tmp_path / f"{name}.py").write_text(samples_of(name)["Python"] + "\n", encoding="utf-8")
    wrong = samples_of("openTable")["Python"].replace('"decision_s"', '"decision_m"')
    (tmp_path / "wrong.py").write_text(wrong + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(TYPES_READ)]
    environment = os.environ | {"MYPYPATH": str(ROOT / "clients/python/src")}
    checked = subprocess.run(
        [*command, *sorted(map(str, tmp_path.glob("*.py")))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [line for line in checked.stdout.splitlines() if ": error:" in line]
    assert found
    assert all("wrong.py" in line for line in found), checked.stdout


@pytest.mark.slow
@pytest.mark.skipif(not TYPESCRIPT.exists(), reason="needs TypeScript: make test installs it")
def test_typescript_samples_have_types(tmp_path: Path) -> None:
    """By `tsc --strict`, each a module of its own; a field that there is not would be found."""
    for name in OPERATIONS:
        (tmp_path / f"{name}.mts").write_text(samples_of(name)["TypeScript"] + "\n", encoding="utf-8")
    wrong = samples_of("openTable")["TypeScript"].replace('"decision_s"', '"decision_m"')
    (tmp_path / "wrong.mts").write_text(wrong + "\n", encoding="utf-8")
    paths = {"wintercount-client": [str(CLIENT / "src/index.ts")]}
    options = {"rootDir": "/", "noEmit": True, "declaration": False, "types": ["node"], "paths": paths}
    options |= {"typeRoots": [str(CLIENT / "node_modules/@types")]}
    settings = {"extends": str(CLIENT / "tsconfig.json"), "compilerOptions": options, "include": ["*.mts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    checked = subprocess.run([NODE, TYPESCRIPT, "-p", tmp_path], capture_output=True, text=True, check=False)
    found = [line for line in checked.stdout.splitlines() if "error TS" in line]
    assert found
    assert all("wrong.mts" in line for line in found), checked.stdout
