"""`make mutants`: a sample that is the same for a seed, nothing twice, and a page that shows what no test notices."""

import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.mutants import run, trying
from tests.mutants.page import written
from tests.mutants.trying import Mutants

MAIN = """
import json, pathlib, sys, time
verdicts, words = pathlib.Path("mutants"), sys.argv[1:]
kept = json.loads(verdicts.read_text()) if verdicts.exists() else {f"games.x__{n}": "not checked" for n in range(30)}
if words[0] == "results":
    print(*[f"    {name}: {verdict}" for name, verdict in kept.items()], sep="\\n")
elif words[0] == "show":
    print(f"# {words[1]}: survived\\n--- a\\n+++ b\\n-    return 1\\n+    return 2")
else:
    assert not any(kept.get(name, "not checked") != "not checked" for name in words), "tried again"
    kept |= {name: "survived" if name.endswith("7") else "killed" for name in words if name in kept}
    verdicts.write_text(json.dumps(kept))
    time.sleep(600 if "for ever" in words else 0)
"""
MUTMUT = {  # what stands for it: thirty mutants, and tests notice those whose number does not end with 7
    "__main__.py": MAIN,
    "core.py": "",
    "mutation/trampoline.py": "wrap_in_trampoline = set_mutant_under_test = None",
    "state.py": "state = None",
    "runners/harness.py": "class PytestRunner:\n    run_tests = None",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    installed = tmp_path / "installed" / "mutmut"
    installed.mkdir(parents=True)
    for name, text in MUTMUT.items():
        (installed / name).parent.mkdir(exist_ok=True)
        (installed / name).write_text(text)
    monkeypatch.setattr(trying, "INSTALLED", installed.parent)
    monkeypatch.setattr(trying, "RESULTS", tmp_path / "results")
    return tmp_path / "mutants"


@pytest.fixture
def mutants(folder: Path) -> Mutants:
    """The mutants of a commit, in a folder that stands for its clone."""
    found = Mutants("0f1e2d3c4b5a", folder)
    found.where.mkdir(parents=True)
    found.prepare()
    return found


def test_a_seed_draws_the_same_sample(mutants: Mutants) -> None:
    assert mutants.sample(10, 1) == mutants.sample(10, 1) != mutants.sample(10, 2)
    assert len(mutants.sample(1000, 1)) == 30


def test_the_page_shows_what_no_test_notices(mutants: Mutants, tmp_path: Path) -> None:
    """And counts only what was tried."""
    mutants.tried(["games.x__7", "games.x__8"])
    written(mutants, 1, ["games.x__7", "games.x__8", "games.x__9"], tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text()
    assert "Tried were 2 of a sample of 3 that\nseed 1 drew from 30 mutants" in page
    assert "| games | 2 | 1 | 50.0 (9.5 to 90.5) | 1 | 0 |" in page
    assert "| events | 0 | 0 | – | 0 | 0 |" in page
    assert "`games.x__7`: survived\n\n```diff\n--- a\n+++ b\n-    return 1\n+    return 2\n```" in page
    assert "x__8" not in page


@pytest.mark.slow
def test_another_run_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the clone of the same commit: what was tried is not tried again."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    monkeypatch.setattr(run, "commit_at_work", lambda: commit)
    monkeypatch.setattr(trying, "FOLDER", folder)
    page = tmp_path / "page.md"
    for count in (5, 30):
        done = CliRunner().invoke(run.main, ["--sample", str(count), "--page", str(page)])
        assert done.exit_code == 0, done.output
        assert f"Tried were {count} of a sample of {count} " in page.read_text()
    assert (folder / commit / "games").is_dir()


def test_a_run_elsewhere_goes_on(mutants: Mutants, tmp_path: Path) -> None:
    """With the results of a commit alone, in another clone of it."""
    mutants.tried(["games.x__7", "games.x__8"])
    mutants.keep()
    elsewhere = Mutants(mutants.commit, tmp_path / "elsewhere")
    elsewhere.where.mkdir(parents=True)
    elsewhere.prepare()
    verdicts = elsewhere.verdicts()
    assert (verdicts["games.x__7"], verdicts["games.x__8"], verdicts["games.x__9"]) == (
        "survived",
        "killed",
        "not checked",
    )
    assert len(verdicts) == 30
    elsewhere.tried(["games.x__9"])
    elsewhere.keep()
    assert len(mutants.verdicts()) == 30
    assert mutants.verdicts()["games.x__9"] == "killed"
    assert Mutants("another", tmp_path / "elsewhere").verdicts() == {}


def test_what_mutmut_refuses_is_told(mutants: Mutants) -> None:
    mutants.tried(["games.x__1"])
    with pytest.raises(subprocess.CalledProcessError, match="mutmut run"):
        mutants.tried(["games.x__1"])


def test_what_was_tried_when_the_time_is_over_is_kept(mutants: Mutants) -> None:
    """Also in the background, where a shell has programs ignore Ctrl-C."""
    mutants.tried(["games.x__1"])
    handled = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        mutants.tried(["for ever"], 0.5)
    finally:
        signal.signal(signal.SIGINT, handled)
    assert mutants.verdicts()["games.x__1"] == "killed"


def test_a_tree_with_changes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could say what was tried."""

    def changed() -> str:
        raise ValueError("commit first: games/hands.py would not be told")

    monkeypatch.setattr(run, "commit_at_work", changed)
    done = CliRunner().invoke(run.main)
    assert (done.exit_code, done.output) == (1, "Error: commit first: games/hands.py would not be told\n")
