"""What takes long, for hours: `python -m tests.campaigns laws twins --count 500 --seed 3`; without names, all of it.

A campaign is a generator: after each of its parts it yields what it found wrong there.
"""

import contextlib
import random
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import count, cycle, islice, product
from multiprocessing import Pool
from typing import NamedTuple, TypeVar

import click
import pytest
from tqdm import tqdm

from events.scripts import LOCAL, REPLICA
from games import GAMES
from service.accounts.callers import OWN_SCOPES
from service.levels import LEVELS
from service.tables import feed
from tests.chaos import appends, cluster, cluster_faults, histories, kills, replies
from tests.corpus.plays import Play, played_again, plays_of
from tests.forgeries.finding import forgeries, missed
from tests.games.plenty_coups.moments import agrees, looks
from tests.service.api.interference import MOVES, after_moves, found, leaks, observers, told_apart, twin_of
from tests.service.api.leaks import GAME, PLANTS, is_caught
from tests.service.api.schemathesis_runs import ENDS_THE_ACCOUNT, FOR_PEOPLE, Run, failures, some_tables
from tests.service.api.twins import Pair
from tests.service.api.world import ADMIN, World, embedded_store
from tests.service.web import serving
from tests.wintercount.impacts import disagreements, some_table
from tests.worker.test_never_peeks import player_of
from tests.worker.twins import differs, positions
from wintercount.testing.laws import LAWS, OF_PLAY
from wintercount.testing.played import Played
from wintercount.testing.random_games import random_options

Task = TypeVar("Task")
Faults = Iterator[list[str]]  # of each part

WORLDS = 10  # in one game in so many, worlds are imagined: they take most of the time
MOST_KILLS = 50  # of one service; then a new one is started, so that its log is checked now and then
MOST_FAULTS = 10  # of one cluster
EXAMPLES = 10  # of each operation in one run of requests
LIMITS = "ACCOUNTS AI_SEATS CHANGES OPEN_TABLES QUESTIONS READS REFUSED_MOVES SIGN_INS"
UNBOUNDED = {name: str(10**9) for name in LIMITS.split()}


def on_all_cores(check: Callable[[Task], list[str]], tasks: Iterable[Task]) -> Faults:
    """Checks each task in one of as many processes as there are cores."""
    with Pool() as pool:
        yield from pool.imap_unordered(check, tasks)


@contextlib.contextmanager
def a_world() -> Iterator[World]:
    """A service on an embedded store of its own."""
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        yield world


def of_laws(games: int, seed: int) -> Faults:
    """Checks the laws over so many random games of each kind."""
    return on_all_cores(_broken_laws, product(GAMES, range(seed, seed + games)))


def _broken_laws(task: tuple[str, int]) -> list[str]:
    slug, seed = task
    game, rng = GAMES[slug], random.Random(seed)
    played = Played(game, rng.choice(game.players), random_options(game, rng), seed)
    broken = []
    for law in OF_PLAY if seed % WORLDS else LAWS:
        try:
            law(played)
        except Exception:  # noqa: BLE001 - a law may break in any way, and all of them are reported
            rules = f"{slug}, {played.players} players, seed {seed}, {played.options}"
            broken.append(f"{law.__name__}: {rules}\n{traceback.format_exc(limit=-4)}")
    return broken


def of_plays(plays: int, seed: int) -> Faults:
    """Decides so many recorded games of each kind again, from one on."""
    return on_all_cores(
        _otherwise,
        ((slug, n, play) for slug in GAMES for n, play in islice(enumerate(plays_of(slug)), seed, seed + plays)),
    )


def _otherwise(task: tuple[str, int, Play]) -> list[str]:
    slug, number, play = task
    same = played_again(slug, play) == (play.events, play.head, True)
    return [] if same else [f"{slug}, play {number}: decided otherwise"]


def of_worlds(moments: int, seed: int) -> Faults:
    """Imagines a world in so many late moments of Plenty Coups, which has to agree with what was seen."""
    for look in islice(looks(seed), moments):
        yield ([] if agrees(look) else [f"seed {look.seed}, version {look.version}, seat {look.seat}: no world fits"])


def of_twins(wanted: int, seed: int) -> Faults:
    """Asks every AI level in so many positions of each game, each in two worlds that look the same to its seat."""
    for name, game in GAMES.items():
        tables = zip(cycle(game.players), count(seed), strict=False)
        found = (one for players, number in tables for one in positions(name, players, f"long-{number}", every=5))
        for position in islice(found, wanted):
            yield [f"{name}: {level} peeks" for level in LEVELS if differs(position, player_of(level))]


def of_pairs(tables: int, seed: int) -> Faults:
    """Compares the worlds that an observer cannot tell apart at so many tables, and so many secret choices."""
    kinds = tuple(product(GAMES, (False, True)))  # each game by people alone, and with an AI seat
    with a_world() as world:
        for number in range(seed, seed + tables):
            game, ai = kinds[number % len(kinds)]
            with pytest.MonkeyPatch.context() as monkeypatch:
                choices = list(told_apart(Pair(world, monkeypatch, game, number, ai=ai)))
            yield [f"{game}, table {number}: {told}" for told in [*_told_at(world, game, number, ai=ai), *choices]]


def _told_at(world: World, game: str, number: int, *, ai: bool) -> Iterator[str]:
    drawn = random.Random(number)
    seats, moves = drawn.choice(GAMES[game].players), drawn.randint(4, MOVES[game])
    seen = after_moves(world, game, seats, number, ai=ai, moves=moves)
    if seen.history.table.status == "running":
        for seat in observers(seen):
            yield from leaks(seen.answers(seat), twin_of(seen, seat, number).answers(seat))


