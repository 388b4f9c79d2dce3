"""Actions and observations: every legal move can be made, nothing else can, and no number tells a secret."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import AnyGame, MoveSet
from tests import corpus
from tests.long import tables_of_each_game
from tests.worker.twins import positions
from wintercount.env import ActionRefused, Coding, Playing, coding_of, env
from wintercount.testing.random_games import chance_of, random_game, spread_options
from worker.analysis.evaluating import key_of

TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
EXPANDED = 60  # moves of a summary that are spelled
by_table = pytest.mark.parametrize(("slug", "players"), tables_of_each_game(TABLES))


def playing_at(game: AnyGame, state: Any, players: int, coding: Coding | None = None) -> Playing:
    return Playing(game, coding or coding_of(game.slug, players), state, chance_of(1))


def made(coding: Coding, told: Any, legal: list[Any], actions: Any) -> Any:
    """The move that some actions make; each of them was open."""
    left: Any = coding.choose(lambda: told, legal)
    for action in actions:
        assert list(left.open).count(action) == 1
        left = left.take(action)
    return left


def spelled_again(game: AnyGame, state: Any, seat: int, players: int, move: Any) -> Any:
    """A move as actions, and those as a move."""
    playing = playing_at(game, state, players)
    coding, told = playing.coding, playing.seen(seat)
    return made(coding, told, game.legal_moves(state, seat), coding.spell(told, move))


def listed(game: AnyGame, state: Any, seat: int) -> Iterator[Any]:
    """The legal moves of a seat, and some of those that a summary stands for."""
    for entry in game.legal_moves(state, seat):
        yield from islice(entry.expansions(), EXPANDED) if isinstance(entry, MoveSet) else (entry,)


def reachable(choice: Any) -> set[bytes]:
    """Every move that some actions lead to."""
    left = [choice.take(action) for action in choice.open]
    ends = {key_of(end) for end in left if isinstance(end, msgspec.Struct)}
    return ends.union(*[reachable(rest) for rest in left if not isinstance(rest, msgspec.Struct)])


def walked(slug: str, players: int, seed: int) -> Iterator[tuple[Any, int]]:
    """The decisions of games under few sets of house rules in which every value occurs."""
    rng = random.Random(seed)
    for options in spread_options(GAMES[slug], rng):
        for step in random_game(GAMES[slug], players, options, rng):
            for seat in GAMES[slug].to_act(step.turn.state):
                yield step.turn.state, seat


@by_table
def test_every_legal_move_has_actions(slug: str, players: int) -> None:
    """Under every house rule: a move is spelled, and its spelling makes that move."""
    game = GAMES[slug]
    for state, seat in islice(walked(slug, players, 5), 0, None, 7):
        for move in listed(game, state, seat):
            assert key_of(spelled_again(game, state, seat, players, move)) == key_of(move)


@by_table
def test_actions_make_legal_moves_alone(slug: str, players: int) -> None:
    """Wherever the legal moves are listed one by one, all ways through the actions end in just those."""
    game, coding, seen = GAMES[slug], coding_of(slug, players), 0
    for state, seat in islice(walked(slug, players, 6), 0, None, 11):
        legal = game.legal_moves(state, seat)
        if not isinstance(legal[0], MoveSet):
            told = partial(playing_at(game, state, players).seen, seat)
            assert reachable(coding.choose(told, legal)) == {key_of(move) for move in legal}
            seen += 1
    assert seen


@corpus.by_name
def test_recorded_moves_have_actions(name: str) -> None:
    """Every move of every recorded table, whenever it was played: as actions, and back."""
    history = corpus.history_of(name)
    opened, game, moves = history.table.opened, history.table.game, 0
    tables = history.walk(1, history.table.version)
    for before, event in zip(tables, history.events[1:], strict=False):
        if "move" in event.sealed:
            seat, move = event.envelope.by["seat"], game.read_move(event.sealed["move"].value)
            assert key_of(spelled_again(game, before.state, seat, opened.players, move)) == key_of(move)
            moves += 1
    assert moves >= 14


@by_table
def test_observations_fit_their_slots(slug: str, players: int) -> None:
    """Every slot has a name of its own and a number within bounds; who acts has an open action, others have none."""
    table = env(slug, players)
    slots = table.coding.slots
    assert len(set(slots)) == len(slots)
    assert len(set(table.coding.actions)) == len(table.coding.actions)
    for state, seat in islice(walked(slug, players, 7), 0, None, 9):
        playing = playing_at(GAMES[slug], state, players)
        assert table.coding.row(playing.seen(seat)).shape == (len(slots),)
        seen = {"observation": playing.observation(seat), "action_mask": playing.mask(seat)}
        assert seen in table.observation_space(f"seat_{seat}")
        acting = [other for other in range(1, players + 1) if playing.mask(other).any()]
        assert tuple(acting) == playing.to_act


@by_table
def test_what_a_seat_cannot_tell_apart_looks_the_same(slug: str, players: int) -> None:
    """In worlds of one view and one feed the observations and masks are the same to the byte, also amid a move."""
    found = 0
    for position in islice(positions(slug, players, "tensors", every=6), 12):
        assert not tells_apart(position, GAMES[slug], players)
        found += 1
    assert found


def tells_apart(position: Any, game: AnyGame, players: int, coding: Coding | None = None) -> bool:
    """Whether a seat observes a difference between twin worlds, now or while it takes its move action by action.

    What the coding gets to read is no more than what the seat may know: it is the same in both too.
    """
    here, there = (playing_at(game, state, players, coding) for state in (position.state, position.twin))
    rng, seat = random.Random(3), position.seat
    if here.seen(seat) != there.seen(seat):
        return True
    while True:
        for other in range(1, players + 1):
            assert here.mask(other).any() == there.mask(other).any()
        if seen(here, seat) != seen(there, seat):
            return True
        action = rng.choice(here.open(seat))
        if here.act(seat, action):
            return False
        there.act(seat, action)


def seen(playing: Playing, seat: int) -> tuple[bytes, bytes]:
    return playing.observation(seat).tobytes(), playing.mask(seat).tobytes()


@pytest.mark.parametrize("slug", ["manitou", "big-manitou"])
def test_a_view_that_tells_too_much_is_found(slug: str) -> None:
    """Planted: another hand as the viewer's own; the order of the own pile, which no tensor would tell."""
    game, coding = GAMES[slug], coding_of(slug, 2)

    def told(state: Any, seat: int, field: str, distance: int) -> Any:
        shown, rows = game.view(state, seat), state.camps if slug == "manitou" else state.seats
        seats = list(shown.seats)
        seats[seat - 1] = msgspec.structs.replace(
            seats[seat - 1], **{field: getattr(rows[(seat - 1 + distance) % 2], field)}
        )
        return msgspec.structs.replace(shown, seats=tuple(seats))

    for peeking in (partial(told, field="hand", distance=1), partial(told, field="pile", distance=0)):
        leaking = replace(coding, sees=peeking)
        found = [tells_apart(twins, game, 2, leaking) for twins in islice(positions(slug, 2, "peek", every=3), 12)]
        assert any(found)


