"""Standings: how often each player and each AI level has played and won."""

import pytest

from events.store import RedisLog
from projections import leaderboard
from projections.standings import NAME
from projections.store import current
from projections.table import Table
from service.command_handler import CommandContext
from service.tables import offers
from service.tables.forks import Forking, fork
from tests.disputed_tables import Court, ruling_by
from tests.tables import ANN, BEN, Visit, catch_up
from worker.play_turn import play_turns

pytestmark = pytest.mark.usefixtures("valkey_log")


def rows(log: RedisLog, game: str | None = None) -> dict[tuple[str, str], tuple[int, int]]:
    """Games played and won, by game and player."""
    catch_up(log)
    found, cursor = leaderboard.page(current(log, NAME), game, leaderboard.LeaderboardPage(None, 100))
    assert cursor is None
    return {(row["game"], row["player"]): (row["played"], row["won"]) for row in found}


def test_games_that_are_not_over_do_not_count(visit: Visit, valkey_log: RedisLog) -> None:
    """A table that runs, is open or was abandoned counts for nobody."""
    visit.open("tomahawk", "ann ai")
    visit.leave(visit.open("tomahawk", "ann open"), 1, ANN)

    assert rows(valkey_log) == {}


def test_branches_do_not_count(visit: Visit, valkey_log: RedisLog) -> None:
    """Who plays a game once more knows what came of it."""
    table = visit.open("tomahawk", "ann ai")
    parent = visit.play_to_the_end(table)
    before = rows(valkey_log)
    asked = CommandContext(ANN, visit.request(), ("play", "watch"))
    branch = fork(visit.handler, parent, asked, Forking(parent.table.version // 2))
    assert visit.play_to_the_end(branch.table.id).table.over

    assert rows(valkey_log) == before != {}


def is_counted(table: Table) -> tuple[bool, bool]:
    """Whether a game counts in standings, and in ratings."""
    return table.counted, table.rated


def test_a_game_in_which_somebody_alone_with_ai_took_a_move_back_does_not_count(
    visit: Visit, valkey_log: RedisLog
) -> None:
    """The AI may have answered already: such a game can be tried until it is won."""
    table = visit.open("tomahawk", "ann ai", rated=True)
    play_turns(visit.handler, table)
    visit.play(table, ANN)
    assert is_counted(visit.table(table)) == (True, True)
    offers.make(visit.handler, table, visit.sent(ANN), "takeback", 1)
    assert visit.play_to_the_end(table).table.over

    assert is_counted(visit.table(table)) == (False, False)
    assert rows(valkey_log) == {}


def test_a_takeback_among_people_leaves_a_game_counted(valkey_log: RedisLog) -> None:
    """The others have agreed to it, so nobody was deceived."""
    court = Court(valkey_log)
    table = court.open_disputable("tomahawk", "ann ben")
    court.play(table, ANN)
    court.take_back(table, ANN)
    court.play_to_the_end(table)

    assert is_counted(court.table(table)) == (True, True)
    assert rows(valkey_log).keys() == {("tomahawk", ANN.id), ("tomahawk", BEN.id)}


@pytest.mark.slow
@pytest.mark.parametrize(("outcome", "counted"), [("overturned", False), ("upheld", True)])
def test_a_game_in_which_a_dispute_was_overturned_does_not_count(
    valkey_log: RedisLog, outcome: str, counted: bool
) -> None:
    """Who would have won under one reading all along, nobody can say."""
    court = Court(valkey_log)
    table, ruling = court.table_with(ruling_by("BM-R6"), "big-manitou", "ann ben")
    before = rows(valkey_log)  # games without such a ruling may have ended by now
    court.resolve(table, court.dispute(table, BEN, ruling, "BM-R6"), outcome)
    court.finish(table)

    assert is_counted(court.table(table)) == (counted, counted)
    assert (rows(valkey_log) != before) is counted


def test_a_private_table_counts_for_nobody(visit: Visit, valkey_log: RedisLog) -> None:
    """Two rows that change at once would tell everybody who has played there, and who has won."""
    table = visit.open("tomahawk", "ann ben", visibility="private")
    visit.sit(table, 2, BEN)
    assert visit.play_to_the_end(table).table.over

    assert rows(valkey_log) == {}
    assert visit.table(table).in_standings is False
