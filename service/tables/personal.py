"""What a table's record holds of a person."""

from collections.abc import Iterator
from typing import Any

from projections.history import History
from service.accounts.names import Presenter
from service.tables.event_rows import texts_of


def concerning(history: History, player: str, presenter: Presenter) -> dict[str, Any]:
    """Where the player sat at a table, and what they are called and wrote there."""
    table = history.table
    return {
        "table": table.id,
        "game": table.opened.game,
        "status": table.status,
        "visibility": table.opened.visibility,
        "opened_at": table.opened_at,
        "seats": _seats(history, player),
        "texts": list(_texts(history, player, presenter)),
        "archive": f"/v1/tables/{table.id}/archive",
    }


def _seats(history: History, player: str) -> list[int]:
    """The seats that the player took, those given up since as well."""
    taken = (event.payload for event in history.events if event.envelope.type == "SeatTaken")
    return sorted({payload["seat"] for payload in taken if payload["player"] == player})


def _texts(history: History, player: str, presenter: Presenter) -> Iterator[dict[str, Any]]:
    for event in history.events:
        if event.writer == player:
            kept = event.envelope
            for text in texts_of(kept.table, kept.type, kept.payload, presenter).values():
                yield {"version": kept.version, "type": kept.type, "at": kept.at, "text": text}
