"""Games played: pages of search over many of them, taking them in, and rating them."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks import host
from benchmarks.figures import Aim, Figures, Size, median, percentile_ms
from events.times import stamp
from projections.files import opened, transaction
from projections.lobby import Span
from projections.played import ratings, search
from projections.played.database import FORM
from projections.played.entering import enter
from projections.played.games import Game
from projections.played.index import FILE, Played
from projections.played.search import Asked, Wanted

BEGUN_MS, STEP_MS = 1_700_000_000_000, 60_000  # a game a minute
PEOPLE = 20_000  # the first of them play most
LEVELS = ("uniform", "novice", "greedy", "expert")
KINDS = (("big-manitou", 2), ("big-manitou", 4), ("manitou", 2), ("manitou", 3), ("tomahawk", 2), ("plenty-coups", 4))
ONE_RATED_IN = 20  # the rest is casual: what is rated is measured by itself
BATCH = 500  # games in one transaction, about as many as a segment lists
WORST_MS = 100.0


def history(redis_url: str, size: Size) -> Figures:
    """Filters of every kind over an index that was filled as segments fill it."""
    host.DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=host.DATA, prefix="benchmark-") as directory:
        file = Path(directory) / FILE
        filled_s, rated_s = filling(file, size.games)
        index = Played(host.Host(redis_url, 0).log(), file)
        rows = [row_of(what, asking(index, questions, size)) for what, questions in of_all_kinds(size.games).items()]
        megabytes = sum(one.stat().st_size for one in Path(directory).iterdir()) / 1e6
    note = (
        f"{size.games:,} made-up games of {PEOPLE:,} people and {len(LEVELS)} levels, taken in as from segments at "
        f"{size.games / filled_s:,.0f} games/s; one in {ONE_RATED_IN} is rated, at "
        f"{-(-size.games // ONE_RATED_IN) / rated_s:,.0f} games/s. The file has {megabytes:,.0f} MB. Each question "
        "asks the store first what is new. A page has 50 games; what fits nothing looks at as many as a page may."
    )
    worst = max(row["p99 ms"] for row in rows)
    return Figures(
        "Games played", note, rows, [Aim("p99 of the slowest question, ms", worst, WORST_MS, most=True, yard="plain")]
    )


def filling(file: Path, games: int) -> tuple[float, float]:
    """The seconds that taking in and rating so many games take."""
    database, made, begun = opened(file, FORM), made_up(games), time.perf_counter()
    for _ in tqdm(range(0, games, BATCH), desc="games", unit="segment", leave=False):
        with transaction(database):
            enter(database, 1, [(0, game) for game in islice(made, BATCH)])
    entered = time.perf_counter()
    ratings.fold(database)
    database.close()
    return entered - begun, time.perf_counter() - entered


def made_up(games: int) -> Iterator[Game]:
    """Games out of a seed."""
    luck = random.Random(1)
    return (_game(number, luck) for number in range(games))


def _game(number: int, luck: random.Random) -> Game:
    slug, players = luck.choice(KINDS)
    seats = [_seat(seat, luck) for seat in range(1, players + 1)]
    places = luck.sample(range(1, players + 1), players)
    ended = stamp(BEGUN_MS + number * STEP_MS)
    result = {
        "ended_at": ended,
        "events": luck.randint(60, 300),
        "moves": luck.randint(40, 200),
        "places": places,
        "points": [float(100 - place) for place in places],
        "left": [None] * players,
        "disputed": luck.random() < 0.001,
        "corrected": False,
        "rated": number % ONE_RATED_IN == 0,
    }
    return Game.of_row(_row(number, slug, seats, result, luck))


def _row(number: int, slug: str, seats: list[dict[str, Any]], result: dict[str, Any], luck: random.Random) -> Any:
    opened_at = stamp(BEGUN_MS + (number - 30) * STEP_MS)
    return {
        "table": f"t_{number:016d}",
        "game": slug,
        "status": "finished",
        "visibility": "private" if luck.random() < 0.1 else "public",
        "forked_from": None,
        "players": len(seats),
        "options": {"hand": luck.randint(3, 8), "tie_break": luck.choice(["shared", "buffalo"]), "open": False},
        "opened_by": seats[0]["player"] or "p_0",
        "arbiter": None,
        "opened_at": opened_at,
        "at": result["ended_at"],
        "version": result["events"] + 2,
        "seats": seats,
        "to_act": [],
        "winners": [result["places"].index(1) + 1],
        "result": result,
    }


def _seat(seat: int, luck: random.Random) -> dict[str, Any]:
    level = luck.choice(LEVELS) if luck.random() < 0.3 else None
    player = None if level else f"p_{int(PEOPLE * luck.random() ** 3)}"
    held = {"player": player, "name": None, "bot": False, "level": level}
    return {"seat": seat, "offer": "ai" if level else "player", "kept_for": player} | held


def of_all_kinds(games: int) -> dict[str, Callable[[random.Random], tuple[Wanted, Asked]]]:
    """Questions by what they ask for; each is asked from a random place on."""
    return {
        "everything": _from_anywhere(games, lambda _: Wanted()),
        "a game and its seats": _from_anywhere(games, lambda _: Wanted("tomahawk", 2)),
        "a player": _from_anywhere(games, lambda luck: Wanted(player=f"p_{luck.randrange(PEOPLE)}")),
        "the busiest player's victories": _from_anywhere(games, lambda _: Wanted(player="p_0", won=True)),
        "a level's defeats at a game": _from_anywhere(games, lambda _: Wanted("manitou", level="expert", won=False)),
        "house rules": _from_anywhere(games, lambda luck: Wanted("manitou", options={"hand": luck.randint(3, 8)})),
        "disputed games": _from_anywhere(games, lambda _: Wanted(disputed=True)),
        "a range of ratings": _from_anywhere(games, lambda _: Wanted("big-manitou", rating_from=1400, rating_to=1700)),
        "one day": _from_anywhere(games, lambda luck: Wanted(span=_day(games, luck))),
        "what fits nothing": _from_anywhere(games, lambda _: Wanted(level="greedy", options={"hand": 99})),
        "one's own private games": _from_anywhere(games, lambda _: Wanted(player="p_0"), asker="p_0"),
    }


def _from_anywhere(
    games: int, wanted: Callable[[random.Random], Wanted], asker: str | None = None
) -> Callable[[random.Random], tuple[Wanted, Asked]]:
    def question(luck: random.Random) -> tuple[Wanted, Asked]:
        before = f"{BEGUN_MS + luck.randrange(games) * STEP_MS:015d}|"
        return wanted(luck), Asked(asker, before, 50)

    return question


def _day(games: int, luck: random.Random) -> Span:
    since_ms = BEGUN_MS + luck.randrange(games) * STEP_MS
    return Span(stamp(since_ms), stamp(since_ms + 86_400_000))


Taken = list[tuple[float, float]]  # seconds by the clock, and of the processor


def asking(index: Played, question: Callable[[random.Random], tuple[Wanted, Asked]], size: Size) -> Taken:
    """What each of many questions takes."""
    luck, taken = random.Random(2), list[tuple[float, float]]()
    for _ in range(size.questions):
        wanted, asked = question(luck)
        begun, used = time.perf_counter(), time.process_time()
        index.read(partial(search.page, wanted=wanted, asked=asked))
        taken.append((time.perf_counter() - begun, time.process_time() - used))
    return taken


def row_of(what: str, taken: Taken) -> dict[str, Any]:
    """The figures of a kind of question."""
    by_clock, processor = zip(*taken, strict=True)
    figures = {"median ms": 1000 * median(by_clock), "p99 ms": percentile_ms(by_clock, 99)}
    return {"": what} | figures | {"p99 ms of the processor": percentile_ms(processor, 99)}
