"""What the README of each client shows is run as it stands there, in an empty folder, at this service."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.test_typescript import CLIENT, node

CLIENTS = CLIENT.parent
SHOWN = "http://127.0.0.1:8000"  # where `make run` serves
PATIENCE_S = 240


def blocks(client: str, language: str) -> list[str]:
    """The programs of a README."""
    text = (CLIENTS / client / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


PYTHON, TYPESCRIPT = blocks("python", "python"), blocks("typescript", "ts")


def ran(name: str, program: str, folder: Path) -> str:
    """What a Python program of a README prints."""
    path = folder / name
    path.write_text(program, encoding="utf-8")
    settings = os.environ | {"PYTHONPATH": str(CLIENTS / "python/src")}
    done = subprocess.run(
        [sys.executable, path], env=settings, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_has_its_programs() -> None:
    """The game, and in Python asyncio; each names the server."""
    assert (len(PYTHON), len(TYPESCRIPT)) == (2, 1)
    assert all(program.count(SHOWN) == 1 for program in (*PYTHON, *TYPESCRIPT))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PYTHON)), ids=["game", "asyncio"])
def test_the_programs_in_python(address: str, number: int, tmp_path: Path) -> None:
    """A game is played or looked at to its end: the view of seat 1 in the past, the last event of a table."""
    last = ran("game.py", PYTHON[number].replace(SHOWN, address), tmp_path).splitlines()[-1]
    assert ("'game': 'manitou'" in last) if number == 0 else ("closed" in last), last


@pytest.mark.slow
def test_the_program_in_typescript(address: str, tmp_path: Path) -> None:
    """Saved as `game.mjs`, beside the client as npm would install it."""
    program, bundle = tmp_path / "game.mjs", tmp_path / "bundle.mjs"
    program.write_text(TYPESCRIPT[0].replace(SHOWN, address), encoding="utf-8")
    alias = f"--alias:wintercount-client={CLIENT / 'src/index.ts'}"
    options = ["--bundle", "--format=esm", "--platform=node", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run([str(CLIENT / "node_modules/.bin/esbuild"), program, alias, *options], check=True)
    assert "game: 'manitou'" in node(bundle)
