"""What another reading of a rule would have been worth to each seat, as the seats saw the table after the ruling.

The move that led to the ruling is decided twice, under the house rules in force and under the other reading. For each
seat worlds are imagined of what it sees after either, and played on to the end with the same luck.
"""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from games.beliefs import worlds_of
from games.kernel import AnyGame, MoveRefused
from games.schemas import event_as_read
from projections.disputes import Dispute
from projections.history import History, readable
from projections.recording import new_events_of
from rulings.replay import Batch, Decider, World, made_at
from service.tables.disputes import reading_of
from worker.analysis.evaluating import Mean, mean_of
from worker.analysis.finished import PLAYER
from worker.analysis.rollouts import Result, played_out, result_of
from worker.players.luck import chance_of

WORLDS = 40  # that are imagined for a seat under each reading


class Expected(msgspec.Struct, frozen=True):
    """Final total, lead over the best other seat, and share of the victory, or what is gained of each."""

    points: Mean
    margin: Mean
    victory: Mean


class SeatWorth(msgspec.Struct, frozen=True):
    """What a seat could expect after the ruling, under the other reading, and what that one would have brought more."""

    seat: int
    ruled: Expected
    other: Expected
    gained: Expected


class Worth(msgspec.Struct, frozen=True):
    """A ruling and another reading of it compared. `refused` is the rule by which that one forbids the move, if any.

    `budget` counts the games that are played out.
    """

    table: str
    game: str
    players: int
    head: str
    player: str
    version: int
    ruling: int
    options: dict[str, Any]
    refused: str | None
    worlds: int
    budget: int
    seed: str
    seats: tuple[SeatWorth, ...]


class Reading(NamedTuple):
    """Which ruling, and the house rules of the other reading."""

    ruling: int
    options: Mapping[str, Any]


class Followed(NamedTuple):
    """What followed from a reading: the state, and the events of the move; `refused` by that rule, if it was."""

    state: Any
    new_events: tuple[Any, ...]
    refused: str | None


class Comparison:
    """A ruling of a finished table under two readings; raises `ValueError` where there is nothing to compare."""

    def __init__(self, history: History, reading: Reading, worlds: int = WORLDS) -> None:
        self.history, self.reading, self.worlds = history, reading, worlds
        self.made = _made(history, reading)
        self.seed = seed_of(history.table.id, reading, worlds)
        self.ruled, self.other = (_followed(history, self.made, options) for options in ({}, reading.options))

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats, each to be looked at by itself."""
        return tuple(range(1, self.history.table.opened.players + 1))

    def results(self, seat: int, first: int = 0) -> Iterator[Result]:
        """World by world what comes of the ruling and of the other reading, but the `first` ones; raises `NoWorld`."""
        seed = hashlib.sha256(canonical([self.seed, seat])).digest()
        pairs = zip(*(self._worlds(followed, seat, seed) for followed in (self.ruled, self.other)), strict=False)
        for number, pair in zip(range(self.worlds), pairs, strict=False):
            for world in pair[max(0, first - 2 * number) :]:
                yield self._result(world, seat, b"%d|%b" % (number, seed))

    def worth(self, seat: int, found: Sequence[Result]) -> SeatWorth:
        """What these games say of a seat; the gain is counted world by world."""
        ruled, other = found[::2], found[1::2]
        gained = [Result(*(b - a for a, b in zip(*pair, strict=True))) for pair in zip(ruled, other, strict=True)]
        return SeatWorth(seat, *(_expected(results) for results in (ruled, other, gained)))

    def whole(self, seats: Sequence[SeatWorth]) -> Worth:
        """What is told of all seats."""
        table, players = self.history.table, len(self.seats)
        return Worth(
            table=table.id,
            game=table.opened.game,
            players=players,
            head=table.head.hash.hex(),
            player=PLAYER[0],
            version=PLAYER[1],
            ruling=self.reading.ruling,
            options=dict(self.reading.options),
            refused=self.other.refused,
            worlds=self.worlds,
            budget=2 * players * self.worlds,
            seed=self.seed,
            seats=tuple(seats),
        )

    def _worlds(self, followed: Followed, seat: int, seed: bytes) -> Iterator[Any]:
        game = self.history.table.game
        if not game.to_act(followed.state):  # the game is over, and nothing hidden
            return repeat(followed.state, self.worlds)
        before = self.history.feed(seat, until=self.made.before)
        feed = before + tuple([_as_read(game, event, seat) for event in followed.new_events])
        chance = chance_of(random.Random(seed))  # noqa: S311 - repeatable
        return worlds_of(game, game.view(followed.state, seat), feed, chance, self.worlds)

    def _result(self, world: Any, seat: int, seed: bytes) -> Result:
        game = self.history.table.game
        return result_of(game, played_out(game, world, random.Random(seed)), seat)  # noqa: S311 - repeatable


def compared(comparison: Comparison) -> Iterator[SeatWorth | Worth]:
    """The seats one after the other, and in the end what is told of all; raises `NoWorld`."""
    found = []
    for seat in comparison.seats:
        found.append(comparison.worth(seat, list(comparison.results(seat))))
        yield found[-1]
    yield comparison.whole(found)


def disputed(history: History, name: str) -> Reading:
    """The reading that a dispute is about; raises `ValueError` if there is none."""
    dispute: Dispute | None = next((one for one in history.table.disputes if one.is_named(name)), None)
    if dispute is None:
        raise ValueError(f"{history.table.id} has no dispute {name!r}")
    return Reading(dispute.version, reading_of(history, dispute))


def seed_of(table: str, reading: Reading, worlds: int) -> str:
    """The seed of a comparison (hexadecimal): nothing secret is in it."""
    named = ["reading", table, reading.ruling, dict(reading.options), worlds]
    return hashlib.sha256(canonical(named)).hexdigest()


def _made(history: History, reading: Reading) -> Batch:
    if not history.table.laid_open:
        raise ValueError(f"{history.table.id} is not over: its moves are still secret")
    if not 1 <= reading.ruling <= history.table.version:
        raise ValueError(f"{history.table.id} has the versions 1 to {history.table.version}")
    made = made_at(history, reading.ruling)
    if made is None:
        raise ValueError(f"no move led to event {reading.ruling}")
    if not reading.options:
        raise ValueError("no other reading was named")
    return made


def _followed(history: History, made: Batch, options: Mapping[str, Any]) -> Followed:
    """What the moves lead to under other house rules, as far as they are legal; raises `OptionsRefused`."""
    then = history.at(made.before)
    decider = Decider(then)
    world = World(then.state, then.draws).under(decider.options(then.options | dict(options)))
    new_events: list[Any] = []
    for seat, move in made.moves:
        try:
            decided = decider.play(world, seat, then.game.read_move(move))
        except MoveRefused as refusal:
            return Followed(world.state, tuple(new_events), refusal.rule)
        world = decided.world
        new_events += new_events_of(then.game, decided.transition) if decided.transition else ()
    return Followed(world.state, tuple(new_events), None)


def _as_read(game: AnyGame, event: Any, seat: int) -> Any:
    return event_as_read(game.kinds[event.type], event.schema, readable(event.payload, event.readers, seat))


def _expected(results: Sequence[Result]) -> Expected:
    return Expected(*(mean_of(column) for column in zip(*results, strict=True)))
