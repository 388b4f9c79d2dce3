"""Commands: those of docs/start.md that take one line each, run as they stand there, and any within this process."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.servers import SECRET, data_beside
from wintercount.cli.main import main

ROOT = Path(__file__).parents[1]
TOLD = (ROOT / "docs/start.md").read_text(encoding="utf-8").partition("While `make run` serves")[2]
COMMANDS = dict(re.findall(r"^\| ([^|]+) \| `([^`]+)`", TOLD, re.MULTILINE))
SERVER = "http://127.0.0.1:8000"
PATIENCE_S = 300


def command(name: str, *replaced: tuple[str, str]) -> list[str]:
    """A command by what it does, for a shell; with another server, port or table in the place of the one it names.

    Skips the test where make would have to install something first: `make test` has done so.
    """
    line = COMMANDS[name]
    for target in re.findall(r"make (\S+)", line):
        needed = target if target.startswith(".venv/") else "clients/python/src/wintercount_client/models.py"
        if subprocess.run(["make", "--question", needed], cwd=ROOT, check=False, capture_output=True).returncode:
            pytest.skip(f"needs {needed}: make test brings it up to date")
    for said, now in replaced:
        assert said in line
        line = line.replace(said, now)
    return ["bash", "-c", line]


def output(*words: str) -> str:
    """What a command writes; fails with what it said if it fails."""
    done = subprocess.run(
        words, cwd=ROOT, env=SETTINGS, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def going_on(*words: str) -> Iterator[None]:
    """A command that goes on until it is left."""
    process = subprocess.Popen(words, cwd=ROOT, env=SETTINGS, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def wintercount(*words: str, **settings: str | None) -> Result:
    """What `wintercount` says to these words; `settings` are environment variables without their WINTERCOUNT_."""
    return CliRunner().invoke(main, words, env={f"WINTERCOUNT_{name}": value for name, value in settings.items()})


def on_store(url: str) -> dict[str, str]:
    """The settings of an operator of this store, who has its keys."""
    return {"REDIS_URL": url, "DATA": str(data_beside(url)), "SECRET": SECRET}


# `make` asks for `python3`, as a reader of the page has it.
SETTINGS = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
