"""What log files may say about an unexpected error."""

import traceback


def place_of(error: BaseException) -> str:
    """Returns the type of an error and where it was raised, but not its text, which may contain secrets of a table."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {last.filename}:{last.lineno}"
