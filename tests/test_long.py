"""Of the long tests a run may ask for one in so many, drawn by the commit."""

from types import SimpleNamespace

import pytest

from tests.long import COMMIT, ONE_IN, is_drawn, keep_drawn

NAMES = [f"tests/test_laws.py::test_law[{number}]" for number in range(400)]


def drawn(one_in: int, commit: str) -> list[str]:
    """Those of four hundred tests that are drawn."""
    return [name for name in NAMES if is_drawn(name, one_in, commit)]


def test_one_in_four_is_drawn_and_others_for_the_next_commit() -> None:
    """A commit always draws the same; over forty commits each comes up."""
    assert len(drawn(4, "2a06171")) == 101
    assert drawn(4, "2a06171") != drawn(4, "8220cd2")
    assert {name for number in range(40) for name in drawn(4, str(number))} == set(NAMES)


def test_all_are_drawn_unless_some_are_asked_for() -> None:
    """`make test-long` by itself leaves none out."""
    assert drawn(1, "2a06171") == NAMES


def test_only_long_tests_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given one in a thousand, when a short and a long test are collected, the short one is run."""
    monkeypatch.setenv(ONE_IN, "1000")
    monkeypatch.setenv(COMMIT, "2a06171")
    short, long = (
        SimpleNamespace(nodeid=NAMES[0], get_closest_marker={"long": is_long}.get) for is_long in (None, "long")
    )
    items = [short, long]
    assert keep_drawn(items) == [long]
    assert items == [short]
