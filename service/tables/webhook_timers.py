"""Webhooks of bots: the log writes a bot's timers only while the bot has a webhook."""

from events.store import RedisLog
from projections import lobby_queries, lobby_rows
from projections.due_timers import timers
from projections.store import current
from service.accounts.webhooks import Webhook
from service.command_handler import CommandHandler


def begin_to_notify(handler: CommandHandler, store: RedisLog, webhook: Webhook) -> None:
    """Names the webhook in every partition, then writes the timers of the decisions that are open now.

    Later appends write their own. If this process dies in between, the bot has no answer and asks again.
    """
    player = webhook.player
    store.listen(player, webhook.id)
    rows = current(store, lobby_rows.NAME)
    tables = lobby_queries.not_shown_yet(rows) | lobby_queries.all_seated(rows, player)
    open_now = [entry for history in handler.intact(tables) for entry in timers(history.table).values()]
    store.add_timers([entry for entry in open_now if entry.listener == player])
