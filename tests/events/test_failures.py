"""What is told of an error: its kind and its place, and nothing of its text."""

from pathlib import Path

from events.failures import place_of


def test_an_error_is_told_by_its_kind_and_its_place() -> None:
    """The place is where it arose, and not where it was seen first."""

    def fails() -> None:
        raise LookupError("a secret of the table")

    try:
        fails()
    except LookupError as error:
        told = place_of(error)
    line = fails.__code__.co_firstlineno + 1
    assert told == f"LookupError at {Path(__file__)}:{line}"
