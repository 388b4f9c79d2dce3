"""boardgame.io's processes: its server with the game of `boardgame/game.js`, and what plays on it."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "boardgame"
INSTALLED = FOLDER / "node_modules" / "installed"
GAMES = ("tolerant", "strict")  # whether bids are taken that were made before those of others arrived
ENDED_S = 10.0


@contextmanager
def node(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A script of the folder, for as long as the context lasts."""
    environment = os.environ | {"NODE_ENV": "production"}
    child = subprocess.Popen(
        ["node", *words], cwd=FOLDER, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield child
    finally:
        child.terminate()
        child.communicate(timeout=ENDED_S)


@contextmanager
def server(directory: Path | None = None) -> Iterator[str]:
    """Where a server answers that keeps its matches in memory, or with FlatFile in a directory (from the root)."""
    with node("server.js", *([str(directory)] if directory else [])) as child:
        yield f"http://127.0.0.1:{int(_line(child))}"


class Driver:
    """What plays on a server, in a process of its own."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child

    def ask(self, **asked: Any) -> dict[str, Any]:
        """Has something done, as `boardgame/drive.js` lists it; gives what it found."""
        if self._child.stdin is None:
            raise ValueError("nothing can be asked of this process")
        self._child.stdin.write(json.dumps(asked) + "\n")
        self._child.stdin.flush()
        found: dict[str, Any] = json.loads(_line(self._child))
        return found


@contextmanager
def driver(url: str) -> Iterator[Driver]:
    """What plays on the server there."""
    with node("drive.js", url) as child:
        yield Driver(child)


def _line(child: subprocess.Popen[str]) -> str:
    line = child.stdout.readline() if child.stdout else ""
    if not line:
        raise RuntimeError(f"{child.args!r} ended without an answer")
    return line


def versions() -> dict[str, str]:
    """Of Node.js and of what is installed in the folder."""
    told = {"Node.js": subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()}
    for package in json.loads((FOLDER / "package.json").read_text())["dependencies"]:
        described = json.loads((FOLDER / "node_modules" / package / "package.json").read_text())
        told[package] = described["version"]
    return told
