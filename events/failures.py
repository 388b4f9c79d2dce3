"""What logs may tell of an error that nobody has foreseen."""

import traceback


def place_of(error: BaseException) -> str:
    """The kind of an error and where it arose: its text may hold secrets of the table."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {last.filename}:{last.lineno}"
