"""The benchmarks run: each part with next to nothing to measure, so that only whether it works is told."""

import json
from pathlib import Path

import pytest

from benchmarks import host
from benchmarks.__main__ import PARTS, measure, write
from benchmarks.figures import SMOKE
from tests.long import long_but_for


@pytest.fixture(autouse=True)
def _data_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the embedded servers keep is kept apart from the service's own."""
    monkeypatch.setattr(host, "DATA", tmp_path)
    monkeypatch.setattr("benchmarks.machine.DATA", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", long_but_for({"moves", "engines"}.__contains__, PARTS))
def test_a_part_finds_figures(part: str, tmp_path: Path) -> None:
    """Every part gives rows of positive figures, and they are written as JSON and as Markdown."""
    described, figures = measure([part], SMOKE)
    write(tmp_path, described, figures)

    rows = json.loads((tmp_path / "latest.json").read_text())["parts"][part]["rows"]
    assert rows
    assert all(value > 0 for row in rows for name, value in row.items() if name)
    assert f"## {figures[part].title}" in (tmp_path / "latest.md").read_text()
