"""Games of AI levels against each other on mirrored deals: the same luck for every rotation of the seats.

The luck of the table is a stream of its own for each kind of draw, so that what a player does changes no shuffle; the
players' luck is another.
"""

import hashlib
import random
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from games import GAMES
from games.kernel import AnyGame, Chance, MoveSet, T
from games.payloads import as_read
from service.levels import LEVELS
from worker.ai_process import budget as budget_of
from worker.players import chance_of, choose


class Match(NamedTuple):
    """One game to play: the levels by seat, and the seed of its deal."""

    game: str
    levels: tuple[str, ...]
    seed: str
    scale: float = 1.0  # of the budgets


class Outcome(NamedTuple):
    """How a game ended: places and totals by seat, and the processor time of every move of each level, in seconds."""

    match: Match
    ranks: tuple[int, ...]
    totals: tuple[float, ...]
    seconds: dict[str, list[float]]

    def share(self, seat: int) -> float:
        """The seat's share of the victory, 0 to 1."""
        return self.ranks.count(1) ** -1 if self.ranks[seat - 1] == 1 else 0.0

    def margin(self, seat: int) -> float:
        """How far the seat is ahead of the best other."""
        others = self.totals[: seat - 1] + self.totals[seat:]
        return self.totals[seat - 1] - max(others)


def luck_of(*words: object) -> random.Random:
    """Luck that belongs to these words."""
    return random.Random(hashlib.sha256("|".join(map(str, words)).encode()).digest())


class Deal:
    """The luck of a table: draw n of a kind is the same whatever happened before it."""

    def __init__(self, seed: str) -> None:
        self.seed, self.counts = seed, dict[str, int]()

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """As `Chance` has it."""
        number = self.counts[kind] = self.counts.get(kind, 0) + 1
        chance: Chance = chance_of(luck_of(self.seed, kind, number))
        return chance(kind, population, count)


class Table:
    """A game as it is played, and the feed of every seat."""

    def __init__(self, game: AnyGame, players: int, options: dict[str, Any], chance: Chance) -> None:
        self.game, self.chance, self.state = game, chance, None
        self.feeds: list[list[Any]] = [[] for _ in range(players)]
        self.follow(game.start(players, game.read_options(options, players), chance).events)

    def follow(self, events: Sequence[Any]) -> None:
        """Writes events down, and hands them to the seats without what is hidden from them."""
        for event in events:
            readers = self.game.readers(self.state, event)
            for seat, feed in enumerate(self.feeds, 1):
                feed.append(as_read(event, readers, seat))
            self.state = self.game.evolve(self.state, event)

    def play(self, seat: int, move: Any) -> None:
        """A move is made."""
        self.follow(self.game.play(self.state, seat, move, self.chance).events)


def has_choice(game: AnyGame, state: Any, seat: int) -> bool:
    """Whether a seat that has to decide has more than one legal move."""
    listed = game.legal_moves(state, seat)
    return len(listed) > 1 or isinstance(listed[0], MoveSet)


def play(match: Match) -> Outcome:
    """Plays a game to its end."""
    game = GAMES[match.game]
    table = Table(game, len(match.levels), {}, Deal(match.seed))
    seconds: dict[str, list[float]] = {level: [] for level in match.levels}
    moves = 0
    while seats := game.to_act(table.state):
        name = match.levels[seats[0] - 1]
        level = LEVELS[name]
        moves += 1
        seed = hashlib.sha256(f"{match}|{moves}".encode()).hexdigest()
        view, feed = game.view(table.state, seats[0]), table.feeds[seats[0] - 1]
        budget = int(budget_of(name, match.game) * match.scale)
        began = time.process_time()
        chosen = choose((level.player, level.version), game, view, feed, seed, budget)
        seconds[name].append(time.process_time() - began)
        table.play(seats[0], chosen.move)
    rows = sorted(game.scores(table.state).scores, key=lambda row: row.seat)
    ranks = [row.rank for row in rows] if hasattr(rows[0], "rank") else [row.place for row in rows]
    return Outcome(match, tuple(ranks), tuple([float(row.total) for row in rows]), seconds)


def mirrored(  # noqa: PLR0913, PLR0917 - all that makes up a match
    game: str, one: str, others: str, players: int, deals: Sequence[str], scale: float = 1.0
) -> list[Match]:
    """One seat of a level against others at all the rest, at every seat in turn on each deal."""
    return [
        Match(game, tuple([one if seat == place else others for seat in range(players)]), seed, scale)
        for seed in deals
        for place in range(players)
    ]
