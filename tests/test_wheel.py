"""The built package, unpacked in a folder of its own, serves its rules, rulings and page from anywhere."""

import subprocess
import sys
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

import service
import wintercount

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ASK = """
import sys, games, service
from rulings.register import register
from wintercount.processes.services import create_app
assert all(module.__file__.startswith(sys.argv[1]) for module in (games, service))
client = create_app().test_client()
assert all(register(game) for game in games.GAMES)
for path in sys.argv[2:]:
    answer = client.get(path)
    assert answer.status_code == 200 and answer.data, (path, answer.status_code)
"""
READ = """
/ /docs/ /docs/reference /docs/reference/scalar.js /docs/reference/start.js /openapi.json /openapi-operations.yaml
/asyncapi.yaml /v1/ai-players /page/manifest.webmanifest /page/icon-square.png
"""
PATHS = [*READ.split()]
PATHS += [f"/v1/games/{game}{end}" for game in ("big-manitou", "plenty-coups") for end in ("", "/rules")]


def test_it_serves_what_is_read_from_the_package(unpacked: Path, tmp_path: Path) -> None:
    """Run from a folder that has nothing of it."""
    subprocess.run(
        [sys.executable, "-c", ASK, str(unpacked), *PATHS], cwd=tmp_path, env={"PYTHONPATH": str(unpacked)}, check=True
    )


def test_its_version_is_that_of_the_code_and_of_the_api(unpacked: Path) -> None:
    """Said in one place: `service/__init__.py`."""
    assert metadata(unpacked)["Version"] == wintercount.__version__ == service.__version__
    assert f"version: {service.__version__}\n" in (unpacked / "service/contracts/openapi.yaml").read_text(
        encoding="utf-8"
    )
    assert "version =" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool")[0]


def metadata(unpacked: Path) -> Message:
    (found,) = unpacked.glob("*.dist-info/METADATA")
    return message_from_string(found.read_text(encoding="utf-8"))


def test_it_is_typed_and_licensed(unpacked: Path) -> None:
    """For those who build on it."""
    packages = ("events", "games", "projections", "rulings", "service", "wintercount", "worker")
    assert all((unpacked / package / "py.typed").is_file() for package in packages)
    assert list(unpacked.glob("*.dist-info/licenses/LICENSE"))
