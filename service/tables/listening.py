"""Bots that listen to a webhook: the log writes what they are to be told of only while they have one.

First the webhook is written, then every partition learns of it, then what is open at the bot's tables is added. What is
appended before a partition knows is found open; what is appended later is written by the append. Whoever is killed in
between has answered nobody: the bot asks again.
"""

from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.store import current
from projections.timers import timers
from service.accounts.webhooks import Webhook
from service.commands import CommandHandler


def listen(handler: CommandHandler, store: RedisLog, webhook: Webhook) -> None:
    """From now on the player of a webhook is told of what is open, and of what will be."""
    player = webhook.player
    store.listen(player, webhook.id)
    rows = current(store, lobby.NAME)
    tables = lobby_lists.not_shown_yet(rows) | lobby_lists.all_seated(rows, player)
    open_now = [entry for history in handler.intact(tables) for entry in timers(history.table).values()]
    store.add_timers([entry for entry in open_now if entry.listener == player])
