"""The laws over many random games of each kind, on all cores: `python -m tests.games.run_laws --games 2000`.

The laws of imagined worlds take most of the time; they are held against one game in so many (`--worlds`).
"""

import os
import random
import sys
import traceback
from collections import Counter
from multiprocessing import Pool
from typing import NamedTuple

import click
from tqdm import tqdm

from games import GAMES
from tests.games.laws import LAWS, OF_PLAY, OF_WORLDS, Played
from tests.games.random_play import random_options


class Task(NamedTuple):
    """A game to play: its seed gives players, house rules and luck."""

    slug: str
    seed: int
    worlds: bool


def check(task: Task) -> tuple[Task, list[str]]:
    """Plays the game under random house rules: which it was, and what broke in it."""
    slug, seed, worlds = task
    game, rng = GAMES[slug], random.Random(seed)
    players = rng.choice(game.players)
    played = Played(game, players, random_options(game, rng), seed)
    failures = []
    for law in LAWS if worlds else OF_PLAY:
        try:
            law(played)
        except Exception:  # noqa: BLE001 - a law may break in any way, and all of them are reported
            rules = f"{slug}, {players} players, seed {seed}, {played.options}"
            failures.append(f"{law.__name__}: {rules}\n{traceback.format_exc(limit=-4)}")
    return task, failures


@click.command()
@click.option("--games", "count", type=int, default=lambda: int(os.environ.get("GAMES", "200")), help="Of each.")
@click.option("--seed", default=0, help="Seed of the first one.")
@click.option("--only", type=click.Choice(list(GAMES)), help="One game alone.")
@click.option("--worlds", default=10, show_default=True, help="Worlds are imagined in one game in so many.")
@click.option("--processes", default=os.cpu_count(), help="How many at once.")
def main(count: int, seed: int, only: str | None, worlds: int, processes: int) -> None:
    """Checks all laws over random games and says what broke."""
    slugs = [only] if only else list(GAMES)
    tasks = [Task(slug, number, number % worlds == 0) for number in range(seed, seed + count) for slug in slugs]
    games: Counter[str] = Counter()
    broken: list[str] = []
    with Pool(processes) as pool:
        for task, failures in tqdm(pool.imap_unordered(check, tasks), total=len(tasks), unit="game"):
            games[task.slug] += 1
            broken += failures
    click.echo("\n".join(broken))
    click.echo(
        f"{sum(games.values())} games {dict(sorted(games.items()))}, {len(OF_PLAY)} laws, {len(OF_WORLDS)} of worlds "
        f"in {sum(task.worlds for task in tasks)} of them: {len(broken)} broken"
    )
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
