"""What is put away: dumps, games that are searched, pages, and tables in the archive."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.charging.hall import Hall
from benchmarks.charging.place import Place, Size
from benchmarks.made_up import made_up
from events.times import stamp
from projections.played import ratings
from projections.played.database import FORM
from projections.played.entering import enter
from projections.played.games import Game
from projections.played.index import FILE
from projections.sqlite_files import opened, transaction
from service.clock import Clock
from service.dumps.making import Maker
from service.dumps.manifests import bounds
from service.page import blueprint
from worker.archiver import ANSWERED_MS, Archiver

BATCH = 500  # games in one transaction


def fill(data: Path, games: int, player: str) -> None:
    """Puts games into the index that is searched, as segments do; in all of them the player had a seat."""
    database, found = opened(data / FILE, FORM), (_with(player, game) for game in made_up(games))
    for _ in range(0, games, BATCH):
        with transaction(database):
            enter(database, 1, [(0, game) for game in islice(found, BATCH)])
    ratings.fold(database)
    database.close()


def _with(player: str, game: Game) -> Game:
    """A game with the player in its first seat, if people sat there."""
    first, *others = game.row["seats"]
    held = first if first["player"] is None else first | {"player": player, "kept_for": player}
    return Game.of_row(game.row | {"seats": [held, *others]})


def dumps(hall: Hall, size: Size) -> Iterator[Place]:  # noqa: ARG001 - of what was played before
    """The dump of this month, made as if it was over."""
    served, month = hall.served, stamp(Clock().now_ms())[:7]
    for _ in range(2):
        hall.play(hall.opened("tomahawk", 2))
    served.catch_up()
    maker = Maker(served.log, served.services.dumps, Path(served.settings.data) / "dumps")
    manifest = maker.make(month, bounds(month)[1], lambda _: None).manifest
    if manifest:
        yield Place("a month", {"name": manifest.file, "month": month})


def pages(hall: Hall, size: Size) -> Iterator[Place]:  # noqa: ARG001 - those that there are
    """The largest files of the page."""
    folder = Path(blueprint.root_path) / "static"
    files = sorted((file for file in folder.rglob("*") if file.is_file()), key=lambda file: -file.stat().st_size)
    for file in files[:6]:
        yield Place(file.name, {"name": file.relative_to(folder).as_posix()})


def archive(hall: Hall) -> int:
    """Archives all tables that have closed, as if no request were to be answered again; how many."""
    hall.served.catch_up()
    archiver = Archiver(hall.served.log, lambda: Clock().now_ms() + ANSWERED_MS, 0)
    return archiver.archive_due().tables


SHELVES: dict[str, Callable[[Hall, Size], Iterator[Place]]] = {"dumps": dumps, "pages": pages}
