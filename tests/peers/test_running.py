"""The runner: a part is written down when it is measured, and is not measured twice."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks import machine
from benchmarks.figures import Size
from benchmarks.peers import __main__ as running
from benchmarks.peers.compared import Group, Part, Row
from benchmarks.peers.page import PLOT

PARTS = ("eventsourcing", "chess")


class Bench:
    """The runner with two parts that measure nothing, at a commit."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.commit = directory, "abc"
        self.measured: list[str] = []
        self.broken = ""

    def measure(self, name: str, _: Size) -> Part:
        """Finds next to nothing, unless it breaks."""
        if name == self.broken:
            raise RuntimeError("stopped")
        self.measured.append(name)
        group = Group("moves", "moves/s", [Row("ours", True, [1.0], [1.0]), Row("theirs", False, [2.0], [2.0])])
        return Part(f"Part {name}", "", [group], [1.0], {"commit": self.commit})

    def run(self, *words: str) -> Result:
        """As from the command line."""
        return CliRunner().invoke(running.main, [*words, "--output", str(self.directory)])

    @property
    def page(self) -> str:
        """The page of results."""
        return (self.directory / "peers.md").read_text()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """With nothing measured yet."""
    found = Bench(tmp_path / "results")
    monkeypatch.setattr(running, "PARTS", dict.fromkeys(PARTS))
    monkeypatch.setattr(running, "commit", lambda: found.commit)
    monkeypatch.setattr(running, "measure", found.measure)
    return found


def test_a_run_goes_on_where_it_stopped(bench: Bench) -> None:
    """What was measured before it stopped is on the page, and is not measured again."""
    bench.broken = "chess"
    assert isinstance(bench.run().exception, RuntimeError)
    assert "## Part eventsourcing" in bench.page
    bench.broken = ""
    assert bench.run().exit_code == 0
    assert bench.measured == [*PARTS]
    assert bench.page.index("## Part eventsourcing") < bench.page.index("## Part chess")
    assert "theirs" in (bench.directory / PLOT).read_text()


def test_another_commit_is_measured_anew(bench: Bench) -> None:
    """As is one from which files differ, each time; and what is asked for by name."""
    bench.run()
    bench.commit = "def"
    bench.run()
    bench.run("--only", "chess")
    assert bench.measured == [*PARTS, *PARTS, "chess"]
    bench.commit = "def" + machine.CHANGED
    bench.run()
    bench.run()
    assert bench.measured[5:] == [*PARTS, *PARTS]


def test_parts_keep_their_order(bench: Bench) -> None:
    """Whichever is measured first."""
    bench.run("--only", "chess")
    bench.run("--only", "eventsourcing")
    assert bench.page.index("## Part eventsourcing") < bench.page.index("## Part chess")


@pytest.mark.parametrize(
    ("changed", "said"),
    [("", "a1b2c3"), (" M benchmarks/results/peers.md\n", "a1b2c3"), (" M games/kernel.py\n", "a1b2c3-dirty")],
)
def test_results_are_no_change_of_the_code(changed: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit with other results is the same; one with other code is told to be changed."""
    answers = {"describe": "a1b2c3\n", "status": changed}
    monkeypatch.setattr(machine, "_git", lambda word, *_: answers[word])
    assert machine.commit() == said


def test_a_part_tells_on_what_it_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine, its load before and after, the command and the versions of the peer."""
    part = Part("One", "", [], [1.0])
    monkeypatch.setattr(running, "machine", lambda _: {"load before": "0.50", "commit": "abc"})
    monkeypatch.setattr(running, "PARTS", {"one": (lambda _: part, lambda: {"a peer": "1.0"})})
    described = running.measure("one", Size()).described
    assert {"load before", "commit", "load after", "command", "a peer"} == set(described)
    assert running.versions("no-such-package") == {"no-such-package": "not installed"}
