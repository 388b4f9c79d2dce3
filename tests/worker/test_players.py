"""The players of the house: legal and repeatable."""

import random

import pytest

from games import GAMES
from games.kernel import Game
from service.levels import LEVELS
from tests.games.laws import Played, Table
from tests.games.random_play import chance_from, random_options
from worker.players import PLAYERS, choose

TABLES = [(slug, players) for slug, game in GAMES.items() for players in (min(game.players), max(game.players))]


def test_every_level_has_its_player() -> None:
    """A level names a player in a version that is there."""
    assert {(level.player, level.version) for level in LEVELS.values()} <= set(PLAYERS)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_greedy_plays_whole_games_alike_for_the_same_seed(slug: str, players: int) -> None:
    """A table of greedy seats, played twice with the same seeds: every move is legal and the same."""
    game = GAMES[slug]
    assert played(game, players) == played(game, players)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player[0])
@pytest.mark.parametrize("slug", GAMES)
def test_a_player_at_a_forked_table_plays_on(slug: str, player: tuple[str, int]) -> None:
    """Where its feed lacks secrets of its own seat, and the house rules have changed, a player makes a legal move."""
    game, rng = GAMES[slug], random.Random(2)
    game_played = Played(game, max(game.players), {}, seed=2)
    for version in rng.sample(game_played.decisions[1:-1], 3):
        fork = Table.of(game_played, version).forked(rng.choice(game_played.observers), rng)
        fork.change_rules(random_options(game, rng))
        fork.play(2, rng)
        for seat in game.to_act(fork.state):
            chosen = choose(player, game, game.view(fork.state, seat), fork.feeds[seat], "ab", budget=16)
            assert game.play(fork.state, seat, chosen.move, chance_from(rng)).events


def played(game: Game, players: int) -> list[object]:
    """The moves of a game of greedy seats; the engine refuses any that is not legal."""
    chance = chance_from(random.Random(5))
    turn = game.start(players, game.read_options({}, players), chance)
    moves, events = [], list(turn.events)
    while acting := game.to_act(turn.state):
        seat = acting[0]
        view = game.view(turn.state, seat)
        move = choose(("greedy", 2), game, view, (), f"{len(moves):064x}").move
        turn = game.play(turn.state, seat, move, chance)
        moves.append(move)
        events += turn.events
    return moves
