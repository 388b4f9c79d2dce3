"""After the game AI moves are computed again from what the player saw: what it weighed, and whether it is the same."""

from functools import cache

import msgspec
import pytest

from events.envelopes import Recorded
from games import GAMES
from projections.history import TableHistory
from service.errors import Refused
from service.tables.audit import audit
from service.tables.authorisation import Viewer
from tests import corpus
from tests.disputed_tables import Court
from tests.long import long_but_for, quick_first
from tests.service import test_forks as forks
from tests.tables import ANN, Visit
from worker.ai_explanations import Computed, Explanation, explain, maker_of, player_of, sample
from worker.ai_process import Question, budget, think_here
from worker.play_turn import WorkerContext, play_turn, play_turns
from worker.players import Chosen, require_module

OPEN_VIEWER = Viewer(None, over=True)
SMALL = {"manitou": 30, "big-manitou": 10, "tomahawk": 10, "plenty-coups": 5}  # budgets of a quick search
replace = msgspec.structs.replace


@cache
def finished(game: str, seats: str) -> TableHistory:
    """A table that was played to its end, every search of it a short one."""
    visit = Visit()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(require_module("search", game).ITERATIONS, "skilled", SMALL[game])
        return visit.play_to_the_end(visit.open(game, seats))


def choices(history: TableHistory) -> list[Recorded]:
    return [event for event in history.events if "ai_seed" in event.sealed]


def computed(found: Explanation) -> Computed:
    """What came of computing the choice again."""
    assert found.computed is not None
    return found.computed


@pytest.mark.parametrize("game", long_but_for({"manitou", "tomahawk"}.__contains__, GAMES))
def test_every_move_of_a_game_is_computed_again(game: str) -> None:
    """By players that search and players that do not, in every game, with secret choices made side by side."""
    history = finished(game, "skilled greedy")
    for event in choices(history):
        found = explain(history, event.version, think_here)
        assert (found.same, computed(found).move) == (True, event.sealed["move"].value), event.version
        assert computed(found).candidates
        assert (found.seat, found.seed) == (event.envelope.by["seat"], event.sealed["ai_seed"].value)


def test_the_candidates_are_those_that_the_player_weighed() -> None:
    """Visits and values of a search; the values of the greedy player; for a uniform choice what is equally likely."""
    history = finished("manitou", "skilled greedy uniform")
    by_player = {player_of(event)[0]: event for event in choices(history)[3:6]}  # behind the parties
    searched, greedy, uniform = (
        explain(history, by_player[name].version, think_here) for name in ("search", "greedy", "uniform")
    )

    assert searched.ai["budget"] == SMALL["manitou"]
    assert sum(row.visits or 0 for row in computed(searched).candidates) == SMALL["manitou"]
    values = [row.value for row in computed(greedy).candidates]
    assert values == sorted(values, reverse=True)
    count = computed(uniform).weighed
    assert [row.value for row in computed(uniform).candidates] == [1 / count] * count
    assert "equally likely" in str(uniform.meaning)


def test_what_was_seen_is_what_counts() -> None:
    """Between a player's look and its move others may have played: it is asked again with what it saw then."""
    visit = Visit()
    table = visit.open("manitou", "ai greedy")
    ahead: list[int] = []

    def slow(asked: Question) -> Chosen:
        if asked.player[0] == "uniform" and not ahead:
            decision = visit.table(table).decision_of(2)
            assert decision is not None
            ahead.append(1)
            play_turn(visit.handler, visit.history(table), decision)
        return think_here(asked)

    play_turns(visit.handler, table, 1, WorkerContext(slow))
    history = visit.play_to_the_end(table)
    late = next(event for event in choices(history) if player_of(event)[0] == "uniform")

    assert maker_of(late)["seen"] < late.version - 1
    assert explain(history, late.version, think_here).same


def test_a_player_that_is_gone_cannot_be_asked() -> None:
    """The recorded games were played by players of old: that is said plainly, and nothing is made up."""
    history = corpus.history_of("manitou-2-greedy")
    found = explain(history, choices(history)[0].version, think_here)

    assert (found.computed, found.same) == (None, None)
    assert found.detail == "version 1 of the player greedy no longer exists"


