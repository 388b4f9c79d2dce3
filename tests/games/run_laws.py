"""The laws over many random games, on all cores: `python -m tests.games.run_laws --games 2000`."""

import os
import random
import sys
import traceback
from collections import Counter
from multiprocessing import Pool

import click
from tqdm import tqdm

from games import GAMES
from tests.games.laws import LAWS, Played
from tests.games.random_play import random_options


def check(task: tuple[str, int]) -> tuple[str, list[str]]:
    """Plays the game of one seed under random house rules: which game it was, and what broke in it."""
    slug, seed = task
    game, rng = GAMES[slug], random.Random(seed)
    players = rng.choice(game.players)
    played = Played(game, players, random_options(game, rng), seed)
    failures = []
    for law in LAWS:
        try:
            law(played)
        except Exception:  # noqa: BLE001 - a law may break in any way, and all of them are reported
            rules = f"{slug}, {players} players, seed {seed}, {played.options}"
            failures.append(f"{law.__name__}: {rules}\n{traceback.format_exc(limit=-4)}")
    return slug, failures


@click.command()
@click.option("--games", "count", type=int, default=lambda: int(os.environ.get("GAMES", "200")), help="How many games.")
@click.option("--seed", default=0, help="Seed of the first one.")
@click.option("--only", type=click.Choice(list(GAMES)), help="One game alone.")
@click.option("--processes", default=os.cpu_count(), help="How many at once.")
def main(count: int, seed: int, only: str | None, processes: int) -> None:
    """Checks all laws over random games and says what broke."""
    slugs = [only] if only else list(GAMES)
    tasks = [(slugs[number % len(slugs)], number) for number in range(seed, seed + count)]
    games: Counter[str] = Counter()
    broken: list[str] = []
    with Pool(processes) as pool:
        for slug, failures in tqdm(pool.imap_unordered(check, tasks), total=count, unit="game"):
            games[slug] += 1
            broken += failures
    click.echo("\n".join(broken))
    click.echo(f"{sum(games.values())} games {dict(sorted(games.items()))}, {len(LAWS)} laws: {len(broken)} broken")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
