"""Records the games of the corpus: `python -m tests.corpus.renew`.

The luck, the clock and the moves come out of a seed, so that a game stays the same until the rules, a player or the
record's form change. A game that is decided otherwise from then on is a change of what players were promised: renew
only when it is meant.
"""

import gzip
import itertools
import sys
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

from projections.history import TableHistory
from rulings.archive_format import lines
from service.accounts.callers import Caller
from service.command_handler import CommandHandler
from service.tables import disputes
from service.tables.disputes import Contested
from tests.corpus import path_of
from tests.disputed_tables import Court, NeverCameError, luck
from tests.tables import ANN, BEN

BEGIN_MS = 1_790_000_000_000
TICK_MS = 1700
MOST_ATTEMPTS = 50

Play = Callable[[Court], str]


def played(game: str, seats: str, **options: Any) -> Play:
    """A table played to its end; gives its id."""

    def play(court: Court) -> str:
        table = court.open(game, seats, options=options)
        court.finish(table)
        return table

    return play


def disputed(game: str, seats: str, rule: str, **options: Any) -> Play:
    """A table at which the first ruling that these house rules change is overturned, after a word of Ben's on it."""

    def play(court: Court) -> str:
        table = court.open_disputable(game, seats)
        ruling = court.play_until(table, court.changed_by(rule, options))
        dispute = court.dispute(table, ANN, ruling, rule, options)
        disputes.comment(court.handler, table, court.asked(Caller(BEN, ("play",))), dispute, "So I know it too.")
        court.resolve(table, dispute, "overturned")
        court.finish(table)
        return table

    return play


def corrected(game: str, seats: str, type_: str) -> Play:
    """A table at which the first ruling of a type is corrected."""

    def play(court: Court) -> str:
        table = court.open_disputable(game, seats)
        ruling = court.play_until(table, lambda event: event.envelope.type == type_)
        rule = ruling.envelope.payload["rules"][0]
        asked = Contested(1, ruling.version, rule, "It says otherwise.", {"correction": 1})
        court.resolve(table, court.ask(table, ANN, asked), "overturned")
        court.finish(table)
        return table

    return play


def taken_back(game: str, seats: str, **options: Any) -> Play:
    """A table of two people at which Ann takes back a secret choice by herself, and later a public move with leave."""

    def play(court: Court) -> str:
        table = court.open_disputable(game, seats, options=options)
        court.play(table, ANN, seed=3)
        court.take_back(table, ANN)
        for _ in range(9):
            court.step(table)
        court.take_back(table, ANN)
        court.agree(table, BEN)
        court.finish(table)
        return table

    return play


KEPT = {  # which no recipe plays again
    "big-manitou-5-disputed",
    "manitou-2-taken-back",
    "plenty-coups-2-uniform",
    "plenty-coups-3-overturned",
    "plenty-coups-4-uniform",
    "plenty-coups-6-individual",
}
GAMES: dict[str, Play] = {
    "big-manitou-2-uniform": played("big-manitou", "ai ai", tile_set="ritual", unplayed_cards="spent"),
    "big-manitou-3-disputed": disputed("big-manitou", "ann ben ai", "BM-R14", runner_up_share="rest"),
    "big-manitou-3-random-parties": played(
        "big-manitou", "ai greedy ai", party_selection="random", cylinder_on_loss="recheck", tomahawk_tie="all"
    ),
    "big-manitou-4-greedy": played("big-manitou", "greedy greedy greedy greedy"),
    "big-manitou-3-uniform": played("big-manitou", "ai ai ai", penalty_strength="with_tomahawks"),
    "manitou-2-moves-taken-back": taken_back("manitou", "ann ben"),
    "manitou-2-greedy": played("manitou", "greedy greedy", hero_limit="all", alone="never"),
    "manitou-3-online": played("manitou", "ai ai ai", edition="online"),
    "manitou-4-greedy": played("manitou", "greedy greedy greedy greedy", victory_tie="prisoners"),
    "tomahawk-2-disputed": disputed("tomahawk", "ann ben", "TO-R22", picto_scope="each_player"),
    "tomahawk-2-greedy": played("tomahawk", "greedy greedy"),
    "tomahawk-2-most-wanted": played(
        "tomahawk", "ai greedy", most_wanted=True, scalp_supply="limited", mountain_look="ask", tie_break="most_scalps"
    ),
    "plenty-coups-2-greedy": played("plenty-coups", "greedy greedy", shared_alliance="allowed", pile_renewal="at_once"),
    "plenty-coups-3-corrected": corrected("plenty-coups", "ann ben ai", "PrestigeGained"),
    "plenty-coups-4-defaults": played("plenty-coups", "ai greedy ai ai"),
    "plenty-coups-5-to-unallied": played(
        "plenty-coups",
        "ai ai ai ai ai",
        neutral_ally_may_propose="to_unallied",
        bonus_counts="not_for_coup",
        donation_peace="neither_attacked_nor_allied",
        free_exchange="while_actions_left",
        disdain_draw="before_winter",
    ),
}


def recorded(name: str) -> TableHistory:
    """A game of the corpus, played now, with the first luck that brings the ruling that is to be disputed."""
    for attempt in range(MOST_ATTEMPTS):
        ticks = itertools.count(BEGIN_MS, TICK_MS)
        with luck(f"corpus {name}{' again' * attempt}"), patch.object(CommandHandler, "now_ms", partial(next, ticks)):
            court = Court()
            try:
                return court.history(GAMES[name](court))
            except NeverCameError:
                continue
    raise AssertionError(f"{name}: no luck brings its ruling")


def renew() -> None:
    """Records all games anew that a recipe plays, and tells the size of each."""
    for name in sorted(GAMES):
        history = recorded(name)
        path_of(name).write_bytes(gzip.compress(b"".join(lines(history, None, over=True)), mtime=0))
        sys.stdout.write(f"{name}: {history.table.version} events, {path_of(name).stat().st_size} bytes\n")


if __name__ == "__main__":
    renew()
