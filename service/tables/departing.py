"""A person leaves for good: seats where the game has not begun are free again, at the others an AI player plays on."""

import logging

from events.log import LogUnreadable
from projections import lobby_lists
from projections.history import History
from projections.store import ProjectionStore
from service.commands import CommandContext, CommandHandler, Decided, Outcome, Request, TableHandler
from service.errors import Refused
from service.tables.clocks import handed_over
from service.tables.seating import seat_left

LEVEL = "greedy"  # plays every game with any number of seats, and at once

log = logging.getLogger(__name__)


def depart(handler: TableHandler, table: str, sent: CommandContext, level: str = LEVEL) -> Outcome:
    """The player leaves a table, whether its game has begun or not; raises `Refused` if no seat is theirs."""

    def decide(history: History) -> Decided:
        table = history.table
        seat = table.seat_of(sent.player.id)
        if seat is None or table.status == "finished":
            raise Refused("not-your-seat", "no seat of a game that goes on is yours here")
        if table.state is None:
            return Decided(seat_left(table, seat), sent.by)
        return Decided((handed_over(table, seat, level, seat),), sent.by)

    return handler.change(table, decide, sent.request)


def depart_everywhere(handler: CommandHandler, rows: ProjectionStore, sent: CommandContext) -> bool:
    """The player leaves all tables that the lobby knows; whether they could, which is logged where not."""
    left = [_departed(handler, table, sent) for table in sorted(lobby_lists.all_seated(rows, sent.player.id))]
    return all(left)


def _departed(handler: CommandHandler, table: str, sent: CommandContext) -> bool:
    request = Request(f"{sent.request.key}|{table}", sent.request.fingerprint)
    try:
        depart(handler, table, CommandContext(sent.player, request))
    except Refused as refused:
        if refused.code != "not-your-seat":  # the lobby lags behind the log
            log.error("%s keeps a seat at %s: %s", sent.player.id, table, refused)
            return False
    except LogUnreadable as damage:
        log.critical("%s keeps a seat at %s: %s", sent.player.id, table, damage)
        return False
    return True
