"""Games played: pages of search over many of them, leaderboards, profiles, statistics and histories of ratings.

`python -m benchmarks --only history --name history` measures them alone.
"""

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks import host
from benchmarks.figures import Aim, Figures, Size, median, percentile_ms
from benchmarks.synthetic_games import (
    BEGUN_MS,
    KINDS,
    LEVELS,
    ONE_RATED_IN,
    ONE_TELLS_IN,
    PEOPLE,
    STEP_MS,
    anybody,
    synthetic_games,
)
from events.log import PARTITIONS
from events.store import RedisLog, connect
from events.times import stamp
from projections.finished_games import ratings, search
from projections.finished_games.games import SCHEMA
from projections.finished_games.index import FILE, enter, finished_games_of
from projections.finished_games.ratings import UNIT
from projections.finished_games.search import LAST, GameFilter, GameQuery
from projections.finished_games.statistics import Of
from projections.lobby_queries import TimeRange
from projections.sqlite_files import open_database, transaction
from service.accounts.shown_names import PLAIN
from service.api.finished_games import SCALES
from service.tables import table_lists

BATCH = 500  # games in one transaction, about as many as a segment lists
ROWS = 50  # a page
WORST_MS = 100.0


Ask = Callable[[random.Random], object]  # asks a question from a random place on


def history(redis_url: str, size: Size) -> Figures:
    """Questions of every kind to an index that was filled as segments fill it."""
    host.DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=host.DATA, prefix="benchmark-") as directory:
        filled_s, rated_s = filling(Path(directory) / FILE, size.games)
        store = RedisLog(connect(redis_url), PARTITIONS, notes=Path(directory))
        rows = [row_of(what, asking(ask, size)) for what, ask in of_all_kinds(store, size.games).items()]
        megabytes = sum(one.stat().st_size for one in Path(directory).iterdir()) / 1e6
    note = (
        f"{size.games:,} made-up games of {PEOPLE:,} people and {len(LEVELS)} levels, taken in as from segments at "
        f"{size.games / filled_s:,.0f} games/s; one in {ONE_RATED_IN} is rated, at "
        f"{-(-size.games // ONE_RATED_IN) / rated_s:,.0f} games/s. The file has {megabytes:,.0f} MB. Of one in "
        f"{ONE_TELLS_IN} it is told what seats did. Each question is asked {size.questions} times, and asks the store "
        f"first what is new; names are not looked up. A page has {ROWS} rows; what fits nothing looks at as many games "
        "as a page may."
    )
    worst = max(row["p99 ms"] for row in rows)
    return Figures(
        "Games played", note, rows, [Aim("p99 of the slowest question, ms", worst, WORST_MS, most=True, yard="plain")]
    )


def filling(file: Path, games: int) -> tuple[float, float]:
    """The seconds that taking in and rating so many games take."""
    database, made, begun = open_database(file, SCHEMA), synthetic_games(games), time.perf_counter()
    for _ in tqdm(range(0, games, BATCH), desc="games", unit="segment", leave=False):
        with transaction(database):
            enter(database, 1, [(0, game) for game in islice(made, BATCH)])
    entered = time.perf_counter()
    ratings.fold(database)
    database.close()
    return entered - begun, time.perf_counter() - entered


def of_all_kinds(store: RedisLog, games: int) -> dict[str, Ask]:
    """Questions by what they ask for."""
    return _searches(store, games) | _of_ratings(store, games) | _of_figures(store)


def _searches(store: RedisLog, games: int) -> dict[str, Ask]:
    """Pages of games that somebody looks for."""
    from_anywhere = partial(_from_anywhere, store, games)
    return {
        "everything": from_anywhere(lambda _: GameFilter()),
        "a game and its seats": from_anywhere(lambda _: GameFilter("tomahawk", 2)),
        "a player": from_anywhere(lambda luck: GameFilter(player=f"p_{luck.randrange(PEOPLE)}")),
        "the busiest player's victories": from_anywhere(lambda _: GameFilter(player="p_0", won=True)),
        "a level's defeats at a game": from_anywhere(lambda _: GameFilter("manitou", level="expert", won=False)),
        "house rules": from_anywhere(lambda luck: GameFilter("manitou", options={"hand": luck.randint(3, 8)})),
        "disputed games": from_anywhere(lambda _: GameFilter(disputed=True)),
        "a range of ratings": from_anywhere(lambda _: GameFilter("big-manitou", rating_from=1400, rating_to=1700)),
        "one day": from_anywhere(lambda luck: GameFilter(ended=_day(games, luck))),
        "what fits nothing": from_anywhere(lambda _: GameFilter(level="greedy", options={"hand": 99})),
        "one's own private games": from_anywhere(lambda _: GameFilter(player="p_0"), asker="p_0"),
    }


