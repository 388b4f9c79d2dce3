"""The documentation: the guides at `/docs/`, and the reference with its library and its introduction."""

import gzip
import json
import re
import tomllib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import brotli
import pytest
from flask.testing import FlaskClient

from service.api import documentation
from service.page import POLICY, REFERENCE, REFERENCE_POLICY
from tools.documentation import CONFIGURATION, ELSEWHERE, ROOT, SITE, build, pages
from wintercount.processes.services import create_app

PINNED = json.loads(REFERENCE.joinpath("scalar.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    """A client of an app without a store: the documents need none."""
    with create_app().test_client() as found:
        yield found


@pytest.fixture(scope="module")
def guides(client: FlaskClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The site, built for these tests and served."""
    tree = tmp_path_factory.mktemp("tree")
    (tree / "page").mkdir()
    names = [name for name in ELSEWHERE if "/" not in name]
    for name in ("docs", "games", "clients", "page/static", *names):
        (tree / name).symlink_to(ROOT / name)
    build(tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documentation, "GUIDES", tree / SITE)
        clear()
        yield tree / SITE
    clear()


def clear() -> None:
    """Forgets what was read of the site and the reference."""
    for kept in (documentation._guides, documentation._guide, documentation._rendered):
        kept.cache_clear()


def test_without_a_build_the_reference_says_how_to_build_the_guides(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documentation, "GUIDES", tmp_path)
    clear()
    page = client.get("/docs", follow_redirects=True)
    clear()
    assert "<code>make docs</code> builds them" in page.text
    assert 'id="reference"' in page.text


@pytest.mark.parametrize("path", ["/docs/reference", "/docs/reference/"])
def test_the_page_loads_files_of_this_service_alone(client: FlaskClient, path: str) -> None:
    """Every script and style is a file of its own, and the policy names no other address."""
    page = client.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert re.search(r"<style|<script>|\sstyle=|\son[a-z]+=|https?:", page.text) is None
    for link in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert client.get(link).status_code == 200, link


@pytest.mark.slow
def test_links_of_the_guides_lead_somewhere(client: FlaskClient, guides: Path) -> None:
    """Every page, script, style and picture that a page names is served, and nothing of another address is loaded."""
    found: dict[str, str] = {}
    for page in guides.rglob("*.html"):
        address = f"/docs/{page.relative_to(guides).as_posix().removesuffix('index.html')}"
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|img|link rel="stylesheet")[^>]+(?:src|href)="(?:https?:)?//', text) == [], (
            address
        )
        links = re.findall(r'<(?:a|img|link|script)\s[^>]*?(?:src|href)="([^"#]+)', text)
        found |= {urljoin(address, link): address for link in links if not re.match(r"https?:|mailto:", link)}
    assert len(found) > 60
    assert {link: page for link, page in found.items() if client.get(link).status_code not in (200, 302)} == {}


@pytest.mark.slow
def test_guides_are_compressed_and_run_their_own_scripts_alone(client: FlaskClient, guides: Path) -> None:
    """In every common coding; the policy has the digest of each script that stands in a page."""
    page = client.get("/docs/bots/", headers={"Accept-Encoding": "identity"})
    for coding, opened in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        answer = client.get("/docs/bots/", headers={"Accept-Encoding": coding})
        assert (answer.headers["Content-Encoding"], opened(answer.data)) == (coding, page.data)
    policy = page.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script>(.*?)</script>", page.text, re.S)
    digests = {b64encode(sha256(script.encode()).digest()).decode() for script in scripts}
    assert set(re.findall(r"'sha256-([^']+)'", policy)) == digests
    assert "unsafe" not in re.search(r"script-src [^;]*", policy)[0]  # type: ignore[index]
    assert client.get("/docs/bots").headers["Location"] == "/docs/bots/"
    assert client.get("/docs/../pyproject.toml").status_code == 404


def test_every_guide_is_in_the_navigation() -> None:
    """Each page once; what the navigation names is a page, or an address of the service."""
    configuration = tomllib.loads((ROOT / CONFIGURATION).read_text(encoding="utf-8"))
    named = list(leaves(configuration["project"]["nav"]))
    assert len(set(named)) == len(named)
    addresses = {address for address in pages(ROOT).values() if address.endswith(".md")}
    decisions = {
        address for address in addresses if re.match(r"decisions/\d", address)
    }  # listed on a page of their own
    assert {name for name in named if not name.startswith("/")} == addresses - decisions


def leaves(navigation: list[dict[str, Any]]) -> Iterator[str]:
    """The addresses of a navigation."""
    for entry in navigation:
        for value in entry.values():
            yield from leaves(value) if isinstance(value, list) else [value]


def test_its_policy_lets_styles_be_written_and_no_script(client: FlaskClient) -> None:
    """At the reference and what it loads; the page and the problem codes keep the strict one."""
    assert client.get("/docs/reference").headers["Content-Security-Policy"] == REFERENCE_POLICY
    assert "script-src 'self';" in REFERENCE_POLICY
    assert "connect-src 'self';" in REFERENCE_POLICY
    assert REFERENCE_POLICY.count("unsafe") == 1
    for path in ("/", "/docs/problems"):
        assert client.get(path).headers["Content-Security-Policy"] == POLICY


def test_the_library_is_the_one_that_is_pinned(client: FlaskClient) -> None:
    """Byte for byte, with its licence beside it."""
    library = client.get("/docs/reference/scalar.js").data
    assert sha256(library).hexdigest() == PINNED["sha256"]
    assert "Copyright (c) 2023-present Scalar" in REFERENCE.joinpath("README.md").read_text(encoding="utf-8")
