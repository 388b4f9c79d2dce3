"""Rows of the lobby and of the standings as they are shown: with the names of those who sit there."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.lifecycle import Text
from rulings.notation.tabling import UNPROVEN
from service.accounts.personal_texts import Teller


def row_shown(row: Mapping[str, Any], tell: Teller) -> dict[str, Any]:
    """A row of the lobby with the names of those who sit there."""
    told = {name: value for name, value in row.items() if name != "result"}  # that is told of games played
    seats = [seat | {"name": _name(row["table"], seat, tell)} for seat in row["seats"]]
    return {"aids": False, "ratings": None, **told, "forked_from": origin_shown(row["forked_from"]), "seats": seats}


def _name(table: str, row: Mapping[str, Any], tell: Teller) -> str | None:
    """The name in a row of a seat or of a player, who took it at this table."""
    return tell(table, "SeatTaken", as_kept(row["name"]), row["player"])


def origin_shown(origin: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where a branch comes from, and whether that is a text: it has no hash, since no record proves it."""
    return {**origin, "transcribed": origin["head"] == UNPROVEN.hex()} if origin else None


def rows_shown(rows: Sequence[Mapping[str, Any]], tell: Teller) -> list[dict[str, Any]]:
    """Rows of the lobby with the names of those who sit there."""
    tell.expect(as_kept(seat["name"]) for row in rows for seat in row["seats"])
    return [row_shown(row, tell) for row in rows]


def standings_shown(rows: Sequence[Mapping[str, Any]], tell: Teller) -> list[dict[str, Any]]:
    """Rows of the standings with the names of the players."""
    tell.expect(as_kept(row["name"]) for row in rows)
    return [_standing(row, tell) for row in rows]


def _standing(row: Mapping[str, Any], tell: Teller) -> dict[str, Any]:
    told = {name: value for name, value in row.items() if name != "named_at"}
    return told | {"name": _name(row.get("named_at", ""), row, tell)}


def as_kept(value: Any) -> Text | None:
    """A text as a row or a payload keeps it."""
    found: Text | None = msgspec.convert(value, Text | None)
    return found
