"""Players think in a process of their own: what they do there costs a table no more than their limit of time."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.long import quick_first
from tests.servers import wait_until
from tests.tables import Visit
from worker.ai_explanations import maker_of
from worker.ai_process import Question, Thinker, think_here
from worker.play_turn import WorkerContext, next_ai_decision, play_turns
from worker.players import Chosen

LIMIT_S = 4.0  # for players who answer, on a busy machine too
NEVER_S = 0.5  # for those who never do
PLANTED = {
    "hangs": "overtime",
    "hears_nothing": "overtime",
    "dies": "crashed",
    "eats_memory": "failed",
    "fails": "failed",
    "talks_nonsense": "nonsense",
}


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process in which players think finds those that are planted here."""
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))


class Impatient(Thinker):
    """Waits no longer than it takes to see that it waits in vain for those who never answer."""

    def __call__(self, asked: Question) -> Chosen:
        self._limit_s = NEVER_S if PLANTED.get(asked.player[0]) == "overtime" else LIMIT_S
        return super().__call__(asked)


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    """Players of whom some cannot be relied on."""
    with closing(Impatient(LIMIT_S, think="tests.worker.planted")) as found:
        yield found


def asked(visit: Visit, table: str, player: str, version: int) -> Question:
    """What a player would be asked that sat at the table."""
    history = visit.history(table)
    decision = next_ai_decision(history.table)
    assert decision
    view = history.table.game.view(history.table.state, decision.seat)
    return Question((player, version), history.table.opened.game, view, history.feed(decision.seat), "5e" * 32, 8)


@pytest.mark.parametrize("game", quick_first(["manitou", "big-manitou", "tomahawk", "plenty-coups"], quick=2))
def test_a_choice_is_the_same_wherever_it_is_made(thinker: Thinker, game: str) -> None:
    """View and feed reach the other process whole."""
    visit = Visit()
    table = visit.open(game, "ai ai")
    play_turns(visit.handler, table, 12)
    for player in (("uniform", 2), ("greedy", 2), ("search", 4)):
        question = asked(visit, table, *player)
        assert thinker(question) == think_here(question)


@pytest.mark.parametrize(("player", "why"), quick_first(PLANTED.items()))
def test_the_table_goes_on(thinker: Thinker, monkeypatch: pytest.MonkeyPatch, player: str, why: str) -> None:
    """The move of another is played, and the event says instead of whom."""
    visit = Visit()
    table = visit.open("manitou", "ann ai")
    monkeypatch.setattr("worker.play_turn.candidates", lambda *_: iter([(player, 1), ("greedy", 2)]))
    play_turns(visit.handler, table, context=WorkerContext(thinker))
    made = maker_of(visit.history(table).events[-1])

    assert [decision.seat for decision in visit.table(table).decisions] == [1]
    assert made["player"] == "greedy"
    assert list(made["instead_of"]) == [{"player": player, "version": 1, "why": why}]


ORPHAN = """
from tests.worker.test_ai_process import *
visit = Visit()
thinker = Thinker(1.0, think="tests.worker.planted")
thinker(asked(visit, visit.open("manitou", "ai ai"), "greedy", 2))
print(thinker._process.pid, flush=True)
thinker._limit_s = 1000.0
thinker(asked(visit, visit.open("manitou", "ai ai"), "hangs", 1))
"""


@pytest.mark.slow
def test_players_do_not_outlive_their_worker() -> None:
    """Even one that hangs when its worker is killed ends by itself."""
    worker = subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE)
    assert worker.stdout is not None
    with worker.stdout:
        player = psutil.Process(int(worker.stdout.readline()))
        time.sleep(0.2)
        worker.kill()
        worker.wait()
        wait_until(lambda: not player.is_running() or player.status() == psutil.STATUS_ZOMBIE)
