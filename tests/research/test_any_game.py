"""Games whose packages provide no coding: Goofspiel, and the others under a name for which there is none."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from games import GAMES
from games.kernel import AnyGame, MoveSet
from tests.long import quick_first
from tests.research.test_codings import made, tells_apart
from tests.research.test_environments import dictionaries, taken
from tests.worker.twins import positions
from wintercount.env import any_game, env, gym_env, parallel_env
from wintercount.env.coding_lookup import by_rank
from wintercount.scaffold import goofspiel
from wintercount.testing.random_games import random_game, random_options

AT_HOME = [goofspiel.game, *[replace(game, slug=f"{slug}-at-home") for slug, game in GAMES.items()]]
by_game = pytest.mark.parametrize("game", AT_HOME, ids=lambda game: game.slug)
TABLES = [(game, players) for game in AT_HOME for players in sorted({min(game.players), max(game.players)})]


@pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda part: getattr(part, "slug", part))
@dictionaries
def test_of_pettingzoo_and_gymnasium(game: AnyGame, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    """`api_test`, `seed_test`, `parallel_api_test`, and `check_env` without a warning but of rendering."""
    api_test(env(game, players, render_mode="ansi"), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: env(game, players), num_cycles=30)
    parallel_api_test(parallel_env(game, players), num_cycles=30)
    check_env(gym_env(game, seat=players, players=players, opponents="uniform"), skip_render_check=True)


@by_game
def test_a_game_is_played_to_its_end(game: AnyGame) -> None:
    """Under any house rules: observations are within bounds, and the final ranks are paid."""
    rng = random.Random(3)
    table = env(game, max(game.players), random_options(game, rng))
    table.reset(seed=4)
    while table.playing.to_act:
        seen = table.last()[0]
        assert seen in table.observation_space(table.agent_selection)
        table.step(taken(rng, seen))
    assert table.rewards == {f"seat_{seat}": paid for seat, paid in by_rank(game.scores(table.playing.state)).items()}


@by_game
def test_a_legal_move_is_an_action(game: AnyGame) -> None:
    """Each listed move is one, by its spelling; many moves in a summary are as many as can be taken."""
    players = min(game.players)
    coding, rng = any_game.coding(game, players), random.Random(5)
    for step in islice(random_game(game, players, random_options(game, rng), rng), 0, None, 5):
        for seat in game.to_act(step.turn.state):
            seen = any_game.seen_of(game, step.turn.state, seat)
            opened = any_game.numbered(seen.legal)
            expected = sum(_many(entry) for entry in seen.legal)
            assert len(opened) == expected if expected < any_game.MOST else len(opened) > any_game.MOST / 2
            for move in seen.legal:
                if not isinstance(move, MoveSet):
                    assert made(coding, seen, list(seen.legal), coding.spell(seen, move)) == move


def _many(entry: Any) -> int:
    return len(list(islice(entry.expansions(), any_game.MOST))) if isinstance(entry, MoveSet) else 1


def test_a_move_keeps_its_action() -> None:
    """No two bids share one, so each has the same for every seat, with any cards left."""
    bids = [goofspiel.Bid(card) for card in goofspiel.SUIT]
    whole = {move: action for action, move in any_game.numbered(bids).items()}
    for count in range(1, len(bids)):
        assert {move: action for action, move in any_game.numbered(bids[-count:]).items()}.items() <= whole.items()


def test_more_moves_than_actions_are_a_sample() -> None:
    """The same of the same moves."""
    moves: Sequence[Any] = [goofspiel.Bid(card) for card in range(3000)]
    found = any_game.numbered(moves)
    assert (len(found), found) == (any_game.MOST, any_game.numbered(moves))
    with pytest.raises(LookupError):
        any_game.spell(any_game.Seen(None, moves), next(move for move in moves if move not in found.values()))


@pytest.mark.parametrize("slug", quick_first(["goofspiel", *GAMES], quick=5))
def test_what_a_seat_cannot_tell_apart_looks_the_same(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In worlds of one view and one feed the observations and masks are the same to the byte."""
    monkeypatch.setitem(GAMES, "goofspiel", goofspiel.game)
    game, players = GAMES[slug], max(GAMES[slug].players)
    coding, found = any_game.coding(game, players), 0
    for position in islice(positions(slug, players, "any game", every=6), 12):
        assert not tells_apart(position, game, players, coding)
        found += 1
    assert found


def test_a_coding_that_peeks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the open view."""
    monkeypatch.setitem(GAMES, "goofspiel", goofspiel.game)
    game = goofspiel.game
    peeking = replace(any_game.coding(game, 2), sees=lambda state, _: any_game.Seen(game.open_view(state), ()))
    assert any(tells_apart(twins, game, 2, peeking) for twins in islice(positions("goofspiel", 2, "peek", every=3), 12))
