"""Finished games made up: rows as the lobby has them, without anything that was played."""

from collections.abc import Sequence
from typing import Any

from events.times import stamp
from projections.finished_games.games import Game

BEGUN_MS = 1_790_000_000_000


def game(number: int, ended_s: int, holders: Sequence[str], places: Sequence[int], **more: Any) -> Game:
    """A game that ended so many seconds after the first could; `holders` are players, or `ai:` and a level."""
    result = {
        "ended_at": stamp(BEGUN_MS + ended_s * 1000),
        "events": 60,
        "moves": 40,
        "places": list(places),
        "points": [10.0 - place for place in places],
        "left": [None] * len(holders),
        "disputed": False,
        "corrected": False,
        "rated": True,
        "how": "game_over",
        "features": [{} for _ in holders],
    }
    row = {
        "id": f"t_{number:016d}",
        "game": "manitou",
        "status": "finished",
        "visibility": "public",
        "forked_from": None,
        "players": len(holders),
        "options": {},
        "aids": False,
        "ratings": None,
        "opened_by": "p_host",
        "arbiter": None,
        "opened_at": stamp(BEGUN_MS),
        "at": result["ended_at"],
        "version": 62,
        "seats": [_seat(seat, holder) for seat, holder in enumerate(holders, 1)],
        "to_act": [],
        "winners": [seat for seat, place in enumerate(places, 1) if place == 1],
    }
    told = {name: value for name, value in more.items() if name in row}
    ended = {name: value for name, value in more.items() if name in result}
    return Game.of_row(row | told | {"result": result | ended})


def _seat(seat: int, holder: str) -> dict[str, Any]:
    level = holder.removeprefix("ai:") if holder.startswith("ai:") else None
    player = None if level else holder
    kind = "ai" if level else "player"
    return {
        "seat": seat, "offer": kind, "kept_for": player, "player": player, "name": player, "bot": False, "level": level
    }  # fmt: skip
