"""Standings as they are shown: with the names of the players."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.accounts.names import Presenter

AI = "ai:"  # how the holder of a row is called that is an AI level


def standings_shown(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[dict[str, Any]]:
    """Rows of the standings with the names of the players; AI levels have none."""
    names = presenter.named(row["player"] for row in rows if not row["player"].startswith(AI))
    return [{**row, "name": names.get(row["player"])} for row in rows]
