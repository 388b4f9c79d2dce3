"""The tribes that a move may not name, rule by rule.

A list of legal moves asks once for all tribes of a rule, rather than once for every tribe that might be named.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

from games.plenty_coups.play.scribe import Check
from games.plenty_coups.state import Camp, State, keeper


class Bar(NamedTuple):
    """A rule, the tribes that it bars the camp that must act from naming, and what is wrong with naming one."""

    rule: str
    tribes: Callable[[State, Camp], Collection[str | None]]
    sentence: str


def unbarred(bars: tuple[Bar, ...], state: State, camp: Camp) -> list[str]:
    """The other tribes that none of the rules bars, in camp order."""
    barred: list[str | None] = [camp.tribe]
    for _, tribes, _ in bars:
        barred += tribes(state, camp)
    return [tribe for tribe in state.tribes if tribe not in barred]


def against(bars: tuple[Bar, ...], other: Callable[[Any], str]) -> tuple[Check, ...]:
    """The checks that a move names none of those tribes; `other` is the one that it names."""
    return tuple(Check(bar.rule, partial(_is_unbarred, bar, other), bar.sentence) for bar in bars)


def _is_unbarred(bar: Bar, other: Callable[[Any], str], state: State, camp: Camp, move: Any) -> bool:
    return other(move) not in bar.tribes(state, camp)


# --- what several rules bar ---


def ally_of(_: State, camp: Camp) -> tuple[str | None]:
    """The tribe that the camp is allied with."""
    return (camp.ally,)


def wooers(state: State, camp: Camp) -> list[str]:
    """The tribes that have an open proposal to the camp."""
    return [proposal.tribe for proposal in state.proposals if proposal.to == camp.tribe]


def wooed(state: State, camp: Camp) -> list[str]:
    """The tribes that the camp has an open proposal to."""
    return [proposal.to for proposal in state.proposals if proposal.tribe == camp.tribe]


def raided(state: State, camp: Camp) -> list[str]:
    """The tribes on whose camps a raid of this camp stands."""
    return [raid.target for raid in state.raids if raid.tribe == camp.tribe]


def at_war(state: State, camp: Camp) -> list[str]:
    """The tribes that raid the camp or are raided by it."""
    return [raid.tribe for raid in state.raids if raid.target == camp.tribe] + raided(state, camp)


def played_along(state: State, _: Camp) -> list[str]:
    """PC-R52: the tribe for which the seat that plays the shared tribe's turn would have to answer itself."""
    if state.turn is None or state.turn != state.shared or state.options.shared_dealings != "other_player":
        return []
    return [camp.tribe for camp in state.camps if camp.seat == keeper(state)]