def _of_ratings(store: RedisLog, games: int) -> dict[str, Ask]:
    """Leaderboards, and what somebody's ratings were."""

    def leaders(luck: random.Random, *, settled: bool = True) -> object:
        part = table_lists.RatingsPage(f"{luck.randrange(1000, 2500) * UNIT}|{LAST}", ROWS, settled)
        return table_lists.leaders(store, luck.choice(KINDS), part, PLAIN)

    def points(luck: random.Random, holder: str | None = None) -> object:
        before = _before(games, luck)
        return table_lists.rating_history(store, holder or anybody(luck), luck.choice(KINDS), before, ROWS)

    first = table_lists.RatingsPage(None, ROWS, settled=True)
    return {
        "a leaderboard": leaders,
        "its first page": lambda luck: table_lists.leaders(store, luck.choice(KINDS), first, PLAIN),
        "those with too few games for it": partial(leaders, settled=False),
        "all ratings of a player": lambda luck: table_lists.ratings_of(store, anybody(luck), SCALES),
        "a history of ratings": points,
        "a level's history of ratings": partial(points, holder="ai:expert"),
    }


def _of_figures(store: RedisLog) -> dict[str, Ask]:
    """Profiles, and statistics."""

    def profile(luck: random.Random, player: str | None = None) -> object:
        whose = player or f"p_{luck.randrange(PEOPLE)}"
        return table_lists.figures_of(store, whose), table_lists.ratings_of(store, whose, SCALES)

    return {
        "a profile": profile,
        "the busiest player's profile": partial(profile, player="p_0"),
        "statistics of a game": lambda luck: table_lists.statistics_of(store, Of(luck.choice(KINDS)[0])),
        "of its rated games": lambda luck: table_lists.statistics_of(store, Of(*luck.choice(KINDS), rated=True)),
        "of a level": lambda luck: table_lists.statistics_of(store, Of(*luck.choice(KINDS), level=luck.choice(LEVELS))),
    }


def _from_anywhere(
    store: RedisLog, games: int, wanted: Callable[[random.Random], GameFilter], asker: str | None = None
) -> Ask:
    index = finished_games_of(store)

    def ask(luck: random.Random) -> object:
        asked = GameQuery(asker, _before(games, luck), ROWS)
        return index.read(partial(search.page, wanted=wanted(luck), asked=asked))

    return ask


def _before(games: int, luck: random.Random) -> str:
    """A place among the games."""
    return f"{BEGUN_MS + luck.randrange(games) * STEP_MS:015d}|"


def _day(games: int, luck: random.Random) -> TimeRange:
    since_ms = BEGUN_MS + luck.randrange(games) * STEP_MS
    return TimeRange(stamp(since_ms), stamp(since_ms + 86_400_000))


Taken = list[tuple[float, float]]  # seconds by the clock, and of the processor


def asking(ask: Ask, size: Size) -> Taken:
    """What each of many questions takes."""
    luck, taken = random.Random(2), list[tuple[float, float]]()
    for _ in range(size.questions):
        begun, used = time.perf_counter(), time.process_time()
        ask(luck)
        taken.append((time.perf_counter() - begun, time.process_time() - used))
    return taken


def row_of(what: str, taken: Taken) -> dict[str, Any]:
    """The figures of a kind of question."""
    by_clock, processor = zip(*taken, strict=True)
    figures = {"median ms": 1000 * median(by_clock), "p99 ms": percentile_ms(by_clock, 99)}
    return {"": what} | figures | {"p99 ms of the processor": percentile_ms(processor, 99)}
