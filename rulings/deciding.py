"""A table's decisions taken once more, each with the luck that the table has for it.

Every draw has a stream of its own out of the table's seed, named by its kind and by its number among those of its kind
(`events.luck`). So a decision needs no other before it to be taken again: only the state that it is taken in, and how
many draws of each kind have led there. The outcome is the recorded one wherever the population is the same.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from events.luck import Luck
from games.house_rules import options_of
from games.kernel import Transition
from games.schemas import kept_state
from projections.folding import more
from projections.table import Table

T = TypeVar("T")


class World(NamedTuple):
    """The game at a moment, and how many draws of each kind have led to it."""

    state: Any
    counts: dict[str, int]

    def under(self, options: Any) -> "World":
        """The same moment under other house rules."""
        return World(replace(self.state, options=options), self.counts)


class Draw(NamedTuple):
    """A draw of luck: of which kind and its number among those, what from and how much of it, and what came."""

    kind: str
    number: int
    population: tuple[Any, ...]
    size: int
    outcome: tuple[Any, ...]


class Redecided(NamedTuple):
    """What a decision comes to; nothing but a world where a branch goes on from a state that it was given."""

    world: World
    draws: tuple[Draw, ...] = ()
    transition: Transition[Any] | None = None

    @property
    def drawn(self) -> dict[str, int]:
        """How many draws there were of each kind."""
        return dict(Counter(draw.kind for draw in self.draws))


class _NotedLuck(Luck):
    """The table's own luck, which notes what it draws."""

    def __init__(self, table: Table, before: Mapping[str, int]) -> None:
        super().__init__(*table.luck_source, before)
        self._counts, self.draws = before, list[Draw]()

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        number = self._counts.get(kind, 0) + self.drawn.get(kind, 0)
        found = super().__call__(kind, population, count)
        self.draws.append(Draw(kind, number, tuple(population), count, found))
        return found


class Decider:
    """Takes the decisions of one table."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game

    def options(self, named: Mapping[str, Any]) -> Any:
        """House rules as the game has them; raises `OptionsRefused`."""
        opened = self.table.opened
        return options_of(self.game, named, opened.players, opened.rules_version)

    def begin(self, options: Any) -> Redecided:
        """The start of the game; of a branch the state that it goes on from."""
        fork = self.table.fork
        if fork is None:
            return self._decide({}, lambda luck: self.game.start(self.table.opened.players, options, luck))
        return Redecided(World(kept_state(self.game, fork.state or {}), fork.draws).under(options))

    def play(self, world: World, seat: int, move: Any) -> Redecided:
        """A move of a seat; raises `MoveRefused`."""
        return self._decide(world.counts, lambda luck: self.game.play(world.state, seat, move, luck))

    def _decide(self, counts: dict[str, int], decide: Callable[[Luck], Transition[Any]]) -> Redecided:
        luck = _NotedLuck(self.table, counts)
        turn = decide(luck)
        return Redecided(World(turn.state, more(counts, luck.drawn)), tuple(luck.draws), turn)
