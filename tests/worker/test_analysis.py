"""Decisions of finished tables are evaluated as their seats saw them, the same way each time."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from games import GAMES
from tests import corpus
from tests.long import quick_first
from wintercount.cli.main import main
from wintercount.operations.analyses import history_in, lines
from worker.analysis import finished
from worker.analysis.evaluating import Effort
from worker.analysis.finished import DEEP, QUICK, THRESHOLDS, Analysis, analyse, count_of, decisions, verdict
from worker.players import chance_of

NAMES = ["manitou-2-greedy", "big-manitou-2-uniform", "tomahawk-2-greedy", "plenty-coups-2-greedy"]
SHORT = Effort(2, 2)
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
    """Any sure loss is an inaccuracy; from its thresholds on it is a mistake, and a blunder."""
    mistake, blunder = THRESHOLDS[game]
    losses = (0.0, 0.01, mistake - 0.01, mistake, blunder - 0.01, blunder, 1e9)
    names = ("good", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder")
    assert tuple(verdict(game, loss) for loss in losses) == names


@pytest.mark.slow
def test_a_quick_analysis_looks_at_the_most_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few of them in the order of the game; a deep one looks at all that had a choice."""
    monkeypatch.setattr(finished, "OF_QUICK", 4)
    history = corpus.history_of("manitou-2-greedy")
    *rows, analysis = analyse(history, QUICK, SHORT)
    assert isinstance(analysis, Analysis)
    assert [row.version for row in analysis.evaluations] == sorted(row.version for row in rows)
    assert len(rows) == count_of(history, QUICK) == 4 < count_of(history, DEEP) == analysis.choices
    assert sum(seat.evaluated for seat in analysis.seats) == len(rows)
    assert analysis.head == history.table.head.hash.hex()


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
    assert f"tomahawk, {len(found.evaluations)} of {found.choices} decisions" in next(lines(found))


def test_a_text_is_analysed_too(archive: str, tmp_path: Path) -> None:
    """A table in notation has the moves of its archive, and so the same decisions."""
    text = tmp_path / "game.txt"
    text.write_text(CliRunner().invoke(main, ["convert", archive]).stdout, encoding="utf-8")
    one, other = (list(decisions(history_in(path))) for path in (archive, str(text)))
    assert [(row.seat, row.made, row.position.view) for row in one] == [
        (row.seat, row.made, row.position.view) for row in other
    ]
