"""Decisions of finished tables are evaluated as their seats saw them, the same way each time."""

import random
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from benchmarks.losses import evaluations
from games import GAMES
from tests import corpus
from tests.long import quick_first
from wintercount.cli.main import main
from wintercount.operations.analyses import history_in, lines
from worker.analysis import finished
from worker.analysis.evaluating import SURE, Effort, Evaluation, Mean
from worker.analysis.finished import QUICK, THRESHOLDS, Analysis, analyse, decisions, mean_loss, turning_points, verdict
from worker.players import chance_of

NAMES = ["manitou-2-greedy", "big-manitou-2-uniform", "tomahawk-2-greedy", "plenty-coups-2-greedy"]
SHORT = Effort(2, 2)
ONE_IN = {"big-manitou": 4, "tomahawk": 3}  # decisions that are evaluated
FOLDER = Path(corpus.__file__).parent


@cache
def all_of(name: str) -> tuple[finished.TakenDecision, ...]:
    return tuple(decisions(corpus.history_of(name)))


def late(name: str, count: int = 2) -> list[finished.TakenDecision]:
    """The last decisions of a recorded game that had a choice."""
    return list(all_of(name)[-count:])


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_the_same_bytes_each_time(name: str) -> None:
    """Given a recorded game of each kind, when a decision is evaluated twice, then nothing differs."""
    for decision in late(name):
        found = [msgspec.json.encode(finished.evaluate_decision("t", decision, SHORT)) for _ in range(2)]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_a_decision_knows_what_its_seat_knew(name: str) -> None:
    """The view and the feed of that moment, not what is open since the game is over: twins are worth the same."""
    history = corpus.history_of(name)
    for decision in all_of(name)[5:8]:
        game, view, feed = decision.position
        state = history.at(decision.version - 1).state
        assert view == game.view(state, decision.seat)
        assert not view.over
        hidden = [event for event, kept in zip(feed, _kept(history, decision.version), strict=False) if event != kept]
        assert hidden or name.startswith("plenty")
        twin = game.imagine(view, feed, chance_of(random.Random(3)))
        assert game.view(twin, decision.seat) == view


def _kept(history: Any, version: int) -> Any:
    kinds = history.table.game.kinds
    return [
        msgspec.convert(event.payload, kinds[event.envelope.type])
        for event in history.events[: version - 1]
        if event.envelope.type in kinds and event.envelope.schema == kinds[event.envelope.type].schema
    ]


@pytest.mark.parametrize("game", GAMES)
def test_verdicts(game: str) -> None:
    """Any sure loss is an inaccuracy; from its thresholds on it is a mistake, and a blunder. An unsure one is good."""
    mistake, blunder = THRESHOLDS[game]
    losses = (0.0, 0.01, mistake - 0.01, mistake, blunder - 0.01, blunder, 1e9)
    names = ("good", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder")
    assert tuple(verdict(game, lost(loss, 0.001)) for loss in losses) == names
    assert verdict(game, lost(1.0, 0.51)) == "good"


def lost(loss: float, error: float) -> Evaluation:
    return Evaluation(made=None, others=(), loss=Mean(loss, error), worlds=9, after=())  # type: ignore[arg-type]


@pytest.mark.fault
@pytest.mark.parametrize("name", quick_first(["manitou-2-greedy", "big-manitou-2-uniform"]))
def test_every_decision_is_looked_at(name: str) -> None:
    """Each seat's accuracy is of all its decisions, with an interval; what two seats expect mirrors each other."""
    history = corpus.history_of(name)
    *rows, analysis = analyse(history, QUICK, SHORT)
    assert isinstance(analysis, Analysis)
    assert [row.version for row in rows] == [decision.version for decision in all_of(name)]
    for seat in analysis.seats:
        share, low, high = seat.accuracy
        good = [row.verdict == "good" for row in analysis.evaluations if row.seat == seat.seat]
        assert (seat.evaluated, share) == (len(good), round(sum(good) / len(good), 3))
        assert low < share < high or (share == 1.0 and 0.5 < low < 1.0)
    for row in analysis.evaluations:
        one, other = row.evaluation.after
        assert one.margin.mean == -other.margin.mean
        assert one.victory.mean + other.victory.mean == pytest.approx(1, abs=0.002)
    assert [row.version for row in turning_points(analysis.evaluations)][:1] == [
        max(analysis.evaluations, key=lambda row: abs(row.swings[0])).version
    ]


@pytest.mark.slow
@pytest.mark.fault
@pytest.mark.parametrize("game", ["big-manitou", "tomahawk"])
def test_random_players_lose_more_than_greedy_ones(game: str) -> None:
    """By a decision on average, beyond twice the standard errors, in games with fixed seeds."""
    found = {
        level: mean_loss([row for deal in range(2) for row in evaluations(game, level, deal, ONE_IN[game])])
        for level in ("uniform", "greedy")
    }
    more = found["uniform"].mean - found["greedy"].mean
    assert more > SURE * hypot(found["uniform"].error, found["greedy"].error), found


def test_a_running_table_is_not_analysed() -> None:
    history = corpus.history_of("manitou-2-greedy").until(60)
    with pytest.raises(ValueError, match="is not over"):
        next(analyse(history, QUICK))


# --- the command ---


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["analyse", *arguments])


@pytest.fixture(scope="module")
def archive() -> str:
    return str(FOLDER / "tomahawk-2-greedy.ndjson.gz")


@pytest.mark.slow
def test_the_command_writes_lines_and_json(archive: str) -> None:
    """The same analysis in two forms."""
    told = run(archive, "--worlds", "2", "--json")
    assert told.exit_code == 0, told.output
    found = msgspec.json.decode(told.stdout.splitlines()[-1], type=Analysis)
    assert (found.game, found.worlds, found.kind, len(found.seats)) == ("tomahawk", 2, "quick", 2)
    assert f"tomahawk, {len(found.evaluations)} decisions" in next(lines(found))


def test_a_text_is_analysed_too(archive: str, tmp_path: Path) -> None:
    """A table in notation has the moves of its archive, and so the same decisions."""
    text = tmp_path / "game.txt"
    text.write_text(CliRunner().invoke(main, ["convert", archive]).stdout, encoding="utf-8")
    one, other = (list(decisions(history_in(path))) for path in (archive, str(text)))
    assert [(row.seat, row.made, row.position.view) for row in one] == [
        (row.seat, row.made, row.position.view) for row in other
    ]
