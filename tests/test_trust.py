"""`make trust`: its steps are there, and one that fails is reported and keeps no other from being run."""

import importlib.util
from pathlib import Path

import pytest

from tests import trust
from tests.trust import STEPS, Step, run


def test_a_step_that_fails_is_reported_with_its_command(tmp_path: Path) -> None:
    """The steps after it are run all the same."""
    page, fails = tmp_path / "trust.md", Step("that it fails", ("json.tool", str(tmp_path / "missing")))
    found = run({"bad": fails, "good": Step("that it runs", ("this",))}, page)
    assert [ran.status == 0 for ran in found] == [False, True]
    written = page.read_text()
    assert f"| bad | that it fails | **failed**: `json.tool {tmp_path}/missing` |" in written
    assert "| good | that it runs | passed |" in written


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_names_what_is_there(step: Step) -> None:
    """A module with these options, or a target of the Makefile."""
    first, *words = step.words
    if first == "make":
        assert f"\n{words[0]}:" in Path("Makefile").read_text()
        return
    spec = importlib.util.find_spec(first)
    assert spec is not None
    assert spec.origin is not None
    if first != "pytest":
        text = Path(spec.origin).read_text()
        assert all(f'"{word}"' in text for word in words if word.startswith("--"))


def test_the_page_is_kept_with_the_other_results() -> None:
    """`benchmarks/results/` holds the latest page of each."""
    assert trust.PAGE.is_file()
