"""The benchmark of environments runs; its figures are read elsewhere."""

import pytest

from benchmarks import research


def test_environments_are_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every game of this project, with the versions of what is installed; what is not installed is said to be so."""
    monkeypatch.setattr(research, "found", lambda _: None)
    speeds = research.main(seconds=0.01, repeats=1)
    games = {name.partition(" ")[2].partition("/")[0] for name in speeds if name != research.YARDSTICK}
    assert games == {slug for slug, _ in research.OURS}
    assert all(speed.process > 0 and speed.clock > 0 for speed in speeds.values())
    told = capsys.readouterr().out
    assert "gymnasium 1." in told
    assert f"{research.YARDSTICK:<40}" in told
    assert next(line for line in told.splitlines() if line.startswith(research.YARDSTICK)).endswith(" 1.00")
    assert research.installed("no-such-package") == "not installed"


def test_what_is_not_installed_is_left_out() -> None:
    """Rather than that all fails."""
    assert research.found("no_such_package") is None
    assert research.found("random") is not None
