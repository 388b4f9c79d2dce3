"""The end of a hunt: the force penalty, and who takes the buffalo of each ground (MA-5.5 to MA-5.9)."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec

from games.deciding import when
from games.manitou import events as ev
from games.manitou.components import PENALTY, STRENGTH, VALUE, in_deck_order
from games.manitou.events import Cards
from games.manitou.state import Ground, State
from games.manitou_family_parties import SeatCards, penalised


def hunters(side: Iterable[str]) -> Cards:
    """The hunters among some cards, sorted."""
    return in_deck_order([card for card in side if card in STRENGTH])


def force(seat: int, grounds: Sequence[Ground]) -> ev.Force:
    """MA-5.6: all hunters that a seat has laid in the hunt, and their strength."""
    cards = hunters([card for ground in grounds for card in ground.sides[seat - 1]])
    return ev.Force(seat, cards, sum([STRENGTH[card] for card in cards]))


def force_penalty(state: State) -> ev.ForcePenaltyAssessed:
    """MA-5.6: a hide thief for every seat with the highest total (rulings MA-R15, MA-R16, MA-R29)."""
    forces = [force(seat, state.grounds) for seat in range(1, state.players + 1)]
    totals = {row.seat: row.total for row in forces}
    seats = penalised(totals, state.turn_order)
    given = state.hide_thieves[: len(seats)]
    return ev.ForcePenaltyAssessed(
        hunt=state.hunt,
        totals=tuple(forces),
        highest=max(totals.values()),
        penalised=seats,
        penalties=tuple([ev.Penalty(seat, card, PENALTY) for seat, card in zip_longest(seats, given)]),
        hide_thieves_left=len(state.hide_thieves) - len(given),
        rules=(
            "MA-5.6",
            *when(not seats, "MA-R15"),
            *when(len(seats) > 1, "MA-R16"),
            *when(len(given) < len(seats), "MA-R29"),
        ),
    )


def contender(seat: int, side: Cards) -> ev.Contender:
    """MA-5.7: the hunters of a seat on a ground, and their strength."""
    cards = [ev.Hunter(card, STRENGTH[card]) for card in hunters(side)]
    return ev.Contender(seat, tuple(cards), sum([hunter.strength for hunter in cards]))


def placed(totals: Sequence[int]) -> tuple[int, int]:
    """MA-5.7: where majority and runner-up are among the totals of a ground, 0 without hunters; -1 for nobody.

    A place that several share is nobody's, and so is the one after it.
    """
    best, next_best, third = [*sorted(totals, reverse=True), 0, 0, 0][:3]
    if not best or best == next_best:
        return -1, -1
    return totals.index(best), -1 if not next_best or next_best == third else totals.index(next_best)


def takes_all(alone: str, present: int) -> bool:
    """MA-5.7 (3c): whether the only contender takes the second card too; `present` counts seats (ruling MA-R17)."""
    return alone == "only_hunters" or (alone == "only_cards" and present == 1)


def takers(totals: Sequence[int], alone: bool) -> tuple[int, int, int]:
    """MA-5.7: where majority, runner-up and the taker of the second card are among a ground's totals; -1 for nobody.

    `alone`: the majority takes both cards if nobody else has hunters there (MA-R17).
    """
    majority, runner_up = placed(totals)
    unrivalled = runner_up < 0 <= majority and sum(totals) == totals[majority]
    return majority, runner_up, majority if alone and unrivalled else runner_up


class Standing(msgspec.Struct, frozen=True):
    """MA-5.7: who is first on a ground and who second, and who shares such a place."""

    majority: int | None = None
    runner_up: int | None = None
    tied_out: tuple[int, ...] = ()


def standing(contenders: Sequence[ev.Contender], first: int, second: int) -> Standing:
    """MA-5.7: the places of a ground, given where majority and runner-up are among the contenders."""
    if second >= 0:
        return Standing(contenders[first].seat, contenders[second].seat)
    shared = max([row.total for place, row in enumerate(contenders) if place != first], default=0)
    tied_out = tuple([row.seat for row in contenders if row.total == shared])
    return Standing(contenders[first].seat if first >= 0 else None, None, tied_out)


Outcome = tuple[tuple[ev.Award, ...], tuple[ev.Removal, ...]]


def removed(buffalo: Sequence[ev.Buffalo], reason: ev.Reason) -> tuple[ev.Removal, ...]:
    """MA-5.8: buffalo cards that return to the box."""
    return tuple([ev.Removal(row.card, row.value, reason) for row in buffalo])


def second_card(row: ev.Buffalo, place: Standing, taker: int | None) -> Outcome:
    """MA-5.7 (3a to 3c): the outcome for the second card of a ground, which `taker` takes, or nobody."""
    if taker is None:
        return (), removed([row], "tie_for_second" if place.tied_out else "nobody_second")
    return (ev.Award("runner_up" if taker == place.runner_up else "alone", taker, row.card, row.value),), ()


def outcome(buffalo: Sequence[ev.Buffalo], place: Standing, second: int | None) -> Outcome:
    """MA-5.7: who takes which card, the highest first, and which cards are removed; `second` takes the other one."""
    if place.majority is None:
        return (), removed(buffalo, "tie_for_first" if place.tied_out else "no_hunter")
    first, *rest = buffalo
    awards, gone = second_card(rest[0], place, second) if rest else ((), ())
    return (ev.Award("majority", place.majority, first.card, first.value), *awards), gone


def ground_evaluated(state: State, number: int) -> ev.GroundEvaluated:
    """MA-5.7: the buffalo of one ground."""
    ground = state.grounds[number - 1]
    buffalo = sorted([ev.Buffalo(card, VALUE[card]) for card in ground.buffalo], key=lambda row: -row.value)
    present = tuple([seat for seat, side in enumerate(ground.sides, 1) if side])
    contenders = [row for seat in present if (row := contender(seat, ground.sides[seat - 1])).cards]
    alone = takes_all(state.options.alone, len(present))
    majority, runner_up, second = takers([row.total for row in contenders], alone)
    place = standing(contenders, majority, runner_up)
    awards, gone = outcome(buffalo, place, contenders[second].seat if second >= 0 else None)
    return ev.GroundEvaluated(
        hunt=state.hunt,
        ground=number,
        buffalo=tuple(buffalo),
        seats_present=present,
        totals=tuple(contenders),
        tied_out=place.tied_out,
        majority=place.majority,
        runner_up=place.runner_up,
        awards=awards,
        removed=gone,
        rules=(
            "MA-5.7",
            *when(present and not contenders, "MA-R18"),
            *when(len(contenders) == 1 and len(buffalo) > 1, "MA-R17"),
            *when(gone, "MA-5.8"),
        ),
    )


def ground_cleared(state: State, number: int) -> ev.GroundCleared:
    """MA-5.9: the seat with a hero face up captures the others' cards; all others go home (ruling MA-R33)."""
    ground = state.grounds[number - 1]
    hero = ground.face_up
    rows = [SeatCards(seat, in_deck_order(side)) for seat, side in enumerate(ground.sides, 1) if side]
    prisoners = [row for row in rows if hero is not None and row.seat != hero.seat]
    return ev.GroundCleared(
        hunt=state.hunt,
        ground=number,
        hero=hero,
        prisoners=tuple(prisoners),
        returned=tuple([row for row in rows if hero is None or row.seat == hero.seat]),
        points=sum([len(row.cards) for row in prisoners]),
        rules=("MA-5.9",),
    )