def of_leaks(plants: int, _seed: int) -> Faults:
    """Plants so many leaks, one after the other: each has to be seen, and nothing where none is planted."""
    with a_world() as world:
        yield list(found(world, GAME))
        for plant in PLANTS[:plants]:
            yield [] if is_caught(world, plant) else [f"{plant.name}: not seen"]


def of_requests(runs: int, seed: int) -> Faults:
    """Sends random requests to every operation in so many runs, in turn by an operator and by people."""
    with a_world() as world, serving(world.url, ADMIN_TOKEN=ADMIN, **UNBOUNDED) as address:
        for number in range(seed, seed + runs):
            yield [failure for event in _run(world, number).asked(address) for failure in failures(event)]


def _run(world: World, number: int) -> Run:
    """The operator may do most, people what the operator cannot."""
    known = {"player": [str(world.somebody("Bob").player)]}
    if number % 2 == 0:
        return Run(world, world.operator, EXAMPLES, some_tables(world, world.operator), known, seed=number)
    ann = world.somebody(scopes=list(OWN_SCOPES))
    return Run(
        world, ann, EXAMPLES, some_tables(world, ann), known, only=FOR_PEOPLE, never=ENDS_THE_ACCOUNT, seed=number
    )


def of_forgeries(many: int, seed: int) -> Faults:
    """Alters so many fields of archives and hashes them anew: verification has to find each that it can."""
    every = list(forgeries())
    return on_all_cores(missed, random.Random(seed).sample(every, min(many, len(every))))


def of_impacts(tables: int, seed: int) -> Faults:
    """Changes a house rule of so many tables of each game: `impact` has to agree with each decision taken again."""
    return on_all_cores(_disagrees, product(GAMES, range(seed, seed + tables)))


def _disagrees(task: tuple[str, int]) -> list[str]:
    return ["{}, table {}: {}".format(*task, told) for told in disagreements(*some_table(*task))]


def of_kills(wanted: int, seed: int) -> Faults:
    """Kills the processes of the service so often at random moments, and checks the log and all answers."""
    for done in range(0, wanted, MOST_KILLS):
        yield kills.chaos(min(MOST_KILLS, wanted - done), seed + done).faults


def of_cluster(wanted: int, seed: int) -> Faults:
    """Injects so many faults into a cluster, every other one the kill of a primary, for each kind of ack."""
    others = [name for name in cluster_faults.FAULTS if name != "kill"]
    befalling = list(islice(cycle(name for other in others for name in ("kill", other)), wanted))
    for acknowledged_by, first in product((REPLICA, LOCAL), range(0, wanted, MOST_FAULTS)):
        yield cluster.chaos(befalling[first : first + MOST_FAULTS], seed + first, acknowledged_by).faults


class Campaign(NamedTuple):
    """What it shows if nothing is wrong, how it is run, and how much of it is usual."""

    shows: str
    run: Callable[[int, int], Faults]
    usual: int


CAMPAIGNS = {
    "laws": Campaign("every law of every game holds at any number of seats", of_laws, 2000),
    "plays": Campaign("recorded games are decided as they were", of_plays, 2000),
    "worlds": Campaign("imagined worlds agree with what was seen", of_worlds, 2000),
    "twins": Campaign("AI players do not peek", of_twins, 500),
    "pairs": Campaign("secrets change no byte that others read", of_pairs, 100),
    "leaks": Campaign("planted leaks are seen", of_leaks, len(PLANTS)),
    "impact": Campaign("the impact of a house rule is that of each decision taken again", of_impacts, 500),
    "forgeries": Campaign("altered archives are found", of_forgeries, 5000),
    "requests": Campaign("every answer is as documented", of_requests, 20),
    "appends": Campaign(
        "a killed store loses no acknowledged event", lambda n, seed: iter([appends.appends(n, seed).faults]), 100_000
    ),
    "replies": Campaign(
        "each move is made once if answers are lost",
        lambda n, seed: iter([replies.with_spoilt_replies(n, seed).faults]),
        5000,
    ),
    "histories": Campaign(
        "many devices see one order of events",
        lambda n, seed: iter([histories.concurrent_histories(n, seed).faults]),
        100,
    ),
    "kills": Campaign("killed processes lose nothing", of_kills, 200),
    "cluster": Campaign("what is acknowledged survives faults of a cluster, or its loss is told", of_cluster, 50),
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(CAMPAIGNS)))
@click.option("--count", "wanted", type=int, help="How much of each; as much as is usual unless it is given.")
@click.option("--seed", default=0, show_default=True, help="Of games, faults, moments and moves.")
def main(names: tuple[str, ...], wanted: int | None, seed: int) -> None:
    """Runs campaigns, one after the other, and exits with 1 if anything was wrong."""
    broken, feed.READING_S = 0, 60.0  # all cores are busy, and a page of the feed that ends early looks like a leak
    for name in names or CAMPAIGNS:
        campaign, wrong = CAMPAIGNS[name], 0
        for faults in tqdm(campaign.run(wanted or campaign.usual, seed), desc=name, unit="part"):
            wrong += len(faults)
            for fault in faults:
                tqdm.write(f"{name}: {fault}")
        click.echo(f"{name}, seed {seed}: {campaign.shows}: {wrong} faults")
        broken += wrong
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
