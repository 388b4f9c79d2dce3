"""The ids of tables and players: how one is made, and which form each has.

Indexes, keys and addresses are made of them. So an archive is refused that holds one which the service gives nobody.
"""

import base64
import re
import secrets
from collections.abc import Iterator
from typing import Any

from events.lifecycle import TYPES
from projections.history import History
from service.transcripts import NAME as TRANSCRIPT

TABLE = re.compile(r"t_[a-z2-7]{16}")
PARENT = re.compile(f"{TABLE.pattern}|{TRANSCRIPT.pattern}")  # a text, too, is played on from
PLAYER = re.compile(r"[a-z0-9_]{1,40}")  # not `ai:greedy`, by which standings count a level of AI
OF_TABLES, OF_PLAYERS = ("parent",), ("player", "opened_by", "arbiter")  # fields of a table's own events


def table_id(name: bytes | None) -> str:
    """The id of a table to open: made of a name, or random."""
    return "t_" + base64.b32encode((name or secrets.token_bytes(10))[:10]).decode().lower()


def wrong_id(history: History) -> str | None:
    """The first id of a table or of a player in a record that no service gives; None if all are right."""
    table = history.table
    named = [(TABLE, table.id), *((PARENT, name) for name in _named(history, OF_TABLES))]
    players = [(PLAYER, name) for name in _named(history, OF_PLAYERS)]
    return next((name for form, name in (*named, *players) if not form.fullmatch(name)), None)


def _named(history: History, fields: tuple[str, ...]) -> Iterator[str]:
    for event in history.events:
        yield from _values(event.envelope.by, fields)
        if event.envelope.type in TYPES:
            payload = event.envelope.payload
            yield from _values(payload, fields)
            for seat in payload.get("seats", ()):
                yield from _values(seat, fields)


def _values(told: dict[str, Any], fields: tuple[str, ...]) -> Iterator[str]:
    return (told[name] for name in fields if isinstance(told.get(name), str))
