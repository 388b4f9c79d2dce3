"""`wintercount new-game` writes a game that runs; the guide's steps do what they say."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from click.testing import CliRunner, Result

from tests.servers import free_port
from wintercount.cli import main as cli
from wintercount.cli.games import LOOK_S
from wintercount.scaffold import prefix_of

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
DIFF = re.compile(r"```diff\n (\S+)\n(.*?)```", re.DOTALL)
CASE = re.compile(r"Save it as `(\S+)`:\n\n```json\n(.*?)```", re.DOTALL)


def made(name: str, into: Path) -> Result:
    return CliRunner().invoke(cli.main, ["new-game", name, "--into", str(into)])


def printed_by_pytest(folder: Path, *chosen: str) -> str:
    """What pytest prints about a game whose package is not installed."""
    path = os.pathsep.join((str(ROOT), str(folder)))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(folder), *chosen]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    ).stdout


def passed_in(folder: Path) -> int:
    """How many tests of a game pass; all do."""
    found = re.search(r"^(\d+) passed in", printed := printed_by_pytest(folder), re.MULTILINE)
    assert found, printed
    return int(found[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goofspiel", "crazy-eights"])
def test_its_own_tests_pass(name: str, tmp_path: Path) -> None:
    """Under any name: the laws of every game, the worked example, the case."""
    assert made(name, tmp_path).exit_code == 0
    assert passed_in(tmp_path / name) == 26


FAULTS = {
    "a field that an event does not have": (
        "words/en.toml",
        "worth {{ prize }}",
        "worth {{ price }}",
        "'price' is undefined, in ('PrizeTurned'",
    ),
    "a sentence that is missing": (
        "words/en.toml",
        "PrizeTurned = ",
        "PriceTurned = ",
        "['PriceTurned', 'PrizeTurned']",
    ),
    "no TOML": ("words/en.toml", '"Bid {{ card }}."', '"Bid "{{ card }}"', "goofspiel/words/en.toml"),
    "a value without a case": ("__init__.py", '"discard", "carry"', '"discard", "carry", "next"', "[('tie', 'next')]"),
    "other figures": ("cases/GO-R1-tie.json", "[10, 9]}]}]}", "[9]}]}]}", "seat 1 sees at /at_stake [10, 9], not [9]"),
    "a place that no state has": ("cases/GO-R1-tie.json", '"moves"', '"state": {"/bid": 1}, "moves"', "has no /bid,"),
    "an unknown rule": ("cases/GO-R1-tie.json", '"rule": "GO-R1"', '"rule": "GO-R7"', "there is no rule GO-R7"),
    "a house rule shown elsewhere": (
        "__init__.py",
        '("BidsCompared",)',
        '("PrizeTurned",)',
        "a difference in BidsCompared",
    ),
    "a ruling that is not cited": ("__init__.py", '("GO-3.3", "GO-R1")', '("GO-3.3",)', "no event cites GO-R1"),
    "a lost prize": ("__init__.py", "[*state.prizes, ", "[", "Left contains one more item"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_named(fault: str, tmp_path: Path) -> None:
    """By the laws, in words that lead to it."""
    made("goofspiel", tmp_path)
    name, right, wrong, message = FAULTS[fault]
    file = tmp_path / "goofspiel" / "goofspiel" / name
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    printed = printed_by_pytest(tmp_path / "goofspiel", "-k", "words or cases or nothing_is_lost")
    assert message in printed, printed


def test_every_name_in_it_is_the_new_one(tmp_path: Path) -> None:
    made("crazy-eights", tmp_path)
    files = [path for path in (tmp_path / "crazy-eights").rglob("*") if path.is_file()]
    assert len(files) == 8
    for path in files:
        assert not re.search(r"(?i)goof|\bGO-", path.read_text(encoding="utf-8") + str(path.relative_to(tmp_path)))
    assert prefix_of("crazy-eights") == "CE"


@pytest.mark.parametrize(("name", "sentence"), [("Chess", "is not a name such as"), ("taken", "exists already")])
def test_a_name_that_cannot_be_is_refused(name: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    told = made(name, tmp_path)
    assert (told.exit_code, sentence in told.output) == (1, True)


@pytest.mark.slow
def test_the_steps_of_the_guide_lead_to_a_ruling_with_another_reading(tmp_path: Path) -> None:
    """Given the scaffold; when the changes of the guide are made; then its tests pass, the case among them."""
    made("goofspiel", tmp_path)
    folder = tmp_path / "goofspiel"
    changes = DIFF.findall(GUIDE)
    assert len(changes) == 3
    for name, lines in changes:
        file = folder / name
        before = "".join(line[1:] for line in lines.splitlines(keepends=True) if line.startswith("-"))
        after = "".join(line[1:] for line in lines.splitlines(keepends=True) if line.startswith("+"))
        text = file.read_text(encoding="utf-8")
        assert before.strip("\n") in text
        file.write_text(text.replace(before.strip("\n"), after.strip("\n")), encoding="utf-8")
    ((path, case),) = CASE.findall(GUIDE)
    (folder / path).write_text(case, encoding="utf-8")
    assert passed_in(folder) == 26


@pytest.mark.slow
def test_a_package_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    """So that its author need not look for it in the package of all games, which cannot be imported then."""
    installed(tmp_path)
    command, path = [sys.executable, "-c", "import games"], os.pathsep.join((str(ROOT), str(tmp_path)))
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "while loading the game 'goofspiel' of an installed package (goofspiel:game)" in done.stderr


def installed(folder: Path) -> None:
    """Writes down what an installer does of a package with the game."""
    found = folder / "goofspiel-0.1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: goofspiel\nVersion: 0.1.0\n")
    (found / "entry_points.txt").write_text("[wintercount.games]\ngoofspiel = goofspiel:game\n")


@pytest.mark.slow
def test_dev_serves_the_game_and_starts_again_when_a_file_changes(tmp_path: Path) -> None:
    made("goofspiel", tmp_path)
    folder, port = tmp_path / "goofspiel", free_port()
    installed(folder)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder))),
        "WINTERCOUNT_PORT": str(port),
        "WINTERCOUNT_DATA": str(tmp_path / "data"),
    }
    command = [sys.executable, "-u", "-m", "wintercount", "dev", "--game", "goofspiel", "--no-browser"]
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout
        try:
            line = next(line for line in process.stdout if "can be played at" in line)
            assert f"http://127.0.0.1:{port}/#/?game=goofspiel" in line
            told = requests.get(f"http://127.0.0.1:{port}/v1/games/goofspiel", timeout=10).json()
            assert told["players"] == [2, 3, 4]
            module = folder / "goofspiel" / "__init__.py"
            (folder / "goofspiel" / "cases" / "GO-R1-case.json").write_text("")  # as a shell does before a command runs
            time.sleep(3 * LOOK_S)
            whole = module.read_text(encoding="utf-8").replace("players=(2, 3, 4)", "players=(2,)")
            module.write_text("broken(")
            assert next(line for line in process.stdout if "has changed" in line).startswith("goofspiel/__init__.py")
            assert next(line for line in process.stdout if "starts again when a file changes" in line)
            assert (tmp_path / "errors").read_text().count("SyntaxError") == 1
            module.write_text(whole)
            assert next(line for line in process.stdout if "has changed" in line).startswith("goofspiel/__init__.py")
            next(line for line in process.stdout if "serves at" in line)
            assert requests.get(f"http://127.0.0.1:{port}/v1/games/goofspiel", timeout=10).json()["players"] == [2]
        finally:
            process.terminate()
