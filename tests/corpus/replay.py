"""Plays recorded games again: `python -m tests.corpus.replay --games 500 --seed 1000` those from the thousandth on."""

import os
import sys
from itertools import islice
from multiprocessing import Pool

import click
from tqdm import tqdm

from games import GAMES
from tests.corpus.plays import Play, played_again, plays_of


def is_as_recorded(task: tuple[str, int, Play]) -> tuple[str, int, bool]:
    """A play, named by its game and number, and whether the same moves bring the same events."""
    slug, number, play = task
    return slug, number, played_again(slug, play) == (play.events, play.head, True)


@click.command()
@click.option("--games", "count", default=2000, show_default=True, help="Of each kind.")
@click.option("--seed", "first", default=0, show_default=True, help="The first one.")
@click.option("--processes", default=os.cpu_count(), help="How many at once.")
def main(count: int, first: int, processes: int) -> None:
    """Says which plays are decided otherwise today."""
    tasks = [(slug, n, play) for slug in GAMES for n, play in islice(enumerate(plays_of(slug)), first, first + count)]
    with Pool(processes) as pool:
        done = list(tqdm(pool.imap_unordered(is_as_recorded, tasks), total=len(tasks), unit="game"))
    otherwise = [f"{slug}, play {number}: decided otherwise" for slug, number, same in done if not same]
    click.echo("\n".join([*otherwise, f"{len(done)} plays, {len(otherwise)} decided otherwise"]))
    sys.exit(bool(otherwise))


if __name__ == "__main__":
    main()
