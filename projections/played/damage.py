"""Segments of the archive that could not be read when the index came to them, and the tables that it lacks for that."""

import sqlite3
from collections.abc import Iterable


def damaged_segments(database: sqlite3.Connection) -> set[str]:
    """The names of these segments."""
    return {name for (name,) in database.execute("select name from segments where not whole")}


def unlisted(database: sqlite3.Connection, tables: Iterable[str]) -> list[str]:
    """Those of some tables that the index does not have: others were taken in while the store still listed them."""
    asked = "select 1 from games where name = ?"
    return [table for table in tables if not database.execute(asked, (table,)).fetchone()]
