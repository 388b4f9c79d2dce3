"""Writing down what a decision leads to, and the tables that the subjects of play are made of."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import msgspec

from games import kernel
from games.kernel import Chance, MoveRefused
from games.plenty_coups.components import in_order
from games.plenty_coups.events import DeckReshuffled, HerdRow
from games.plenty_coups.evolve import evolve
from games.plenty_coups.state import Camp, State

Herds = tuple[HerdRow, ...]
Found = TypeVar("Found")


class Scribe(kernel.Scribe[State]):
    """The events of one decision of `seat`, which plays `camp`, and the state after the last of them.

    `cost` is the number of actions that the move costs (PC-3.7).
    """

    __slots__ = ("camp", "chance", "cost", "seat")
    evolve = staticmethod(evolve)

    def __init__(self, state: State, seat: int, camp: Camp, cost: int, chance: Chance) -> None:
        super().__init__(state)
        self.seat, self.camp, self.cost, self.chance = seat, camp, cost, chance

    def top(self, count: int) -> tuple[str, ...]:
        """PC-5.2: the cards that a draw of `count` gives; the discards come back when a card is missing."""
        if len(self.state.pile) < count:
            self._renew_pile()
        return self.state.pile[:count]

    def renew_pile_at_once(self) -> None:
        """PC-R16: after the pile's last card is drawn, at a table that does not wait until a card is needed."""
        if not self.state.pile and self.state.options.pile_renewal == "at_once":
            self._renew_pile()

    def _renew_pile(self) -> None:
        if self.state.discards:
            discards = in_order(self.state.discards)
            order = tuple(self.chance("reshuffle_discards", discards, len(discards)))
            self.write(DeckReshuffled(len(order), order))


class Check(NamedTuple):
    """What must hold for a move, the rule that says so, and what is wrong with the move if it does not."""

    rule: str
    holds: Callable[[State, Camp, Any], bool]
    sentence: str


def nothing(_: Any) -> tuple[str, ...]:
    """A move that names no card of the hand."""
    return ()


def free(_: State, __: Any) -> int:
    """A move that costs no action (PC-3.7)."""
    return 0


def one(_: State, __: Any) -> int:
    """A move that costs one action (PC-3.7)."""
    return 1


class Kind(NamedTuple):
    """A type of move. `effect` tells whether the actions step is over with it (PC-3.9 (a), PC-3.9 (b)).

    `options` lists the moves of the type that the camp which must act may make; tribes are chosen before there are any.
    """

    effect: Callable[[Scribe, Any], bool | None]
    options: Callable[[State, Any], Iterable[Any]]
    checks: tuple[Check, ...] = ()
    cost: Callable[[State, Any], int] = free
    cards: Callable[[Any], tuple[str, ...]] = nothing
    other: Callable[[Any], str] | None = None


def checked(found: Found | None) -> Found:
    """What one of the move's checks has made sure of; raises `LookupError` where nothing is found."""
    if found is None:
        raise LookupError("a move was carried out that its checks refuse")
    return found


def when(condition: object, *rules: str) -> tuple[str, ...]:
    """Rules that came to bear under a condition (PC-5.11)."""
    return rules if condition else ()


def refuse_unless(checks: tuple[Check, ...], state: State, camp: Camp, move: Any) -> None:
    """The first check that fails names the refusal (PC-4.1)."""
    for rule, holds, sentence in checks:
        if not holds(state, camp, move):
            raise MoveRefused(rule, sentence.format_map(msgspec.to_builtins(move)))


def meets(checks: tuple[Check, ...], state: State, camp: Camp, move: Any) -> bool:
    """Whether the move passes all of the checks."""
    for _, holds, _ in checks:  # noqa: SIM110 - a plain loop is twice as fast, and lists of legal moves live on it
        if not holds(state, camp, move):
            return False
    return True


@lru_cache(maxsize=16384)
def sets_of(cards: tuple[str, ...], count: int) -> tuple[tuple[str, ...], ...]:
    """Every multiset of `count` of the cards, each once, in the order of the cards."""
    return tuple(dict.fromkeys(combinations(cards, count)))


def herds_moved(state: State, giver: str, taker: str, horses: int) -> tuple[Herds, Herds]:
    """The herds of two tribes, in camp order, before `horses` go from the one to the other and after."""
    moved = {giver: -horses, taker: horses}
    before = tuple(HerdRow(camp.tribe, camp.horses) for camp in state.camps if camp.tribe in moved)
    return before, tuple(HerdRow(row.tribe, row.horses + moved[row.tribe]) for row in before)


def booty(horses: int) -> int:
    """PC-5.8: how many horses a raid brings home from a herd of so many."""
    return 1 if horses else 0
