"""What the documents tell of environments, and the example: all of it runs, and the numbers are those of the code."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES
from wintercount.env import coding_of

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
PINNED = json.loads((Path(__file__).parent / "codings.json").read_text())
TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]


def codes(page: str) -> list[str]:
    """The Python of a page, a text a block."""
    return re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)


def test_ten_lines_play_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the page, with three games instead of ten thousand."""
    code = codes(PAGE.partition("## Environments")[2])[0]
    assert len(code.strip().splitlines()) == 11
    exec(code.replace("10_000", "3"), {})  # noqa: S102 - our own
    assert re.fullmatch(r"\{'seat_1': (\S+), 'seat_2': (\S+)\}\n", capsys.readouterr().out)


def test_a_seat_plays_with_gymnasium(capsys: pytest.CaptureFixture[str]) -> None:
    """The second example of the page pays a reward."""
    exec(codes(PAGE.partition("## Environments")[2])[1], {})  # noqa: S102 - our own
    assert -1 <= float(capsys.readouterr().out) <= 1


def test_actions_and_slots_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With the first and last names that the page's comments have."""
    exec(codes(PAGE.partition("## Environments")[2])[2], {})  # noqa: S102 - our own
    listed = capsys.readouterr().out.splitlines()
    assert (listed[0], listed[84]) == ("(0, 'choose hunter-1')", "(84, 'pass')")
    assert (listed[85], listed[-1]) == ("now/turns_taken", "taken/choose matriarch-2")


@pytest.mark.slow
def test_self_play_tells_of_every_card() -> None:
    """`examples/self_play.py` with three games, run as a reader would."""
    command = [sys.executable, "examples/self_play.py", "3"]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "."}, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 21
    assert all(re.fullmatch(r"choose \S+ +[+-]\d\.\d{3} +\d+ times", line) for line in lines)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_numbers_stay_what_they_are(slug: str, players: int) -> None:
    """Who has learned by these numbers goes on by them: other ones would be another version of the environment."""
    coding = coding_of(slug, players)
    assert [digest(coding.actions), digest(coding.slots)] == PINNED[f"{slug}/{players}"]


def digest(names: tuple[str, ...]) -> str:
    return f"{len(names)} names, sha256 {hashlib.sha256(json.dumps(names).encode()).hexdigest()}"
