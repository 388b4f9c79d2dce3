"""The commands of the guides and the first bots, as they stand, against the service as `make run` starts it."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests import curl
from tests.goofspiel import INSTALLED
from tests.servers import data_directory
from tests.service.web import serving
from tools.bundling import esbuild

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
FIRST_BOT = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
HEADING = "## A first table"
NEW_GAME = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
AT_A_TABLE = "## 5. People and an AI player at a table"
NEEDED_CURL = (7, 82)  # the first with --json
PATIENCE_S = 120

# A curl that is refused inside a pipe would go unnoticed: every one of them is noted, and so is the order to end.
BEGIN = """
set -eu
curl() { "$CURL" "$@" || { echo "refused: $*" >> refused; return 1; }; }
"""


def blocks(page: str, heading: str) -> list[str]:
    """The shell commands under a heading, a text a block."""
    section = re.split(r"^## ", page.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^```(?:sh|console)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


def stand_in(directory: Path) -> str:
    """A command that does what the tour needs of curl."""
    path = directory / "curl"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{curl.__file__}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def curl_for(directory: Path) -> str:
    """This machine's curl if it is new enough, else the stand-in."""
    found = shutil.which("curl")
    if found:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"curl (\d+)\.(\d+)", told)
        if version and tuple(map(int, version.groups())) >= NEEDED_CURL:
            return found
    return stand_in(directory)


def run(script: str, address: str, directory: Path, curl_command: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "BASE": address, "CURL": curl_command}
    return subprocess.run(
        ["bash", "-c", BEGIN + script],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_first_table_with_curl(address: str, tmp_path: Path) -> None:
    """In order, in one shell: nothing is refused, a hunt is played, a ruling explained, and an earlier moment shown."""
    if not shutil.which("jq"):
        pytest.skip("the tour needs jq, which is not here")
    commands = blocks(TOUR, HEADING)
    assert len(commands) >= 4
    done = run("\necho =====\n".join(commands), address, tmp_path, curl_for(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "refused").exists(), (tmp_path / "refused").read_text(encoding="utf-8")
    opened, chosen, played, ruled, earlier = done.stdout.split("=====\n")
    assert opened == ""
    assert '"choose_party"' in chosen
    assert '"type":"play_card"' in played
    assert '"words"' in ruled
    assert '"version"' in earlier
    assert '"words"' in earlier


def test_people_and_an_ai_player_at_a_table_of_a_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guide's commands lead from two accounts to a ruling that is overturned."""
    skip_without_curl_and_jq(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, INSTALLED))))
    with (
        data_directory() as directory,
        serving("", "-m", "wintercount", "run", "--no-demo", DATA=str(directory), SECRET="") as found,
    ):
        done = run("\n".join(blocks(NEW_GAME, AT_A_TABLE)), found, tmp_path, curl_for(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Prizes at stake" in done.stdout
    assert done.stdout.endswith("overturned\n")


def skip_without_curl_and_jq(directory: Path) -> None:
    """Skips a sample that uses programs which this machine does not have."""
    if not (shutil.which("jq") and curl_for(directory) == shutil.which("curl")):
        pytest.skip("the sample needs curl 7.82 and jq, which are not here")


def sample(tab: str) -> str:
    """The program in a tab of the page."""
    return textwrap.dedent(re.split(r"^ +```\w*\n", FIRST_BOT.partition(f'=== "{tab}"')[2], maxsplit=2, flags=re.M)[1])


def commands(tab: str, directory: Path) -> list[str]:
    """How the program of a tab is run here; Node.js before 22.18 cannot read TypeScript."""
    (directory / "bot").write_text(sample(tab), encoding="utf-8")
    return {
        "curl": ["bash bot"],
        "Python": ["python3 bot"],
        "TypeScript": [f"{esbuild()} --loader=ts --log-level=error < bot > bot.mjs", "node bot.mjs"],
    }[tab]


@pytest.mark.parametrize("tab", ["curl", "Python", "TypeScript"])
def test_a_first_bot_plays_a_game(tab: str, address: str, tmp_path: Path) -> None:
    """From an account to the ranking, which it prints."""
    if tab == "curl":
        skip_without_curl_and_jq(tmp_path)
    done = run("\n".join(commands(tab, tmp_path)), address, tmp_path, "curl")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"rank.{1,3} ?1\b", done.stdout)
