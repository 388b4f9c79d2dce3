"""How a game ended: places and points by seat, how long it was, and whether it counts; for those who list games."""

from collections.abc import Mapping
from typing import Any

from projections.table import Table


def result_of(table: Table, scores: Mapping[str, Any]) -> dict[str, Any] | None:
    """How the game of a table ended, from its scores as JSON values; None before it ended.

    `left` are those whose time was over and for whom an AI played on, by seat; `events` is the version of `GameEnded`.
    """
    if table.ended is None:
        return None
    return {
        "ended_at": table.ended_at,
        "events": table.ended,
        "moves": table.moves,
        "places": _places(table, scores),
        "points": _points(table, scores),
        "left": [seat.left_by for seat in table.seats],
        "disputed": bool(table.disputes),
        "corrected": table.corrected,
        "rated": table.rated,
        "features": features_of(table),
    }


def features_of(table: Table) -> list[dict[str, str]]:
    """What statistics tell of each seat, by name."""
    found: list[dict[str, str]] = [{} for _ in table.seats]
    for _, (seat, name, value) in table.noted.values():
        found[seat - 1][name] = value
    return found


def _places(table: Table, scores: Mapping[str, Any]) -> list[int]:
    """The place of each seat; of a game without a ranking, the first for its winners and the second for all others."""
    seats = [seat.seat for seat in table.seats]
    places = {seat: rank["rank"] for rank in scores.get("ranking", ()) for seat in rank["seats"]}
    return [places.get(seat, 1 if seat in scores["winners"] else 2) for seat in seats]


def _points(table: Table, scores: Mapping[str, Any]) -> list[float | None]:
    """The total of each seat; None where a game tells none."""
    totals = {row.get("seat"): row.get("total") for row in scores.get("scores", ())}
    return [totals.get(seat.seat) for seat in table.seats]
