"""The built package, unpacked in a folder of its own, serves its rules, rulings and page from anywhere."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ASK = """
import sys, games, service
from service.runtime.app import create_app
assert all(module.__file__.startswith(sys.argv[1]) for module in (games, service))
client = create_app().test_client()
for path in sys.argv[2:]:
    answer = client.get(path)
    assert answer.status_code == 200 and answer.data, (path, answer.status_code)
"""
PATHS = ["/", "/docs", "/openapi.yaml", "/v1/ai-players"]
PATHS += [f"/v1/games/{game}{end}" for game in ("big-manitou", "plenty-coups") for end in ("", "/rules", "/rulings")]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel holds; it is built from a copy of what is under version control."""
    folder = tmp_path_factory.mktemp("wheel")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.strip("\0").split("\0"):
        if not name.startswith(("tests/", "docs/", "benchmarks/")) and (ROOT / name).is_file():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "tree" / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(folder / "tree")], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_it_serves_what_is_read_from_the_package(unpacked: Path, tmp_path: Path) -> None:
    """Run from a folder that has nothing of it."""
    subprocess.run(
        [sys.executable, "-c", ASK, str(unpacked), *PATHS], cwd=tmp_path, env={"PYTHONPATH": str(unpacked)}, check=True
    )


def test_it_is_typed_and_licensed(unpacked: Path) -> None:
    """For those who build on it."""
    packages = ("events", "games", "projections", "rulings", "service", "worker")
    assert all((unpacked / package / "py.typed").is_file() for package in packages)
    assert list(unpacked.glob("*.dist-info/licenses/LICENSE"))
