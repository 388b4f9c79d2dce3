"""A table's own luck: its seed, and the events and draws of a decision that was taken with it."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from events.luck import Luck
from events.recorded import NewEvent
from games.kernel import AnyGame
from projections.recording import new_events_of
from projections.table import Table


def luck_of(table: Table) -> Luck:
    """The chance of the table's next decision."""
    return Luck(*table.luck_source, table.draws)


def seed_of(table: Table) -> str:
    """The table's secret seed (hexadecimal)."""
    if not isinstance(table.opened.seed, str):
        raise TypeError("the log holds every table's seed")
    return table.opened.seed


def seed_of_choice(table: Table, request: str | None) -> str:
    """The seed of an AI player's choice, from the table's seed and the request's name: nobody else can work it out.

    In a lesson it is the same for every choice, so that after a move is taken back all goes on as it was prepared.
    """
    name = "lesson" if table.opened.lesson else str(request)
    return hmac.digest(bytes.fromhex(seed_of(table)), name.encode(), "sha256").hex()


def start_events(
    game: AnyGame, opened: Mapping[str, Any], contributions: Sequence[str | None]
) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """The events with which the game begins at such a table, and the draws that they used."""
    luck = Luck(opened["seed"], contributions, {})
    options = game.read_options(opened["options"], opened["players"])
    turn = game.start(opened["players"], options, luck)
    return new_events_of(game, turn), luck.drawn
