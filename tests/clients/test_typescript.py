"""The client in TypeScript, bundled as a page would have it and run in node."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests.long import long_but_for
from tools.node import NODE

FOLDER = Path(__file__).parent
CLIENT = FOLDER.parents[1] / "clients" / "typescript"
PATIENCE_S = 240


def bundled(name: str, folder: Path) -> Path:
    """A program with the client in it."""
    target = folder / f"{name}.mjs"
    options = [f"--alias:wintercount-client={CLIENT / 'src/index.ts'}", "--bundle", "--format=esm", "--platform=node"]
    esbuild, source = str(CLIENT / "node_modules/.bin/esbuild"), str(FOLDER / f"{name}.mts")
    subprocess.run([esbuild, source, *options, f"--outfile={target}", "--log-level=error"], check=True)
    return target


def node(*words: Any, **settings: str) -> str:
    """What node writes; fails with what it said if it fails."""
    done = subprocess.run(
        [NODE, *words], env=os.environ | settings, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", long_but_for({"tomahawk"}.__contains__, GAMES))
def test_a_typed_bot_plays_a_whole_game(address: str, game: str, tmp_path: Path) -> None:
    """Against an AI player, to its end; the past is shown as a seat saw it."""
    told = json.loads(node(bundled("bot", tmp_path), address, game))
    assert told["types"][-3:] == ["GameEnded", "SeedRevealed", "TableClosed"]
    assert told["seen"] == [20, 2]


@pytest.mark.slow
def test_lost_answers_cut_streams_and_refusals(address: str, tmp_path: Path) -> None:
    """`client.test.mts`, by node's own runner."""
    assert "# fail 0" in node("--test", "--test-reporter=tap", bundled("client.test", tmp_path), ADDRESS=address)
