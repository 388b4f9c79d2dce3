"""The benchmark of environments runs; its figures are read elsewhere."""

from pathlib import Path

import pytest

from benchmarks import research

SPEED = research.Speed(100.0, 90.0, 2.0)


@pytest.mark.slow
def test_environments_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game of this project with every number of seats, with the versions of what is installed."""
    monkeypatch.setattr(research, "found", lambda _: None)
    monkeypatch.setattr(research, "processor", lambda: "a processor")
    speeds = research.main(seconds=0.001, rounds=1, output=tmp_path / "research.md")
    tables = {f"wintercount {slug}/{players}" for slug, players in research.OURS}
    assert {name.partition(",")[0] for name in speeds} == tables
    assert all(min(speed) > 0 for speed in speeds.values())
    told = (tmp_path / "research.md").read_text()
    assert "- gymnasium: 1." in told
    assert "- processor: a processor" in told
    assert "- yardstick: " in told
    assert told.count("| wintercount ") == len(speeds)
    assert research.installed("no-such-package") == "not installed"


def test_who_is_fastest_stands_first() -> None:
    """Whosever it is, by steps for a yardstick."""
    told = research.report([50.0, 50.0], {"ours": SPEED, "theirs": SPEED._replace(share=3.0)})
    assert told.splitlines()[-2:] == ["| theirs | 100 | 90 | 3.00 |", "| ours | 100 | 90 | 2.00 |"]


def test_the_yardstick_is_measured_before_between_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share is told against the two measurements around its round, and of these the median."""
    yardsticks, paces = iter([100.0, 200.0, 200.0]), iter([60.0, 80.0])
    monkeypatch.setattr(research, "players", lambda: [("ours", lambda _: 1)])
    monkeypatch.setattr(research, "pace", lambda *_: next(yardsticks))
    monkeypatch.setattr(research, "measure", lambda *_: research.Speed(next(paces), 1.0))
    yards, speeds = research.measured(0.0, 2)
    assert (yards, speeds["ours"]) == ([100.0, 200.0, 200.0], research.Speed(70.0, 1.0, 0.4))


def test_what_is_not_installed_is_left_out() -> None:
    """Rather than that all fails."""
    assert research.found("no_such_package") is None
    assert research.found("random") is not None
