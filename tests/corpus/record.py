"""Records plays of every game: `python -m tests.corpus.record --games 2000`; goes on where it stopped.

A play is never recorded anew: what is there stays. Its number gives seats, house rules, luck and who plays. Most are
random, as these get into the corners of the rules; others are by players that mean it, as people do.
"""

import os
import random
from multiprocessing import Pool
from typing import Any

import click
import msgspec
from tqdm import tqdm

from games import GAMES
from service.levels import LEVELS
from tests.corpus.plays import Game, Play, path_of, plays_of, write
from wintercount.match import as_read_by
from wintercount.testing.random_games import random_move, random_options
from worker.ai_process import budget
from worker.players import choose

LOOK_AHEAD, SEARCH = ("novice", "greedy"), ("skilled", "expert")
HOUSE_RULES = 0.6  # of the plays have some
SHARE = 20  # of what a search may think at a table, it thinks one part here
AT_ONCE = 100  # so many are lost at most if the recording is stopped


def hands_of(players: int, rng: random.Random) -> list[str]:
    """Who plays at each seat: in one of forty plays a search, in two of five somebody who looks ahead, else anybody."""
    kind = rng.random()
    if kind < 1 / 40:
        return rng.choices(SEARCH, k=players)
    return rng.choices(LOOK_AHEAD, k=players) if kind < 17 / 40 else ["uniform"] * players


def chosen(game: Game, seat: int, by: str, rng: random.Random) -> Any:
    """The move of a player, whose luck is not the game's own."""
    rules, state = game.rules, game.state
    if by == "uniform":
        return random_move(rules, state, seat, rng)
    level, most = LEVELS[by], budget(by, rules.slug) // (SHARE if by in SEARCH else 1)
    view, feed, seed = rules.view(state, seat), as_read_by(game.record, seat), rng.randbytes(16).hex()
    return choose((level.player, level.version), rules, view, feed, seed, most).move


def recorded(task: tuple[str, int]) -> Play:
    """A whole game."""
    slug, number = task
    rules, rng = GAMES[slug], random.Random(f"{slug} {number}")
    players = rng.choice(rules.players)
    chosen_rules = rules.read_options(random_options(rules, rng) if rng.random() < HOUSE_RULES else {}, players)
    options = msgspec.to_builtins(chosen_rules)  # all of them: a default may change
    game, by = Game(slug, players, options, number), hands_of(players, rng)
    moves: list[tuple[int, dict[str, Any]]] = []
    while to_act := rules.to_act(game.state):
        seat = rng.choice(to_act)
        move = chosen(game, seat, by[seat - 1], rng)
        game.play(seat, move)
        moves.append((seat, msgspec.to_builtins(move)))
    return Play(players, options, number, by, rules.rules_version, moves, len(game.record), game.head())


@click.command()
@click.option("--games", "count", default=2000, show_default=True, help="Of each kind, those that are there counted.")
@click.option("--processes", default=os.cpu_count(), help="How many at once.")
def main(count: int, processes: int) -> None:
    """Records what is missing."""
    with Pool(processes) as pool:
        for slug in GAMES:
            plays = list(plays_of(slug)) if path_of(slug).exists() else []
            missing = [(slug, number) for number in range(len(plays), count)]
            for play in tqdm(pool.imap(recorded, missing), desc=slug, total=len(missing), unit="game"):
                plays.append(play)
                if len(plays) % AT_ONCE == 0 or len(plays) == count:
                    write(slug, plays)


if __name__ == "__main__":
    main()
