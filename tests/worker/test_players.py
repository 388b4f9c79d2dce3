"""The players of the house: legal and repeatable."""

import hashlib
import json
import os
import random
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.canonical import canonical
from games import GAMES
from games.kernel import AnyGame
from tests.long import long_but_for, quick_first
from tests.worker.twins import positions
from wintercount.testing.played import Played
from wintercount.testing.random_games import chance_from, chance_of, random_options
from wintercount.testing.worlds import Table
from worker.players import PLAYERS, Candidate, choose, require_module, weigh

CHOICES = Path(__file__).parent / "choices.json"

TABLES = [(slug, players) for slug, game in GAMES.items() for players in (min(game.players), max(game.players))]


@pytest.mark.parametrize("table", long_but_for(lambda table: table[1] == min(GAMES[table[0]].players), TABLES))
def test_greedy_plays_whole_games_alike_for_the_same_seed(table: tuple[str, int]) -> None:
    """A table of greedy seats, played twice with the same seeds: every move is legal and the same."""
    slug, players = table
    assert played(GAMES[slug], players) == played(GAMES[slug], players)


@pytest.mark.parametrize("slug", GAMES)
def test_a_novice_errs_and_never_blunders(slug: str) -> None:
    """It makes moves that are not the best of the rule of thumb, and none that is worse by more than its bound."""
    losses = []
    for position in islice(positions(slug, 2, "novice", every=2), 40):
        view = position.game.view(position.state, position.seat)
        weighed = {row.move: row.value for row in greedy_weighs(position.game, view, position.feed, position.seed)}
        chosen = choose(("novice", 3), position.game, view, position.feed, position.seed).move
        if len(weighed) > 1 and chosen in weighed:
            losses.append(max(weighed.values()) - weighed[chosen])
    assert 0 < max(losses) <= require_module("greedy", slug).NOISE


def greedy_weighs(game: AnyGame, view: Any, feed: Any, seed: str) -> list[Candidate]:
    """As a novice with that seed does before it errs."""
    return weigh(game, view, feed, random.Random(bytes.fromhex(seed)))


@pytest.mark.parametrize("slug", long_but_for(GAMES.__contains__, GAMES, is_slow="plenty-coups".__eq__))
@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: f"{player[0]}-{player[1]}")
def test_a_version_of_a_player_is_one_behaviour_for_ever(slug: str, player: tuple[str, int]) -> None:
    """What was chosen once by this version is chosen today: who plays otherwise is a new version.

    `WINTERCOUNT_PLAYERS=renew` writes the choices of a new version down.
    """
    chosen = [
        msgspec.to_builtins(choose(player, p.game, p.game.view(p.state, p.seat), p.feed, p.seed, 50).move)
        for players in GAMES[slug].players
        for p in islice(positions(slug, players, "golden", every=6), 8)
    ]
    digest = hashlib.sha256(canonical(chosen)).hexdigest()[:16]
    known = json.loads(CHOICES.read_text(encoding="utf-8"))
    name = f"{slug} {player[0]} {player[1]}"
    if os.environ.get("WINTERCOUNT_PLAYERS") == "renew":
        CHOICES.write_text(json.dumps({name: digest} | known, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    else:
        assert known[name] == digest


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player[0])
@pytest.mark.parametrize("slug", quick_first(GAMES))
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


def played(game: AnyGame, players: int) -> list[object]:
    """The moves of a game of greedy seats; the engine refuses any that is not legal."""
    chance = chance_of(5)
    turn = game.start(players, game.read_options({}, players), chance)
    moves: list[Any] = []
    events = list(turn.events)
    while acting := game.to_act(turn.state):
        seat = acting[0]
        view = game.view(turn.state, seat)
        move = choose(("greedy", 2), game, view, (), f"{len(moves):064x}").move
        turn = game.play(turn.state, seat, move, chance)
        moves.append(move)
        events += turn.events
    return moves
