"""Load, decide, append: a table of 200 events beside an aggregate of the library `eventsourcing` with as many.

The library gets two aggregates, both written as its documentation shows: one that plays the same game by the same
rules, so that only what records it differs, and a pile of cards that decides nothing.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.engine import Luck
from benchmarks.figures import Size
from benchmarks.host import DATA, Host, store
from benchmarks.load import Window
from benchmarks.peers.compared import Contender, Contest, Part, Turns, each_timed
from benchmarks.play import GAME, choice, handler_on, people, play_to
from events.chain import GENESIS
from events.envelopes import Head
from events.log import Batch, Log
from games import GAMES
from games.kernel import MoveSet
from games.payloads import event_type, payload_of
from service.command_handler import Request
from service.tables.playing import play
from tests.memory_log import MemoryLog

EVENTS, SEATS = 200, 4
TABLES, MOVES = 10, 5  # of a turn: each table is played on from 200 events by five moves
SNAPSHOT_EVERY = 50
RULES = GAMES[GAME]
CACHED = {"AGGREGATE_CACHE_MAXSIZE": "1000", "AGGREGATE_CACHE_FASTFORWARD": "n"}


class PlayedTable(Aggregate):
    """A table of Big Manitou, whose state is folded from the game's own events."""

    @event("Opened")
    def __init__(self, players: int) -> None:
        self.players = players
        self.state: Any = None

    @event("Happened")
    def happen(self, kind: str, payload: dict[str, Any]) -> None:
        """Folds an event of the game in."""
        self.state = RULES.evolve(self.state, msgspec.convert(payload, RULES.kinds[kind]))

    def begin(self, chance: Luck) -> None:
        """The game begins."""
        self._record(RULES.start(self.players, RULES.read_options({}, self.players), chance).events)

    def play(self, seat: int, move: dict[str, Any], chance: Luck) -> None:
        """A seat moves; raises if it may not."""
        self._record(RULES.play(self.state, seat, RULES.read_move(move), chance).events)

    def _record(self, happened: tuple[Any, ...]) -> None:
        for one in happened:
            self.happen(event_type(one), msgspec.to_builtins(payload_of(one)))


class Tables(Application[UUID]):
    """Tables of Big Manitou."""

    def open(self, players: int, chance: Luck) -> UUID:
        """Opens a table at which the game has begun."""
        table = PlayedTable(players)
        table.begin(chance)
        self.save(table)
        table_id: UUID = table.id
        return table_id

    def play(self, table_id: UUID, seat: int, move: dict[str, Any], chance: Luck) -> None:
        """Loads the table, decides and appends."""
        table: PlayedTable = self.repository.get(table_id)
        table.play(seat, move, chance)
        self.save(table)


class Pile(Aggregate):
    """A pile of cards: the least there is to fold."""

    @event("Begun")
    def __init__(self) -> None:
        self.cards: list[str] = []

    @event("CardLaid")
    def lay(self, card: str) -> None:
        """Lays a card on it."""
        self.cards.append(card)


class Piles(Application[UUID]):
    """Piles of cards."""

    def lay(self, pile_id: UUID, card: str) -> None:
        """Loads the pile and appends."""
        pile: Pile = self.repository.get(pile_id)
        pile.lay(card)
        self.save(pile)


class PilesWithSnapshots(Piles):
    """The same, of which the library keeps a snapshot now and then."""

    snapshotting_intervals = {Pile: SNAPSHOT_EVERY}  # noqa: RUF012 - as the library declares it


def ours(log: Log, luck: Luck, *, kept: bool) -> Window:
    """Plays of ours at fresh tables with 200 events; `kept`: by a process that has them in memory."""
    knowing = handler_on(log)

    def plays(name: str) -> Iterator[Callable[[], object]]:
        for number in range(MOVES):
            history = knowing.cache.load(name)
            if history is None:
                raise ValueError(f"no table {name}")
            asked = choice(history.table, luck)
            player = history.table.seats[asked.seat - 1].player
            handler = knowing if kept else handler_on(log)
            yield partial(play, handler, name, asked, player, Request(f"{name} {number}"))

    names = [prepared(log, luck) for _ in range(TABLES)]
    return each_timed(call for name in names for call in plays(name))


def prepared(log: Log, luck: Luck) -> str:
    """A table with 200 events or a few more, played in memory and put into the log."""
    source = MemoryLog()
    table = play_to(handler_on(source), people(SEATS), EVENTS, Luck(luck.rng.randrange(1 << 30)))
    log.append(table.id, Batch(Head(0, GENESIS), source.read(table.id)))
    return table.id


