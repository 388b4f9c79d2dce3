"""What the documents tell of environments, and the example: all of it runs, and the numbers are those of the code."""

import hashlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wintercount.env
from games import GAMES
from wintercount.env import coding_of

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
PINNED = json.loads((Path(__file__).parent / "codings.json").read_text())
TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]


def section(title: str, upto: str) -> str:
    return PAGE.partition(f"### {title}\n")[2].partition(upto)[0]


def table_of(text: str, slug: str) -> str:
    return text.partition(f"| {GAMES[slug].title} | ")[2].partition("\n\n")[0]


def test_ten_lines_play_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the page, with three games instead of ten thousand."""
    code = PAGE.partition("## Environments")[2].partition("```python\n")[2].partition("```")[0]
    assert len(code.strip().splitlines()) == 11
    exec(code.replace("10_000", "3"), {})  # noqa: S102 - our own
    assert re.fullmatch(r"\{'seat_1': (\S+), 'seat_2': (\S+)\}\n", capsys.readouterr().out)


def test_a_seat_plays_with_gymnasium(capsys: pytest.CaptureFixture[str]) -> None:
    """The second example of the page pays a reward."""
    code = PAGE.partition("with Gymnasium:")[2].partition("```python\n")[2].partition("```")[0]
    exec(code, {})  # noqa: S102 - our own
    assert -1 <= float(capsys.readouterr().out) <= 1


@pytest.mark.slow
def test_self_play_tells_of_every_card() -> None:
    """`examples/self_play.py` with three games, run as a reader would."""
    command = [sys.executable, "examples/self_play.py", "3"]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "."}, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 21
    assert all(re.fullmatch(r"choose \S+ +[+-]\d\.\d{3} +\d+ times", line) for line in lines)


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_numbers_the_actions(slug: str) -> None:
    """Every kind of action in order, with its first and last number."""
    told = re.findall(r"^\| (\d+)(?: to (\d+))? \| `(\w+)", table_of(section("Actions", "### "), slug), re.M)
    numbered = enumerate(coding_of(slug, GAMES[slug].players[0]).actions)
    found = []
    for kind, group in itertools.groupby(numbered, key=lambda row: row[1].split(" ")[0]):
        numbers = [number for number, _ in group]
        found.append((str(numbers[0]), str(numbers[-1]) if len(numbers) > 1 else "", kind))
    assert told == found


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_names_the_slots(slug: str) -> None:
    """Every block of an observation, and how many slots there are for each number of seats."""
    table = table_of(section("Observations", "### OpenSpiel"), slug)
    sizes = {int(players): int(slots.replace(",", "")) for slots, players in re.findall(r"([\d,]+) for (\d)", table)}
    assert sizes == {players: len(coding_of(slug, players).slots) for players in GAMES[slug].players}
    told = [re.sub(r"\b[A-Z]{3,}\b", "*", name).split("/") for name in re.findall(r"`([^`]*/[^`]*)`", table)]
    blocks = {"/".join(name[:-1]) for name in told}
    patterns = [re.compile(re.escape(name).replace(r"\*", r"\w+") + "$") for name in blocks]
    for slot in coding_of(slug, GAMES[slug].players[0]).slots:
        block = slot.rpartition("/")[0]
        assert any(pattern.match(block) for pattern in patterns), slot


def test_the_page_names_what_there_is() -> None:
    """The table of names."""
    told = set(re.findall(r"^\| `(\w+)", PAGE.partition("## Environments")[2].partition("**Observations.**")[0], re.M))
    assert told <= set(wintercount.env.__all__)
    assert {"env", "parallel_env", "coding_of", "Playing"} <= told


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_numbers_stay_what_they_are(slug: str, players: int) -> None:
    """Who has learned by these numbers goes on by them: other ones would be another version of the environment."""
    coding = coding_of(slug, players)
    assert [digest(coding.actions), digest(coding.slots)] == PINNED[f"{slug}/{players}"]


def digest(names: tuple[str, ...]) -> str:
    return f"{len(names)} names, sha256 {hashlib.sha256(json.dumps(names).encode()).hexdigest()}"
