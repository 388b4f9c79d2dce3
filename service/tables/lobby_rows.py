"""Rows of the lobby as they are shown: with the names of those who sit there, and where a branch comes from."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulings.notation.tabling import UNPROVEN
from service.accounts.personal_texts import Teller, as_kept


def row_shown(row: Mapping[str, Any], tell: Teller) -> dict[str, Any]:
    """A row of the lobby with the names of those who sit there."""
    told = {name: value for name, value in row.items() if name != "result"}  # that is told of games played
    seats = [seat | {"name": name_in(seat, row["table"], tell)} for seat in row["seats"]]
    return {**told, "forked_from": origin_shown(row["forked_from"]), "seats": seats}


def name_in(row: Mapping[str, Any], table: str, tell: Teller) -> str | None:
    """The name in a row of a seat or of a player, who took it at this table."""
    return tell(table, "SeatTaken", as_kept(row["name"]))


def origin_shown(origin: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where a branch comes from, and whether that is a text: it has no hash, since no record proves it."""
    return {**origin, "transcribed": origin["head"] == UNPROVEN.hex()} if origin else None


def rows_shown(rows: Sequence[Mapping[str, Any]], tell: Teller) -> list[dict[str, Any]]:
    """Rows of the lobby with the names of those who sit there."""
    tell.expect(as_kept(seat["name"]) for row in rows for seat in row["seats"])
    return [row_shown(row, tell) for row in rows]
