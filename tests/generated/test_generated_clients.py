"""A client of each common generator plays a game against AI, with the service and with one that adds to its answers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES
from tests.generated.newer import newer_server
from tools.node import NODE

FOLDER = Path(__file__).parent
BOTS = FOLDER / "bots"
DOCUMENT = FOLDER.parents[1] / "openapi.yaml"
GENERATORS = Path(sys.executable).parents[1] / "generators/bin"
NPM = FOLDER / "node_modules"
VALIDATOR = Path("/usr/share/gocode/src/gopkg.in/validator.v2")  # Debian's golang-gopkg-validator.v2-dev
PATIENCE_S = 300

Bot = list[str | Path]


def run(*command: str | Path, folder: Path, **settings: str) -> str:
    """Returns what a command prints; fails with all that it said."""
    done = subprocess.run(
        command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def python_bot(tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """openapi-python-client, with its defaults."""
    folder = tmp_path_factory.mktemp("python")
    made = run(
        GENERATORS / "openapi-python-client",
        *("generate", "--path", DOCUMENT, "--meta", "none", "--output-path", folder / "generated"),
        folder=folder,
        PATH=f"{GENERATORS}:{os.environ['PATH']}",
    )
    assert "Warning" not in made, made
    shutil.copy(BOTS / "bot.py", folder)
    return [GENERATORS / "python", folder / "bot.py"]


@pytest.fixture(scope="session")
def typescript_bot(tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """openapi-typescript, with its defaults and `tsc --strict`."""
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copy(BOTS / "bot.ts", folder)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "node_modules").symlink_to(NPM)
    run(NODE, NPM / "openapi-typescript/bin/cli.js", DOCUMENT, "--output", folder / "api.d.ts", folder=folder)
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--types", "node")
    run(NODE, NPM / "typescript/bin/tsc", *options, folder / "bot.ts", folder=folder)
    return [NODE, folder / "bot.js"]


@pytest.fixture(scope="session")
def go_bot(tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """openapi-generator for Go; its default would refuse every field that the document does not name."""
    if not (shutil.which("go") and shutil.which("java")):
        pytest.skip("Go's client needs `go` and `java`: make test-clients says how to install them")
    folder = tmp_path_factory.mktemp("go")
    options = (
        "-g",
        "go",
        "--additional-properties",
        "packageName=generated,disallowAdditionalPropertiesIfNotPresent=false",
        "-o",
        folder / "generated",
    )
    run(GENERATORS / "openapi-generator-cli", "generate", "-i", DOCUMENT, *options, folder=folder)
    shutil.rmtree(folder / "generated/test")
    (folder / "generated/go.mod").unlink()
    shutil.copy(BOTS / "bot.go", folder)
    required = "gopkg.in/validator.v2 v2.0.1"
    module = ["module bot", "go 1.18", f"require {required}"]
    if VALIDATOR.exists():
        shutil.copytree(VALIDATOR, folder / "validator")
        (folder / "validator/go.mod").write_text("module gopkg.in/validator.v2\n", encoding="utf-8")
        module.append("replace gopkg.in/validator.v2 => ./validator")
    (folder / "go.mod").write_text("\n".join(module), encoding="utf-8")
    run("go", "build", "-o", "played", ".", folder=folder, GOFLAGS="-mod=mod")
    return [folder / "played"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["python_bot", "typescript_bot", "go_bot"])
def test_a_generated_client_plays_a_game(bot: str, game: str, address: str, request: pytest.FixtureRequest) -> None:
    """It creates an account, reads a refusal, opens a table and plays to the end."""
    told = json.loads(run(*request.getfixturevalue(bot), address, game, folder=FOLDER))
    assert told["problem"] == "no_such_table"
    assert "GameEnded" in told["types"] or len(told["types"]) == 1000


@pytest.mark.parametrize("bot", ["python_bot", "typescript_bot", "go_bot"])
def test_a_generated_client_reads_a_later_release(bot: str, address: str, request: pytest.FixtureRequest) -> None:
    """Added fields, an unknown type of event and an unknown code of a problem break nothing."""
    with newer_server(address) as newer:
        told = json.loads(run(*request.getfixturevalue(bot), newer, "manitou", folder=FOLDER))
    assert told["problem"] == "invented_later"
    assert told["types"][-1] == "InventedLater"
    assert "GameEnded" in told["types"]
