"""Rows of the lobby as they are shown: with the names of those who sit there, and where a branch comes from."""

from collections.abc import Mapping, Sequence
from typing import Any

from rulings.notation.tabling import UNPROVEN
from service.accounts.names import Names, Presenter


def _row_shown(row: Mapping[str, Any], names: Names) -> dict[str, Any]:
    told = {name: value for name, value in row.items() if name != "result"}  # that is told of games played
    seats = [{"name": names.get(seat["player"]), **seat} for seat in row["seats"]]
    return {**told, "forked_from": origin_shown(row["forked_from"]), "seats": seats}


def origin_shown(origin: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where a branch comes from, and whether that is a text: it has no hash, since no record proves it."""
    return {**origin, "transcribed": origin["head"] == UNPROVEN.hex()} if origin else None


def rows_shown(rows: Sequence[Mapping[str, Any]], presenter: Presenter) -> list[dict[str, Any]]:
    """Rows of the lobby with the names of those who sit there."""
    names = presenter.named(seat["player"] for row in rows for seat in row["seats"])
    return [_row_shown(row, names) for row in rows]
