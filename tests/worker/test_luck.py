"""The luck of a finished game: a sum that holds, 0 on average, and the same each time."""

import random
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest
from click.testing import CliRunner, Result

from games.kernel import Transition
from tests import corpus
from tests.long import quick_first
from wintercount.cli.main import main
from worker.analysis import playing_on
from worker.analysis.luck import Course, Luck, SeatLuck, Turn, course_of, luck_by_event
from worker.analysis.playing_on import Player
from worker.players import Chosen, chance_of

NAMES = ["manitou-2-greedy", "big-manitou-2-uniform", "tomahawk-2-greedy", "plenty-coups-2-greedy"]
UNIFORM = ("uniform", 2)


def luck_of(course: Course, worlds: int) -> Luck:
    *_, luck = luck_by_event(course, worlds)
    assert isinstance(luck, Luck)
    return luck


# A game that can be worked out by hand: seat 1 bets 1 or 2, a card pays that many times; seat 2 bets, a card pays again

CARDS = (-2, 1, 4)


class Bets(NamedTuple):
    """The cards not drawn yet, the bets made, and what seat 1 has won."""

    pile: tuple[int, ...]
    bets: tuple[int, ...] = ()
    won: int = 0


def bet(state: Bets, _seat: int, move: int, _chance: Any) -> Transition[Bets]:
    after = Bets(state.pile[1:], (*state.bets, move), state.won + move * state.pile[0])
    return Transition(("bet",), after, (state,))


BETTING: Any = SimpleNamespace(
    slug="betting",
    start=lambda _players, _options, chance: Transition((), Bets(chance("shuffle", CARDS, 3)), ()),
    to_act=lambda state: (len(state.bets) + 1,) if len(state.bets) < 2 else (),
    legal_moves=lambda _state, _seat: [1, 2],
    play=bet,
    readers=lambda _state, _event: {},
    view=lambda state, _seat: state,
    scores=lambda state: SimpleNamespace(
        scores=(SimpleNamespace(seat=1, total=state.won), SimpleNamespace(seat=2, total=0))
    ),
)
EXPECTED = 3.0  # each bet is 1.5 and each card 1 on average


@pytest.fixture(autouse=True)
def _betting(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setitem(playing_on.PILES, "betting", lambda state, reorder: state._replace(pile=reorder(state.pile)))


@pytest.fixture
def _greedy_bets_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing_on, "plays", lambda *_: True)
    monkeypatch.setattr(playing_on, "PLAYERS", {playing_on.GREEDY: lambda *_: Chosen(2, 0)})


def played(number: int, *players: Player | None) -> Course:
    """A game of seats that bet at random."""
    luck = random.Random(number)
    state, turns = BETTING.start(2, None, chance_of(luck)).state, []
    for seat in (1, 2):
        move = luck.choice([1, 2])
        after = bet(state, seat, move, None).state
        turns.append(Turn(seat, seat, move, state, ((), ()), after))
        state = after
    return Course(f"betting {number}", BETTING, None, players, tuple(turns))


@pytest.mark.slow
def test_luck_is_0_on_average() -> None:
    """Given 600 games of known players, then the mean of each kind of luck is 0, and the adjusted results have the mean
    of the results, by a quarter of their scatter at most."""
    found = [luck_of(played(number, UNIFORM, UNIFORM), 4).seats[0] for number in range(600)]
    for values in (
        [row.chance.mean for row in found],
        [row.own.mean for row in found],
        [row.others.mean for row in found],
    ):
        assert abs(fmean(values)) < 3 * stdev(values) / 600**0.5
    adjusted = [row.adjusted.mean for row in found]
    assert abs(fmean(adjusted) - EXPECTED) < 3 * stdev(adjusted) / 600**0.5
    assert stdev(adjusted) < 0.6 * stdev([row.margin for row in found])


@pytest.mark.usefixtures("_greedy_bets_2")
def test_an_unknown_seat_is_not_corrected() -> None:
    """Given seat 1 unknown, then its choices stay in the adjusted result, and those of seat 2 are taken off."""
    number = next(number for number in range(9) if played(number, None, UNIFORM).turns[0].move == 1)
    row, rival = luck_of(played(number, None, UNIFORM), 4).seats
    assert row.player is None
    assert row.own.mean != 0
    assert row.adjusted.mean == row.margin - row.chance.mean - row.others.mean
    assert rival.player == "uniform"
    assert rival.adjusted.mean == rival.margin - rival.chance.mean - rival.own.mean


