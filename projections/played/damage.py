"""Segments of the archive that could not be read when the index came to them, and the tables that it lacks for that."""

import sqlite3


def damaged_segments(database: sqlite3.Connection) -> set[str]:
    """The names of these segments."""
    return {name for (name,) in database.execute("select name from segments where not whole")}
