"""What the page is served from is made of packages that are pinned; where they cannot be had, each module is served."""

import os
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest

from service.page import FOLDER, SHELL, assets
from tools import bundling

STATIC = FOLDER / "static"
PREACT = "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55"  # dist/preact.mjs of preact@11.2.0
FOUND = os.environ["PATH"]


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An npm that fetches nothing until a test says otherwise, and an environment that has no bundler."""
    program = tmp_path / "npm"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{FOUND}")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return program


def test_without_a_bundler_modules_are_served(npm: Path, tmp_path: Path) -> None:
    """And a line says so."""
    (tmp_path / "page/reference").mkdir(parents=True)
    (tmp_path / "page/static").symlink_to(STATIC)
    (tmp_path / bundling.PINNED).write_bytes((bundling.ROOT / bundling.PINNED).read_bytes())

    page, docs = bundling.make(tmp_path)

    assert page.startswith("The page is served module by module: npm could not fetch @esbuild/")
    assert docs == "/docs/reference has no library to show it: npm could not fetch @scalar/api-reference"
    assert b"/page/js/main.js" in assets(tmp_path / "page")[SHELL].content


def test_a_package_of_other_bytes_is_refused(npm: Path, tmp_path: Path) -> None:
    """Nothing of it is kept."""
    with tarfile.open(tmp_path / "other.tgz", "w:gz") as archive:
        archive.add(npm, "package/bin/esbuild")
    npm.write_text(f'#!/bin/sh\ncp {tmp_path}/other.tgz "$5"\n', encoding="utf-8")

    with pytest.raises(bundling.NotMade, match="is not the one that is pinned"):
        bundling.esbuild()

    assert list(tmp_path.glob("esbuild*")) == []


def test_the_bundle_is_served_as_long_as_it_is_of_these_sources(tmp_path: Path) -> None:
    """Everything that its page names is there, and what is named by its content."""
    (tmp_path / "static").symlink_to(STATIC)
    bundling.bundle(STATIC, tmp_path / "bundled")
    served = assets(tmp_path)
    shell = served[SHELL].content.decode()
    made = [name for name in served if name.startswith("bundle/")]
    assert {name.partition("-")[0] for name in made} == {
        f"bundle/{part}" for part in ("main", "style", *bundling.PARTS)
    }
    assert [name for name in made if f"/page/{name}" in shell] != []
    assert "/page/js/" not in shell
    assert all("br" in served[name].forms for name in made)


def test_preact_is_the_one_of_its_package() -> None:
    """Behind the line that tells its licence."""
    told, _, library = (STATIC / "js/vendor/preact.js").read_bytes().partition(b"\n")
    assert b"MIT License" in told
    assert sha256(library).hexdigest() == PREACT