def theirs(app: Tables, luck: Luck) -> Window:
    """Plays of the library at fresh tables with 200 events."""

    def plays(table_id: UUID) -> Iterator[Callable[[], object]]:
        while True:
            yield partial(app.play, table_id, *chosen(app, table_id, luck), luck)

    return each_timed(call for _ in range(TABLES) for call in islice(plays(opened(app, luck)), MOVES))


def opened(app: Tables, luck: Luck) -> UUID:
    """A table of the library that has been played until it had that many events."""
    table_id = app.open(SEATS, luck)
    table: PlayedTable = app.repository.get(table_id)
    while table.version < EVENTS:
        table.play(*picked(table, luck), luck)
    app.save(table)
    return table_id


def chosen(app: Tables, table_id: UUID, luck: Luck) -> tuple[int, dict[str, Any]]:
    """A legal move at a table of the library, and its seat."""
    table: PlayedTable = app.repository.get(table_id)
    return picked(table, luck)


def picked(table: PlayedTable, luck: Luck) -> tuple[int, dict[str, Any]]:
    """A legal move of a seat that has to decide."""
    seat = luck.rng.choice(RULES.to_act(table.state))
    listed = luck.rng.choice(RULES.legal_moves(table.state, seat))
    return seat, msgspec.to_builtins(listed.sample(luck) if isinstance(listed, MoveSet) else listed)


def laying(app: Piles, rng: random.Random) -> Window:
    """Cards laid on fresh piles of 200 events."""

    def begun() -> UUID:
        pile = Pile()
        for number in range(EVENTS - 1):
            pile.lay(f"hunter-{number}")
        app.save(pile)
        pile_id: UUID = pile.id
        return pile_id

    piles = [begun() for _ in range(TABLES)]
    return each_timed(partial(app.lay, pile, f"scout-{rng.random()}") for pile in piles for _ in range(MOVES))


def contest(where: str, log: Log, persistence: dict[str, str], *, kept: bool) -> Contest:
    """Ours on a log beside the library on what it brings for that."""
    luck, environment = Luck(1), persistence | (CACHED if kept else {})
    contenders = [
        Contender(f"wintercount, {type(log).__name__}", partial(ours, log, luck, kept=kept), ours=True),
        Contender("eventsourcing, same game", partial(theirs, Tables(environment), luck)),
        Contender("eventsourcing, pile", partial(laying, Piles(environment), luck.rng)),
    ]
    if not kept:
        piles = PilesWithSnapshots(environment)
        contenders.append(Contender("eventsourcing, pile, snapshots", partial(laying, piles, luck.rng)))
    return Contest(f"command {where}, {'kept' if kept else 'read anew'}", "commands/s", contenders)


NOTES = f"""
A command loads, decides and appends: at a table of Big Manitou with {SEATS} seats and {EVENTS} events, and at
aggregates of the library with as many. Each is played on by {MOVES} moves, {TABLES} of them in a turn, one call after
the other, by the clock.

`same game` decides and folds by our rules, so that what differs is what records: ours seals secrets, draws luck from
the table's seed, chains hashes, counts the pieces of the game, knows requests again and keeps what is due. The library
does none of that: it writes each event as JSON under an id and a version. `pile` is a pile of cards that decides
nothing: what the library costs by itself; with `snapshots` it has one every {SNAPSHOT_EVERY} events.

On disk ours is a Valkey of its own with `appendfsync always`, asked over a socket; the library's is SQLite in the
process, as it comes (write-ahead log, synchronous as SQLite's default is). In memory ours is the log that tests use,
the library's its default.

Read anew: all events, by a process that does not know them. Our service does that at a table that it sees for the first
time, and keeps it from then on. Kept: the library has its cache of aggregates, not fast-forwarded, and copies an
aggregate before each use; ours hands out frozen structs.
"""


def aggregates(size: Size) -> Part:
    """All four: in memory and on disk, read anew and kept."""
    DATA.mkdir(exist_ok=True)
    turns, groups = Turns(size), []
    with store() as url, tempfile.TemporaryDirectory(dir=DATA, prefix="benchmark-") as directory:
        for kept in (False, True):
            groups.append(turns.of(contest("in memory", MemoryLog(), {}, kept=kept)))
            database = Path(directory) / f"{'kept' if kept else 'anew'}.sqlite"
            sqlite = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(database)}
            groups.append(turns.of(contest("on disk", Host(url, 0).log(), sqlite, kept=kept)))
    return Part("Load, decide, append: `eventsourcing`", NOTES, groups, turns.yards)
