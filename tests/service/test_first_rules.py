"""A table opened before new rules is decided by what it was played by: begun, corrected, branched, decided again."""

import dataclasses
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from events.recorded import Recorded
from games import GAMES
from games.house_rules import in_force
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.options import is_of_first_rules
from rulings.casemaking import case_of
from rulings.replay import replay
from service.tables.audit import origin_faults
from service.tables.forks import Forking, fork
from service.tables.rulings import rule_row
from service.tables.viewing import shown, viewer_of
from tests import corpus
from tests.corpus.renew import BY_EARLIER_RULES
from tests.court import ARBITER, Court, ruling_by
from tests.long import long_but_for
from tests.rulings.checking import faults
from tests.tables import ANN, BEN

LATER = {option.name for option in plenty_coups.options if option.since > 1}
OLD = sorted(name for name in BY_EARLIER_RULES if name.startswith(plenty_coups.slug))
QUICK = {"plenty-coups-2-uniform", "plenty-coups-3-disputed"}


pytestmark = pytest.mark.usefixtures("lucky")  # people play: an AI imagines a world before each choice


def opened_then(court: Court, seats: str, **opening: Any) -> str:
    """A table opened by the first rules."""
    with patch.dict(GAMES, {"plenty-coups": dataclasses.replace(plenty_coups, rules_version=1)}):
        return court.open_disputable("plenty-coups", seats, **opening)


def seen_then(court: Court, rule: str, seats: str) -> tuple[str, Recorded]:
    """A table opened by the first rules, played up to a ruling by this rule."""
    with patch.dict(GAMES, {"plenty-coups": dataclasses.replace(plenty_coups, rules_version=1)}):
        return court.table_with(ruling_by(rule), "plenty-coups", seats)


def test_a_table_that_waited_for_its_players_begins_by_the_rules_it_was_opened_by() -> None:
    court = Court()
    with patch.dict(GAMES, {"plenty-coups": dataclasses.replace(plenty_coups, rules_version=1)}):
        table = court.open("plenty-coups", "ann open")
    court.sit(table, 2, BEN)
    started = next(e for e in court.history(table).events if e.envelope.type == "GameStarted")
    assert LATER.isdisjoint(started.payload["options"])
    assert is_of_first_rules(court.table(table).state.options)


def test_a_table_opened_today_has_every_option() -> None:
    court = Court()
    table = court.table(court.open("plenty-coups", "ann ai"))
    assert set(table.opened.options) == {option.name for option in plenty_coups.options}
    assert (table.opened.rules_version, table.opened.options["shared_dealings"]) == (2, "other_player")


def test_a_table_of_then_goes_on_as_it_was_and_is_decided_again_so() -> None:
    court = Court()
    table = opened_then(court, "ann ben")
    court.finish(table)
    report = replay(court.history(table))
    assert (report.same, LATER.isdisjoint(report.options)) == (True, True)


def test_a_correction_of_a_table_of_then_leaves_the_missing_options_missing() -> None:
    """But for the one that it names, and only that changes."""
    court = Court()
    table, ruling = seen_then(court, "PC-R13", "ann ben cat")
    court.resolve(table, court.dispute(table, ANN, ruling, "PC-R13", {"empty_herd_coup": False}), "overturned")
    options = msgspec.to_builtins(court.table(table).state.options)
    assert (options["empty_herd_coup"], LATER.isdisjoint(options)) == (False, True)
    court.finish(table)
    assert replay(court.history(table)).same


@pytest.mark.slow
def test_a_dispute_about_an_option_that_came_later_makes_a_case_of_today() -> None:
    """PC-R35 is read as `always` where the option is missing."""
    court = Court()
    table, ruling = seen_then(court, "PC-R35", "ann ben cat dan")
    dispute = court.dispute(table, ANN, ruling, "PC-R35", {"disdain_draw": "before_winter"})
    court.resolve(table, dispute, "overturned")
    options = msgspec.to_builtins(court.table(table).state.options)
    assert options.keys() & LATER == {"disdain_draw"}
    court.finish(table)
    case = case_of(court.history(table), dispute)
    assert [outcome.options for outcome in case.then] == [{"disdain_draw": "before_winter"}, {"disdain_draw": "always"}]
    assert [list(faults("plenty-coups", case, outcome)) for outcome in case.then] == [[], []]


@pytest.mark.parametrize("name", long_but_for(QUICK.__contains__, OLD))
def test_a_branch_of_a_table_of_then_is_by_its_rules(name: str) -> None:
    """From the corpus: it begins as its parent was, goes on, and is decided again as it was."""
    court, parent = Court(), corpus.history_of(name)
    version = next(e.version for e in parent.events if e.envelope.type == "TurnStarted" and e.payload["round"] == 11)
    forking = Forking(version, {"winter_hunt": "forbidden"}, "continued")
    outcome = fork(court.handler, parent, court.asked(ARBITER), forking)
    opened = outcome.table.opened
    assert (opened.rules_version, LATER.isdisjoint(opened.options)) == (1, True)
    assert opened.options["neutral_ally_may_propose"] is False
    court.finish(outcome.table.id)
    branch = court.history(outcome.table.id)
    assert list(origin_faults(branch.table, parent)) == []
    assert replay(branch).same


@pytest.mark.parametrize("name", OLD)
def test_a_table_of_then_is_decided_again_under_a_rule_of_today(name: str) -> None:
    """A house rule that came later may be asked for; the others stay as they were read."""
    report = replay(corpus.history_of(name), {"shared_dealings": "other_player"})
    assert report.options.keys() & LATER == {"shared_dealings"}


def test_a_table_of_then_is_shown_in_the_words_of_today() -> None:
    court = Court()
    table = court.table(opened_then(court, "ann ben"))
    told = shown(table, viewer_of(table, ARBITER))
    assert told["options"] == in_force(GAMES["plenty-coups"], table.options)
    assert told["options"]["shared_dealings"] == "any"
    assert rule_row(table, "PC-R29")["options"][0]["in_force"] == "no"
    assert rule_row(table, "PC-R52")["options"][0]["in_force"] == "any"