@pytest.mark.parametrize(("version", "code"), [(1, "no_ai_move"), (0, "no_such_version"), (10**6, "no_such_version")])
def test_other_events_have_no_explanation(version: int, code: str) -> None:
    """Which nobody's choice led to, or which there are not."""
    with pytest.raises(Refused) as refusal:
        explain(finished("manitou", "skilled greedy"), version, think_here)
    assert refusal.value.code == code


def test_nothing_is_told_while_the_game_is_on() -> None:
    """Not even by an audit: the seed of a choice and what the player saw are secrets."""
    visit = Visit()
    table = visit.open("manitou", "ai ai")
    play_turns(visit.handler, table, 10)
    history = visit.history(table)

    with pytest.raises(Refused) as refusal:
        explain(history, history.table.version, think_here)
    assert refusal.value.code == "table_not_over"
    assert sample(history, think_here).checked == ()


def otherwise(asked: Question) -> Chosen:
    """A player that would choose something else."""
    chosen = think_here(asked)
    return chosen._replace(move=None)


def test_an_audit_computes_some_moves_again() -> None:
    """Three cheap ones, picked by the last hash of the table; it says how many there were, and holds if they do."""
    history = finished("manitou", "skilled greedy")
    found = sample(history, think_here)

    assert (len(found.checked), found.different, found.gone) == (3, (), 0)
    assert found.moves == len(choices(history))
    assert set(found.checked) <= {event.version for event in choices(history)}
    report = audit(history, OPEN_VIEWER, sampled=found)
    assert (report["holds"], report["ai_moves"]["checked"]) == (True, found.checked)


def test_an_audit_finds_a_move_that_its_player_would_not_make() -> None:
    """Then the record does not hold: somebody else has chosen."""
    history = finished("manitou", "skilled greedy")
    found = sample(history, otherwise)

    assert found.different == found.checked
    assert not audit(history, OPEN_VIEWER, sampled=found)["holds"]


def test_an_audit_does_not_cost_more_than_it_may() -> None:
    """Of moves that took long it computes fewer again; of a table with nothing else none."""
    history = finished("manitou", "skilled greedy")
    searched = sum(maker_of(event)["budget"] > 0 for event in choices(history))

    free = sample(history, think_here, most=10**6, cost=0.0)
    assert len(free.checked) == len(choices(history)) - searched > 0
    some = sample(history, think_here, most=10**6, cost=2.5 * SMALL["manitou"] / budget("expert", "manitou"))
    assert len(some.checked) == len(free.checked) + 2


@corpus.by_name
def test_every_seed_follows_from_the_table_s(name: str) -> None:
    """Also in games that were recorded first; a seed that somebody picked is found with its version."""
    history = corpus.history_of(name)
    assert audit(history, OPEN_VIEWER)["holds"]
    if made := choices(history):
        seal = replace(made[0].sealed["ai_seed"], value="5e" * 32)
        picked = replace(made[0], sealed=made[0].sealed | {"ai_seed": seal})
        events = tuple(picked if event is made[0] else event for event in history.events)
        faults = audit(replace(history, events=events), OPEN_VIEWER)["chain"]["faults"]
        assert f"version {picked.version}: `ai_seed` does not follow from the table's seed" in faults


@pytest.mark.parametrize("game", quick_first(GAMES))
def test_ai_moves_of_a_branch_are_computed_again(game: str) -> None:
    """Its players saw no more of what was before the branch than they are shown again."""
    court = Court()
    parent = court.history(forks.finished(court, game))
    seats = forks.ais(parent.table.opened.players)
    branch = forks.forked(court, parent.table.id, ANN, version=forks.middle(parent), seats=seats).table.id
    court.finish(branch)
    history = court.history(branch)

    assert choices(history)
    assert all(explain(history, event.version, think_here).same for event in choices(history))
    assert audit(history, OPEN_VIEWER, sampled=sample(history, think_here))["holds"]
