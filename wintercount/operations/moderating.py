"""Moderation for the command line."""

import secrets
from collections.abc import Iterator
from typing import Any

import msgspec

from events.times import stamp
from projections import lobby_rows
from projections.store import current
from service.accounts.key_store import keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import sealer_for
from service.accounts.shown_names import DisplayNames
from service.command_handler import CommandHandler
from service.config import Settings
from service.moderation.actions import Action, Actions
from service.moderation.reports import Reports
from service.stores import log_at
from service.tables.moderation_queue import Queue


class Moderating:
    """The moderation queue of a store, and its actions."""

    def __init__(self, settings: Settings, url: str) -> None:
        log = log_at(url, settings)
        texts = Texts(keys_of(log.client, settings, sealer_for(log.client, settings)))
        names = DisplayNames(log.client, texts)  # operators are shown the names that are hidden
        self._moderation = Reports(log.client, texts, Actions(log.client, texts), settings.reports)
        self._handler = CommandHandler(log, names=names)
        self._queue = Queue(self._moderation, self._handler, current(log, lobby_rows.NAME), self._handler.presenter())

    def items(self, *, everything: bool) -> Iterator[dict[str, Any]]:
        """Yields the disputes and reports that wait, or all reports."""
        yield from map(self._named, self._queue.disputes())
        yield from (self._named(row) for _, row in self._queue.reports(everything=everything))

    def shown(self, item: str) -> dict[str, Any]:
        """An item with all that was ever done about it or its player; raises `Refused`."""
        row = self._queue.found(item)
        return self._named(row) | {"actions": list(self.actions(row["player"], row["id"]))}

    def actions(self, player: str | None, item: str | None = None) -> Iterator[dict[str, Any]]:
        """Yields the actions about a player or an item; all of them if neither is given."""
        known = self._moderation.actions.current()
        for one in known.actions:
            concerns = (player and one.player == player) or item in one.items
            if concerns or (player is None and item is None):
                yield self._moderation.actions.row(known, one.number)

    def act(self, wanted: Action, text: str) -> dict[str, Any]:
        """Records an action; raises `Refused`."""
        items = self._queue.named(wanted.items)
        dated = msgspec.structs.replace(wanted, at=stamp(self._handler.now_ms()), items=items)
        number, _ = self._moderation.actions.act(dated, text, secrets.token_hex(16), "")
        return self._moderation.actions.row(self._moderation.actions.current(), number)

    def _named(self, row: dict[str, Any]) -> dict[str, Any]:
        """Adds the current names of the people in a row."""
        names = self._handler.names.resolve([player for player in (row["by"], row["player"]) if player])
        return row | {"by_name": names.get(row["by"]), "player_name": names.get(row["player"])}
