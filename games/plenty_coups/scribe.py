"""Shared by the modules of play: the scribe, kinds of move and their checks, barred tribes, prestige."""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache, partial
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from games import deciding
from games.deciding import when
from games.kernel import Chance, MoveRefused
from games.plenty_coups import events as ev
from games.plenty_coups.components import MARKERS, in_order
from games.plenty_coups.evolve import evolve
from games.plenty_coups.outcomes import outcomes
from games.plenty_coups.state import Camp, HerdRow, State, camp_of, keeper, markers_turned, off_herd, raids_of, seat_of

Herds = tuple[HerdRow, ...]
Found = TypeVar("Found")


class Scribe(deciding.Scribe[State]):
    """The events of one decision of `seat`, which plays `camp`, and the state after the last of them.

    `cost` is the number of actions that the move costs (PC-3.7).
    """

    __slots__ = ("camp", "chance", "cost", "seat")
    evolve = staticmethod(evolve)
    outcomes = staticmethod(outcomes)

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
            self.write(ev.DeckReshuffled(len(order), order))


# --- kinds of move ---


class Check(NamedTuple):
    """A rule, its condition for a move, and the refusal if the condition does not hold."""

    rule: str
    holds: Callable[[State, Camp, Any], bool]
    sentence: str


def nothing(_: Any) -> tuple[str, ...]:
    """A move that names no card of the hand."""
    return ()


def the_card(move: Any) -> tuple[str, ...]:
    """A move that names one card of the hand."""
    return (move.card,)


def free(_: State, __: Any) -> int:
    """A move that costs no action (PC-3.7)."""
    return 0


def one(_: State, __: Any) -> int:
    """A move that costs one action (PC-3.7)."""
    return 1


class Kind(NamedTuple):
    """A type of move. `effect` plays it, and returns whether it ends the actions step (PC-3.9 (a), PC-3.9 (b)).

    `options` lists the legal moves of the type for the camp to act; it is not used while tribes are chosen.
    """

    effect: Callable[[Scribe, Any], bool | None]
    options: Callable[[State, Any], Iterable[Any]]
    checks: tuple[Check, ...] = ()
    cost: Callable[[State, Any], int] = free
    cards: Callable[[Any], tuple[str, ...]] = nothing
    other: Callable[[Any], str] | None = None


def checked(found: Found | None) -> Found:
    """A value that one of the move's checks guarantees; raises `LookupError` if it is missing."""
    if found is None:
        raise LookupError("a move was played that its checks refuse")
    return found


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
    """PC-5.8: how many horses a raid brings home from a herd of this size."""
    return 1 if horses else 0


# --- tribes that a move may not name ---


class Bar(NamedTuple):
    """A rule, the tribes that it forbids the camp to act to name, and the refusal.

    A list of legal moves evaluates each rule once for all tribes, instead of once per tribe.
    """

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


# --- prestige: which marker is turned (PC-5.6, PC-5.7) ---

Gain = Literal["raid_coup", "defence_coup", "alliance", "donation"]
Loss = Literal["disdained", "disdained_ally"]


def on_oldest_raid(state: State, tribe: str, side: str) -> str:
    """The marker on the tribe's oldest standing raid that bears one with this side up."""
    target = next(raid.target for raid in raids_of(state, tribe) if raid.marker == side)
    return f"raid:{target}"


def marker_gained(state: State, tribe: str) -> str:
    """PC-5.6: the marker that a gain turns over, no coup on returning from a raid."""
    if markers_turned(state, tribe) == MARKERS:
        return "extra" if state.options.prestige_limit == "none" else "none"
    return "camp" if camp_of(state, tribe).raid_markers else on_oldest_raid(state, tribe, "raid")


def marker_lost(state: State, tribe: str) -> str:
    """PC-5.7: the marker that a loss turns back; an extra point goes first."""
    camp = camp_of(state, tribe)
    if camp.extra:
        return "extra"
    if camp.prestige_markers:
        return "camp"
    return on_oldest_raid(state, tribe, "prestige") if markers_turned(state, tribe) else "none"


def _is_turned(marker: str) -> bool:
    return marker not in ("none", "extra")


def gain(scribe: Scribe, tribe: str, reason: Gain, marker: str | None = None) -> None:
    """PC-5.6: one point; `marker` is that of the raid for a coup on returning."""
    state = scribe.state
    turned = marker or marker_gained(state, tribe)
    before = off_herd(state, tribe)
    r15 = _is_turned(turned) and reason != "raid_coup" and raids_of(state, tribe)
    rules = ("PC-5.6", *when(r15, "PC-R15"), *when(not _is_turned(turned), "PC-R14"))
    after = before + (turned != "none")
    scribe.write(ev.PrestigeGained(seat_of(state, tribe), tribe, reason, before, after, turned, rules))


def lose(scribe: Scribe, tribe: str, reason: Loss) -> None:
    """PC-5.7: one point, if there is one to lose; written even if there is none."""
    state = scribe.state
    turned = marker_lost(state, tribe)
    before = off_herd(state, tribe)
    r15 = _is_turned(turned) and raids_of(state, tribe)
    rules = ("PC-5.7", *when(r15, "PC-R15"), *when(turned == "extra", "PC-R14"))
    after = before - (turned != "none")
    phase: Literal["actions"] | None = "actions" if reason == "disdained" else None  # the last event of an answer
    scribe.write(ev.PrestigeLost(seat_of(state, tribe), tribe, reason, before, after, turned, phase, rules))
