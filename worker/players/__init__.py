"""AI players. They see what their seat sees: a view, the seat's feed, a budget and a seed; and import only `games`.

A game's own players are modules of its name in `greedy` and `search`, or modules that installed packages bring by an
entry point of the group `wintercount.greedy` or `wintercount.search` that has the game's name. A greedy module has
`weigh` and may have `NOISE`, with which the novice plays; a search module has `choose`, and `ITERATIONS` by level.
"""

import random
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

from games.kernel import AnyGame, Chance, MoveSet

T = TypeVar("T")

# The module, and the name in it, that a player needs to play a game; others play every game.
NEEDS = {"novice": ("greedy", "NOISE"), "greedy": ("greedy", "weigh"), "search": ("search", "choose")}
CALLED = {"greedy": "weigh", "search": "choose"}  # what makes a module one of a player


class Candidate(NamedTuple):
    """A move that was weighed: how often it was tried, and what it was worth on average (in the player's own unit)."""

    move: Any
    visits: int
    value: float


class Chosen(NamedTuple):
    """A player's move, in how many iterations it was found, and the moves that it was found among, the best first."""

    move: Any
    iterations: int
    candidates: tuple[Candidate, ...] = ()


def choose(  # noqa: PLR0913, PLR0917 - all that a player is given
    player: tuple[str, int], game: AnyGame, view: Any, feed: Sequence[Any], seed: str, budget: int = 0
) -> Chosen:
    """The move of a player, named with its version; the same for the same view, feed, seed (hexadecimal) and budget."""
    luck = random.Random(bytes.fromhex(seed))  # noqa: S311 - repeatable
    return PLAYERS[player](game, view, feed, luck, budget)


# The players


def choose_uniform(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """Any legal move, each entry of the list of legal moves equally likely."""
    moves = game.legal_moves(game.imagine(view, feed, chance_of(luck)), view.seat)
    return Chosen(pick_move(luck, moves), 0, tuple([Candidate(entry, 0, 1 / len(moves)) for entry in moves]))


def choose_novice(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """Weighs moves as the greedy player does, and misjudges each of them by luck, up to a bound.

    It errs among the near-equal and never blunders: no move that is worse by more than the bound is ever made. The
    bound is the `NOISE` of the game's greedy module. Between the best move and the middle one of its list lie 4.5
    points in Manitou, 1.0 in Big Manitou, 1.8 in Tomahawk and 0.3 in Plenty Coups (medians of six games of two each).
    Of so many misjudged moves one of the better ones still looks best; with half of today's bounds a novice cost itself
    less than luck gives, and greedy did not win more than its share at larger tables.
    """
    noise = require_module("greedy", game.slug).NOISE
    weighed = weigh(game, view, feed, luck)
    felt = [Candidate(row.move, row.visits, row.value + noise * luck.random()) for row in weighed]
    felt.sort(key=lambda row: -row.value)
    return Chosen(felt[0].move, 0, tuple(felt))


def choose_greedy(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """The move that looks best one move ahead, from the seat's own view."""
    weighed = weigh(game, view, feed, luck)
    return Chosen(weighed[0].move, 0, tuple(weighed))


def choose_search(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, budget: int) -> Chosen:
    """A move found in so many iterations on tables that may be, as far as the seat knows."""
    chooser: Callable[..., Chosen] = require_module("search", game.slug).choose
    return chooser(view, feed, luck, budget)


def weigh(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random) -> list[Candidate]:
    """The moves that the greedy player would think of, the best first, in points of the game."""
    weigher: Callable[..., list[Candidate]] = require_module("greedy", game.slug).weigh
    return weigher(view, feed, luck)


# A version stands for one behaviour for ever: whoever changes what a player chooses gives it the next number. The
# versions that are gone cannot be computed again.
PLAYERS: dict[tuple[str, int], Callable[[AnyGame, Any, Sequence[Any], random.Random, int], Chosen]] = {
    ("uniform", 2): choose_uniform,
    ("novice", 3): choose_novice,
    ("greedy", 2): choose_greedy,
    ("search", 4): choose_search,
}


# Which players a game has


@cache
def find_module(kind: str, game: str) -> Any:
    """The module of a game's player, `greedy` or `search`; None if there is none."""
    name = f"worker.players.{kind}.{game.replace('-', '_')}"
    if find_spec(name) is not None and hasattr(module := import_module(name), CALLED[kind]):
        return module
    return next((entry.load() for entry in entry_points(group=f"wintercount.{kind}", name=game)), None)


def require_module(kind: str, game: str) -> Any:
    """The module of a game's player; raises `LookupError`."""
    module = find_module(kind, game)
    if module is None:
        raise LookupError(f"{game} has no {kind} player")
    return module


def plays(player: str, game: str) -> bool:
    """Whether a player, such as `novice`, can play a game."""
    if player not in NEEDS:
        return True
    kind, name = NEEDS[player]
    return hasattr(find_module(kind, game), name)


def iterations(player: str, level: str, game: str) -> int | None:
    """How many iterations a player has at a level: 0 if it does not search, None if it does not play the game so."""
    if not plays(player, game):
        return None
    count: int | None = require_module("search", game).ITERATIONS.get(level) if player == "search" else 0
    return count


# A player's own luck, made of `random()` alone: the same numbers in every version of Python


def chance_of(luck: random.Random) -> Chance:
    """The luck as chance of a game, for imagined worlds and samples."""

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - the kind of a draw matters to the log alone
        moved: dict[int, int] = {}  # where items lie that have changed places: a large population costs nothing
        drawn = []
        for i in range(count):
            j = i + int(luck.random() * (len(population) - i))
            drawn.append(population[moved.get(j, j)])
            moved[j] = moved.get(i, i)
        return tuple(drawn)

    return chance


def pick(luck: random.Random, population: Sequence[T]) -> T:
    """One item, each equally likely."""
    return population[int(luck.random() * len(population))]


def pick_move(luck: random.Random, moves: Sequence[Any]) -> Any:
    """A move of a list of legal moves, each entry equally likely."""
    listed = pick(luck, moves)
    return listed.sample(chance_of(luck)) if isinstance(listed, MoveSet) else listed
