"""Standings as they are shown: with the names of the players."""

from collections.abc import Mapping, Sequence
from typing import Any

from service.accounts.personal_texts import Teller, as_kept
from service.tables.lobby_rows import name_in


def standings_shown(rows: Sequence[Mapping[str, Any]], tell: Teller) -> list[dict[str, Any]]:
    """Rows of the standings with the names of the players."""
    tell.expect(as_kept(row["name"]) for row in rows)
    return [_standing(row, tell) for row in rows]


def _standing(row: Mapping[str, Any], tell: Teller) -> dict[str, Any]:
    told = {name: value for name, value in row.items() if name != "named_at"}
    return told | {"name": name_in(row, row.get("named_at", ""), tell)}
