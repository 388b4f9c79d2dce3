"""What it costs to read a table that is not in memory."""

from projections.history import past_rows
from projections.table import Table
from service.limits.costs import read_ms


def reading_ms(table: Table) -> int:
    """What it costs to read all of a table, and its past if it is a branch, in processor milliseconds."""
    return read_ms(table.version, len(past_rows(table)), table.undone)