@pytest.mark.parametrize(("slug", "players"), [("manitou", 3), ("big-manitou", 3), ("tomahawk", 2)])
def test_what_is_chosen_in_secret_is_not_told(slug: str, players: int) -> None:
    """Seat 1 chooses, one card after the other, in two ways; seat 2 sees the same before, meanwhile and afterwards."""
    game = GAMES[slug]
    state = game.start(players, game.read_options({}, players), chance_of(4)).state
    one, other = playing_at(game, state, players), playing_at(game, state, players)
    assert one.to_act[:2] == (1, 2)
    told: tuple[Any, ...] = ()
    while not told:
        assert one.taken(1) == () or one.taken(1) != other.taken(1)
        before = seen(one, 2)
        told = one.act(1, one.open(1)[0])
        assert bool(other.act(1, other.open(1)[-1])) == bool(told)
        assert seen(one, 2) == seen(other, 2)
        assert told or seen(one, 2) == before
    assert one.state != other.state
    assert seen(one, 1) != seen(other, 1)


def test_an_action_that_is_not_open_is_refused() -> None:
    """It is named, with those that are; nothing has changed, and a number beyond all actions is none."""
    playing = env_at_start("manitou")
    before = seen(playing, 1)
    pass_ = playing.coding.actions.index("pass")
    with pytest.raises(
        ActionRefused, match=rf"action {pass_} \(pass\) is not open to seat 1; the mask allows 0 \(choose"
    ):
        playing.act(1, pass_)
    with pytest.raises(ActionRefused, match="not an action of this game"):
        playing.act(1, 10_000)
    with pytest.raises(ActionRefused, match="seat 3 does not have to act"):
        playing.act(3, 0)
    assert seen(playing, 1) == before
    playing.act(1, 0)
    with pytest.raises(ActionRefused, match=r"action 0 \(choose hunter-1\)"):
        playing.act(1, 0)


def env_at_start(slug: str) -> Playing:
    table = env(slug)
    table.reset(seed=1)
    return table.playing


def test_a_game_that_there_is_not_is_named() -> None:
    """With those that there are."""
    for asked in (env, partial(coding_of, players=2)):
        with pytest.raises(LookupError, match="there is no game 'chess'; there are big-manitou"):
            asked("chess")
