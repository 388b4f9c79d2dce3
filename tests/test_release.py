"""`make release`: what it asks for, and what lies in `dist/` afterwards."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from service import __version__
from tests.wheels import copy_tree
from tools import release

pytestmark = pytest.mark.slow

ROOT = Path(release.__file__).parents[1]
INSTALLED = (
    "tools/page/node_modules",
    "clients/typescript/node_modules",
)  # what bundles the page, and makes the client
RELEASED = "2026-11-22T05:00:00Z"
DATES = {f"GIT_{who}_DATE": RELEASED for who in ("AUTHOR", "COMMITTER")}
AUTHOR = DATES | {
    f"GIT_{who}_{what}": "ann@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}

CHANGELOG = f"# Changelog\n\n## [Unreleased]\n\n## [{__version__}] - 2026-11-22\n\n### Added\n\n- Everything.\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in a repository of its own, its changelog ready for a release; all of it is committed."""
    tree = copy_tree(tmp_path_factory.mktemp("release"))
    for installed in INSTALLED:
        (tree / installed).symlink_to(ROOT / installed)
    (tree / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All of it"]):
        subprocess.run(["git", *command], cwd=tree, env=os.environ | AUTHOR, check=True)
    return tree


def made_in(tree: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """What `make release` says, on a machine without Docker."""
    environment = os.environ | {"DOCKER_HOST": "unix:///nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["GITHUB_REPOSITORY"] = "ann/wintercount"
    command = [sys.executable, "-m", "tools.release", *options]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def test_a_release_is_made_by_one_command(tree: Path, tmp_path: Path) -> None:
    """Wheel and sdist with rules and page, checksums that hold, clients, and a word on what was left out.

    The sdist makes the same wheel again, byte for byte.
    """
    done = made_in(tree)
    assert done.returncode == 0, done.stderr
    assert "No Docker daemon answers here: no image was built." in done.stdout
    wheel, sdist = (f"wintercount-{__version__}{end}" for end in ("-py3-none-any.whl", ".tar.gz"))
    clients = {f"wintercount_client-{__version__}-py3-none-any.whl", f"wintercount-client-{__version__}.tgz"}
    assert {path.name for path in (tree / "dist").iterdir()} >= {wheel, sdist, "SHA256SUMS"} | clients
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tree / "dist", check=True)
    with zipfile.ZipFile(tree / "dist" / wheel) as archive:
        held = set(archive.namelist())
        assert {info.date_time for info in archive.infolist()} == {(2026, 11, 22, 5, 0, 0)}
    shipped = {"games/manitou/rules.md", "page/static/js/views/table.js", "events/append.lua", "wintercount/py.typed"}
    assert shipped <= held
    assert {"page/site/index.html", "page/site/games/manitou-rules/index.html.br"} <= held
    assert {"index.html", "sources.sha256"} <= {Path(name).name for name in held if "page/bundled/" in name}
    assert not {name for name in held if name.startswith(("tests/", "tools/", "benchmarks/"))}
    with zipfile.ZipFile(tree / "dist" / f"wintercount_client-{__version__}-py3-none-any.whl") as archive:
        assert {"wintercount_client/py.typed", "wintercount_client/models.py"} <= set(archive.namelist())
    with tarfile.open(tree / "dist" / f"wintercount-client-{__version__}.tgz") as archive:
        assert {"package/dist/index.js", "package/dist/index.d.ts", "package/README.md"} <= set(archive.getnames())
        package = json.load(archive.extractfile("package/package.json"))  # type: ignore[arg-type]
        assert package["repository"]["url"] == "git+https://github.com/ann/wintercount.git"
        assert package["version"] == __version__
    with tarfile.open(tree / "dist" / sdist) as archive:
        assert {f"wintercount-{__version__}/{name}" for name in shipped} <= set(archive.getnames())
        archive.extractall(tmp_path, filter="data")
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(int(datetime.fromisoformat(RELEASED).timestamp()))}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet"]
    command = [*pip, "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / f"wintercount-{__version__}")], env=environment, check=True)
    assert (tmp_path / wheel).read_bytes() == (tree / "dist" / wheel).read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("## [Unreleased]", "## [Unreleased]\n\n- More.", "is not empty"),
        ("- Everything.", "", "is empty"),
        (__version__, "0.0.9", "the newest release in CHANGELOG.md is '[0.0.9] - 2026-11-22'"),
        (" - 2026-11-22", "", "the newest release"),
    ],
)
def test_the_changelog_names_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    """Its newest section has the version and a date, and nothing is left unreleased."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(CHANGELOG, encoding="utf-8")
    release.check_changelog(__version__)
    changelog.write_text(CHANGELOG.replace(old, new), encoding="utf-8")
    with pytest.raises(release.NotReady, match=re.escape(reason)):
        release.check_changelog(__version__)


def test_what_is_not_committed_is_not_released(tree: Path) -> None:
    """Nothing is made; the changes are named."""
    shutil.rmtree(tree / "dist", ignore_errors=True)
    added = tree / "games" / "chess.py"
    added.write_text("", encoding="utf-8")
    done = made_in(tree)
    added.unlink()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "No release was made. Commit or stash these changes first:\n?? games/chess.py\n"
    assert not (tree / "dist").exists()
