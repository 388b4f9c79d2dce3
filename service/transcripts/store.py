"""The store of transcripts: each text is encrypted under the key of the person who loaded it.

Without the key nobody can read the text any more, and then the transcript is gone.
"""

from typing import Any

import msgspec

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.scripts import Client, promising_script
from service.accounts.personal_texts import Texts
from service.errors import Refused
from service.transcripts.names import name_of, slot_of, slot_of_keeper


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What a list tells of a transcript; `version` is that with which its main line ends, `lines` counts that line too.

    `is_over` tells whether the text goes on to the end of the game.
    """

    table: str
    game: str
    players: int
    visibility: str
    by: str
    at: str
    is_over: bool
    version: int
    lines: int


class Kept(msgspec.Struct, frozen=True):
    """A transcript as it is kept."""

    row: Row
    text: PersonalText


class TranscriptStore:
    """The transcripts of all players."""

    def __init__(self, client: Client, texts: Texts, most: int) -> None:
        self._client, self._texts, self._most = client, texts, most
        self._keep = promising_script(client, "service.transcripts", "keep.lua")
        self._drop = promising_script(client, "service.transcripts", "drop.lua")

    def name(self, player: str, visibility: str, text: str) -> str:
        """The id of a text that a player keeps: the same for the same text."""
        return name_of(player, self._texts.fingerprint(player, f"{visibility}\n{text}"))

    def keep(self, row: Row, text: str) -> Row:
        """Keeps a text, or finds that it is kept already; raises `Refused` beyond the quota."""
        kept = Kept(row, self._texts.sealed(_place(row.table), row.by, text))
        written: list[Any] = [row.table, msgspec.json.encode(kept), msgspec.json.encode(row), self._most]
        found = self._keep(keys=_keys(row.table, row.by), args=written)
        if isinstance(found, int):
            told = f"an account may keep {self._most} transcripts, and you have {found}: delete some first"
            raise Refused("quota-reached", told, quota="transcripts", most=self._most)
        return msgspec.json.decode(found, type=Kept).row

    def find(self, table: str) -> Kept | None:
        """A transcript, if it is there."""
        kept = self._client.get(_key(table))
        return msgspec.json.decode(kept, type=Kept) if kept else None

    def text(self, kept: Kept) -> str | None:
        """The text; None if its keeper's key is gone."""
        return self._texts.opened(_place(kept.row.table), kept.text)

    def of_player(self, player: str) -> list[Row]:
        """The transcripts of a player, the newest first."""
        rows = self._client.hvals(_keys("", player)[1])
        found = [msgspec.json.decode(row, type=Row) for row in rows]
        return sorted(found, key=lambda row: (row.at, row.table), reverse=True)

    def drop(self, row: Row) -> None:
        """Deletes a transcript."""
        self._drop(keys=_keys(row.table, row.by), args=[row.table])


def keeps_any(client: Client, player: str) -> bool:
    """Whether a player keeps transcripts."""
    return bool(client.exists(_keys("", player)[1]))


def _key(table: str) -> str:
    return f"{{transcripts:{slot_of(table)}}}:{table}"


def _keys(table: str, player: str) -> list[str]:
    """Of a transcript, and of the list of its player."""
    return [_key(table), f"{{transcripts:{slot_of_keeper(player)}}}:of:{player}"]


def _place(table: str) -> bytes:
    return canonical(["transcript", table])
