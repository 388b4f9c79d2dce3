"""What another reading of a ruling would have been worth: as the seats saw it, the same each time, exact at the end."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from events.store import RedisLog
from games.kernel import MoveRefused
from projections.history import History
from service.analyses.asking import head_of
from service.analyses.keeping import Analyses, AnalysisStatus, Name
from service.runtime.analysing import lines
from service.runtime.cli import main
from service.tables.disputes import reading_of
from service.tables.rulings import is_ruling
from tests import corpus
from tests.long import long_but_for
from tests.tables import ANN
from worker.analysis import readings
from worker.analysis.evaluating import Mean
from worker.analysis.readings import Comparison, Expected, Reading, SeatWorth, Worth, compared, disputed
from worker.analysis.rollouts import Result
from worker.analysis.slices import go_on

NAMES = ["tomahawk-2-disputed", "plenty-coups-3-disputed", "plenty-coups-3-overturned", "big-manitou-3-disputed"]
FEW = 2
NOW_MS = 1_800_000_000_000
FOLDER = Path(corpus.__file__).parent


def the_dispute(history: History) -> str:
    (dispute,) = history.table.disputes
    return dispute.name


def comparison(name: str, worlds: int = FEW) -> Comparison:
    history = corpus.history_of(name)
    return Comparison(history, disputed(history, the_dispute(history)), worlds)


def worth_of(found: Comparison) -> Worth:
    whole = list(compared(found))[-1]
    assert isinstance(whole, Worth)
    return whole


@pytest.mark.parametrize("name", long_but_for({"tomahawk-2-disputed"}.__contains__, NAMES))
def test_the_same_bytes_each_time(name: str) -> None:
    """And it says with what: worlds, games played out, seed, and the head of the log."""
    one, other = (worth_of(comparison(name)) for _ in range(2))
    assert msgspec.json.encode(one) == msgspec.json.encode(other)
    assert (one.worlds, one.budget) == (FEW, 2 * FEW * one.players)
    assert [seat.seat for seat in one.seats] == list(range(1, one.players + 1))
    assert one.seed == comparison(name).seed != comparison(name, 3).seed


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_imagines_what_it_could_take_for_true(name: str) -> None:
    """Each world looks to it as the table did after the ruling, or would have by the other reading."""
    found = comparison(name)
    game = found.history.table.game
    for seat in found.seats:
        for followed in (found.ruled, found.other):
            view = game.view(followed.state, seat)
            assert not view.over
            assert [game.view(world, seat) for world in found._worlds(followed, seat, b"")] == [view] * FEW


@pytest.mark.parametrize("name", ["tomahawk-2-disputed", "plenty-coups-3-disputed", "plenty-coups-3-overturned"])
def test_a_seat_imagines_what_others_hold(name: str) -> None:
    """Whatever lies open since the game is over: in its worlds some other seat sees another hand than it had."""
    found = comparison(name)
    game = found.history.table.game
    for seat in found.seats:
        others = [other for other in found.seats if other != seat]
        truth = [game.view(found.ruled.state, other) for other in others]
        worlds = found._worlds(found.ruled, seat, b"")
        assert any([game.view(world, other) for other in others] != truth for world in worlds)


@pytest.mark.parametrize("name", NAMES)
def test_what_followed_is_what_the_record_says(name: str) -> None:
    """By the rules in force the recorded state comes out, by the other reading another one."""
    found = comparison(name)
    history, made = found.history, found.made
    assert found.ruled.state == history.at(made.last).state
    assert found.ruled.refused is None
    assert found.other.state != found.ruled.state


def test_a_reading_may_forbid_the_move() -> None:
    """Then the seat chooses anew, from the state before: the rule is told, and nothing has happened."""
    found = comparison("plenty-coups-3-overturned")
    then = found.history.at(found.made.before)
    assert worth_of(found).refused == found.other.refused == "PC-4.23"
    assert found.other.new_events == ()
    assert found.other.state == msgspec.structs.replace(then.state, options=found.other.state.options)
    seat, move = found.made.moves[0]
    with pytest.raises(MoveRefused):
        then.game.play(found.other.state, seat, then.game.read_move(move), lambda *_: ())


def last_ruling(history: History) -> int:
    """The last ruling by the move that ended the game."""
    end = next(event for event in history.events if event.envelope.type == "GameEnded")
    return max(event.version for event in history.events[: end.version] if is_ruling(event))


def test_where_the_game_ends_the_worth_is_exact() -> None:
    """Given the last ruling of a game, then both readings are worth what the score sheets say, without error."""
    history = corpus.history_of("big-manitou-3-uniform")
    found = Comparison(history, Reading(last_ruling(history), {"runner_up_share": "rest"}), FEW)
    game, worth = history.table.game, worth_of(found)
    for followed, told in ((found.ruled, "ruled"), (found.other, "other")):
        totals = {row.seat: Mean(row.total, 0.0) for row in game.scores(followed.state).scores}
        assert {seat.seat: getattr(seat, told).points for seat in worth.seats} == totals
    assert game.scores(found.ruled.state) == game.scores(history.table.state)


def test_the_gain_is_counted_world_by_world() -> None:
    """What both readings share in a world is no error of their difference."""
    ruled = [Result(10.0, 1.0, 1.0), Result(20.0, -1.0, 0.0), Result(30.0, 2.0, 1.0), Result(40.0, 0.0, 0.5)]
    other = [Result(12.0, 2.0, 1.0), Result(22.0, 1.0, 1.0), Result(32.0, 5.0, 1.0), Result(42.0, 0.0, 0.5)]
    found = comparison("tomahawk-2-disputed").worth(2, [one for pair in zip(ruled, other, strict=True) for one in pair])
    assert found == SeatWorth(
        2,
        ruled=Expected(Mean(25.0, 6.455), Mean(0.5, 0.645), Mean(0.625, 0.239)),
        other=Expected(Mean(27.0, 6.455), Mean(2.0, 1.08), Mean(0.875, 0.125)),
        gained=Expected(Mean(2.0, 0.0), Mean(1.5, 0.645), Mean(0.25, 0.25)),
    )


def test_an_overturned_dispute_is_about_the_reading_of_its_verdict() -> None:
    """The arbiter may amend another house rule than was asked for."""
    history = corpus.history_of("tomahawk-2-disputed")
    (dispute,) = history.table.disputes
    assert dispute.resolved
    verdict = history.events[dispute.resolved - 1].envelope.payload["options"]
    assert disputed(history, dispute.name) == Reading(dispute.version, verdict)
    asked_otherwise = msgspec.structs.replace(dispute, options={"a": 1})
    assert reading_of(history, asked_otherwise) == verdict
    upheld = msgspec.structs.replace(dispute, outcome="upheld", options={"a": 1})
    assert reading_of(history, upheld) == {"a": 1}


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        (Reading(31, {}), "no other reading"),
        (Reading(1, {"picto_scope": "each_player"}), "no move led to event 1"),
        (Reading(10_000, {"picto_scope": "each_player"}), "has the versions 1 to"),
    ],
)
def test_what_cannot_be_compared_is_told(reading: Reading, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Comparison(corpus.history_of("tomahawk-2-disputed"), reading, FEW)


def test_a_running_table_is_not_compared() -> None:
    history = corpus.history_of("tomahawk-2-disputed").until(60)
    with pytest.raises(ValueError, match="is not over"):
        Comparison(history, Reading(31, {"picto_scope": "each_player"}), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("games", long_but_for({3}.__contains__, [1, 3]))
def test_slices_come_to_the_same_bytes(valkey_log: RedisLog, monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    """Given slices of one game, or of three, when all is done, then it is what the command writes."""
    monkeypatch.setattr(readings, "WORLDS", FEW)
    history = corpus.history_of("tomahawk-2-disputed")
    (dispute,) = history.table.disputes
    analyses, name = Analyses(valkey_log.client, lambda: NOW_MS, most=2), Name(history.table.id, dispute.dispute)
    assert analyses.ask(
        name, None, AnalysisStatus(head=head_of(history), by=ANN.id, asked_at="2026-11-23T00:00:00.000Z")
    )
    slices = 0
    while go_on(analyses, name, history, in_games(games)):
        slices += 1
    assert slices > 2
    assert analyses.whole(name) == msgspec.json.encode(worth_of(comparison("tomahawk-2-disputed")))


def in_games(games: int) -> Any:
    """A slice that ends after so many games."""
    left = iter([True] * (games - 1))
    return lambda: next(left, False)


# --- the command ---


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["analyse", str(FOLDER / "tomahawk-2-disputed.ndjson.gz"), *words])


@pytest.mark.slow
def test_the_command_tells_it_of_a_dispute_or_of_any_ruling() -> None:
    """One line a seat, or JSON; the same for the dispute and for its ruling."""
    worth = worth_of(comparison("tomahawk-2-disputed"))
    of_dispute = run("--dispute", "d43", "--worlds", "2", "--json")
    of_ruling = run("--ruling", "31", "--option", "picto_scope=each_player", "--worlds", "2")
    assert msgspec.json.decode(of_dispute.stdout.splitlines()[-1], type=Worth) == worth
    first, *seats = lines(worth)
    assert 'event 31 read by picto_scope="each_player"; 2 worlds a seat, 8 games played out by greedy 2' in first
    assert of_ruling.stdout.splitlines()[-3:] == [first, *seats]
    assert f"{worth.seats[1].gained.points.mean:+.2f} ± " in seats[1]


@pytest.mark.slow
def test_the_command_says_that_the_move_was_forbidden() -> None:
    whole = msgspec.structs.replace(worth_of(comparison("tomahawk-2-disputed")), refused="TO-9.9")
    assert list(lines(whole))[1] == "under that reading TO-9.9 forbids the move, and another one is chosen"


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("--dispute", "d9"), 1, "has no dispute 'd9'"),
        (("--dispute", "d43", "--ruling", "31"), 2, "name a --dispute, or a --ruling"),
        (("--option", "picto_scope=each_player"), 2, "name a --dispute, or a --ruling"),
        (("--dispute", "d43", "--deep"), 2, "are about decisions"),
        (("--ruling", "31", "--option", "picto_scope=no"), 1, "is one of"),
    ],
)
def test_the_command_says_what_is_missing(words: tuple[str, ...], status: int, why: str) -> None:
    found = run(*words)
    assert (found.exit_code, why in found.output) == (status, True), found.output