@pytest.mark.slow
def test_a_stroke_is_what_can_be_worked_out() -> None:
    """Given many worlds, then the first card is worth what it pays and leaves, beyond what was to be expected."""
    course = played(5, UNIFORM, UNIFORM)
    first, stake = course.turns[0], course.turns[0].move
    card = first.before.pile[0]
    left = (sum(CARDS) - card) / 2
    before, after = stake * 1 + 1.5 * 1, stake * card + 1.5 * left
    deal, stroke, _ = luck_of(course, 4096).strokes
    assert deal.version == 0
    assert deal.seat is None
    assert deal.choice == (0.0, 0.0)
    assert stroke.choice[0] == pytest.approx(stake - 1.5, abs=0.1)
    assert stroke.chance[0] == pytest.approx(after - before, abs=0.2)
    assert stroke.chance[1] == -stroke.chance[0]


def test_a_ruling_is_told_apart() -> None:
    """Given that a ruling took 3 points from seat 1 between two moves, then rulings made -3 of its lead."""
    course = played(7, UNIFORM, UNIFORM)
    first, second = course.turns
    corrected = second.before._replace(won=second.before.won - 3)
    after = bet(corrected, 2, second.move, None).state
    ruled = course._replace(turns=(first, second._replace(before=corrected, after=after)))
    row = luck_of(ruled, 4).seats[0]
    assert row.ruled.mean == -3
    assert sum_of(row) == row.margin == after.won


def sum_of(row: SeatLuck) -> float:
    return row.expected.mean + row.chance.mean + row.own.mean + row.others.mean + row.ruled.mean


# Recorded games


@pytest.mark.parametrize("name", [*corpus.OF_EACH_GAME, *NAMES, "tomahawk-2-most-wanted"])
def test_nobody_sees_what_is_rearranged(name: str) -> None:
    """Given any moment of a recorded game, when unseen piles are reversed, then every seat sees the same table."""
    course = course_of(corpus.history_of(name))
    game, differ = course.game, 0
    for turn in course.turns[2::5]:
        other = playing_on.rearrange(game.slug, turn.before, lambda cards: cards[::-1])
        differ += other != turn.before
        assert game.census(other) == game.census(turn.before)
        for seat in (None, *range(1, len(course.players) + 1)):
            assert game.view(other, seat) == game.view(turn.before, seat)
    assert differ


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_the_sum_is_the_result(name: str) -> None:
    """Given the last moves of a recorded game, when their luck is told, then the parts of each lead add up to it."""
    course = course_of(corpus.history_of(name))
    end = course._replace(turns=course.turns[-6:])
    luck = luck_of(end, 2)
    rows = {row.seat: row for row in course.game.scores(end.turns[-1].after).scores}
    for row in luck.seats:
        best = max(other.total for seat, other in rows.items() if seat != row.seat)
        assert row.margin == rows[row.seat].total - best
        assert sum_of(row) == row.margin
    assert [stroke.version for stroke in luck.strokes] == [0, *(turn.version for turn in end.turns)]


def test_players_of_today_are_known() -> None:
    """Given a game of a player in its version of today and one of an older version, then only the first is known."""
    assert course_of(corpus.history_of("plenty-coups-2-greedy")).players == (("greedy", 2), ("greedy", 2))
    assert course_of(corpus.history_of("manitou-2-greedy")).players == (None, None)


def test_a_game_that_is_not_over_has_no_luck_yet() -> None:
    course = course_of(corpus.history_of("tomahawk-2-greedy"))
    with pytest.raises(ValueError, match="not played to its end"):
        next(luck_by_event(course._replace(turns=course.turns[:3]), 2))
    with pytest.raises(ValueError, match="not over"):
        course_of(corpus.history_of("tomahawk-2-greedy").until(20))


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments])


ARCHIVE = str(corpus.path_of("tomahawk-2-greedy"))


@pytest.mark.slow
def test_the_command_writes_lines_and_json() -> None:
    """The same luck in two forms."""
    found = run(ARCHIVE, "--luck", "--worlds", "2", "--json")
    assert found.exit_code == 0, found.output
    luck = msgspec.json.decode(found.stdout, type=Luck)
    assert luck.worlds == 2
    assert all(sum_of(row) == row.margin for row in luck.seats)
    text = run(ARCHIVE, "--luck", "--worlds", "2").stdout.splitlines()
    assert len(text) == 1 + 2 * 2 + 5
    assert text[1].startswith(f"seat 1: lead {luck.seats[0].margin:+.2f} = {luck.seats[0].expected.mean:+.2f} expected")
    greatest = max(luck.strokes, key=lambda stroke: abs(stroke.chance[0]))
    assert f"{greatest.chance[0]:+.2f}" in text[5]


def test_luck_is_of_the_whole_game() -> None:
    assert run(ARCHIVE, "--luck", "--deep").exit_code == 2
    assert run(ARCHIVE, "--luck", "--dispute", "d1").exit_code == 2
