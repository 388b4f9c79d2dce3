"""`make trust`: its steps are there, and one that fails is reported and keeps no other from being run."""

import importlib.util
from pathlib import Path

import pytest

from tests.trust import STEPS, Step


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
