"""The public games that ended within a span of time, in the order of all games."""

import sqlite3

AT_ONCE = 1000  # games that are read in one go

Span = tuple[int, int]  # from this time on and before that, in milliseconds


def ended_in(database: sqlite3.Connection, span: Span, behind: str = "") -> list[tuple[str, str]]:
    """The place and the table of the next public games behind a place, some at a time."""
    asked = "select place, name from games where public and place > ? and place < ? order by place limit ?"
    first, end = _places(span)
    return database.execute(asked, (max(behind, first), end, AT_ONCE)).fetchall()


def _places(span: Span) -> tuple[str, str]:
    """What lies before the places of a span, and behind them."""
    first, end = span
    return f"{first:015d}|", f"{end:015d}|"
