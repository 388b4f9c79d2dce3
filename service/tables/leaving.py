"""Leaving a game: a seat resigns, and games end before their rules end them. docs/clocks.md says how.

Such an end lays the game open and settles what was pending, like any end.
"""

import msgspec

from events.envelopes import NewEvent
from projections.due_timers import abandoned_ms
from projections.history import TableHistory
from projections.table import Table
from service.command_handler import CommandContext, Decision, Outcome, TableHandler, by_clock, command
from service.errors import Refused
from service.levels import kind_of
from service.tables.disputes import moot
from service.tables.playing import check_holds, check_running, people, seed_of
from service.tables.takebacks import Terms

LEVEL = "greedy"  # plays on for those who leave: it plays every game with any number of seats, and at once


@command
def resign(_: TableHandler, history: TableHistory, sent: CommandContext, seat: int, level: str = LEVEL) -> Decision:
    """Gives a seat up: an AI plays on, or the only seat that is left wins; raises `Refused`."""
    check_holds(history.table, seat, sent.player.id)
    check_running(history.table)
    return Decision(resigned(history.table, seat, level), sent.by)


def resigned(table: Table, seat: int, level: str = LEVEL) -> tuple[NewEvent, ...]:
    """Returns the events of a resignation."""
    stays = [other for other in table.seats if other.seat != seat and other.left_by is None]
    ai = None if len(stays) == 1 else msgspec.to_builtins(kind_of(level))
    given_up = NewEvent("SeatResigned", {"seat": seat, "player": table.seats[seat - 1].player, "ai": ai}, {})
    return (given_up, *ended(table, "resigned")) if ai is None else (given_up,)


def ended(table: Table, reason: str) -> tuple[NewEvent, ...]:
    """Returns the events that end a table early: the seed is revealed, and open disputes are moot."""
    closed = NewEvent("TableClosed", {"reason": reason}, {})
    if table.state is None:
        return (closed,)
    revealed = NewEvent("SeedRevealed", {"seed": seed_of(table)}, {})
    return (revealed, *moot(table.disputes, "end"), closed)


# What can be offered


def abortion(history: TableHistory, seat: int | None, player: str) -> Terms:
    """Returns the terms of aborting the game; raises `Refused`.

    The opener needs nobody's consent until every seat has moved; nor does anybody alone with AI, unless it is rated.
    """
    table = history.table
    moved = {event.envelope.by["seat"] for event in history.events if event.envelope.by.get("kind") == "seat"}
    if player == table.opened.opened_by and len(moved) < len(table.seats):
        return Terms((), lambda: (ended(table, "aborted"), {}))
    check_running(table)
    if seat is None:
        raise Refused("not_allowed", "every seat has moved: only those seated can agree to abort the game")
    others = [other for other in people(table) if other != seat]
    if not others and table.rated:
        raise Refused("not_allowed", "a rated game against AI alone is played to its end, or resigned")
    return Terms(others, lambda: (ended(table, "aborted"), {}))


def draw(history: TableHistory, seat: int, _: str) -> Terms:
    """Returns the terms of a draw between all who have not left; raises `Refused`: an AI never agrees to one."""
    table = history.table
    check_running(table)
    others = [other for other in people(table) if other != seat]
    if any(each.ai and each.left_by is None for each in table.seats) or not others:
        raise Refused("not_allowed", "a draw needs the consent of people, and an AI never gives it")
    return Terms(others, lambda: (ended(table, "drawn"), {}))


# Abandoned games


def abandon(handler: TableHandler, table: str) -> Outcome | None:
    """Closes a table at which nobody has moved for too long; returns None if that is not so."""

    def decide(history: TableHistory, now_ms: int) -> tuple[NewEvent, ...]:
        ends_ms = abandoned_ms(history.table)
        if ends_ms is None or now_ms < ends_ms:
            raise Refused("decision_open", "the table is not abandoned")
        return ended(history.table, "abandoned")

    return by_clock(handler, table, "idle", decide, "decision_open")
