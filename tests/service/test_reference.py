"""The page at `/docs`: the library that shows it, and the introduction to the document that it shows."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

import pytest
from flask.testing import FlaskClient

from service.page import POLICY, REFERENCE, REFERENCE_POLICY
from tests.service.api.document import DOCUMENT
from wintercount.processes.services import create_app

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
    """In the introduction above the operations, with every scope."""
    introduction = DOCUMENT["info"]["description"]
    assert re.findall("^## (.+)$", introduction, re.MULTILINE) == ["Tokens", "Conventions"]
    operations = [one for item in DOCUMENT["paths"].values() for one in item.values() if "security" in one]
    scopes = {scope for one in operations for need in one["security"] for scope in need.get("token", ())}
    assert {scope for scope in scopes if f"`{scope}`" not in introduction} == set()
