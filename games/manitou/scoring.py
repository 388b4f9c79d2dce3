"""The end of a hunt and of the game: penalty, buffalo, prisoners, ranks (MA-5.5 to MA-5.10, MA-6)."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest

import msgspec

from games.manitou import events as ev
from games.manitou.components import HUNTS, PENALTY, STRENGTH, VALUE, in_deck_order
from games.manitou.events import Cards
from games.manitou.state import Ground, PointsPile, State
from games.parties import SeatCards, penalised
from games.ranking import Rank, ranking, ranks


class Scores(msgspec.Struct, frozen=True):
    """The score so far: final when the game is over."""

    scores: tuple[ev.Score, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


SECOND_KEY: dict[str, Callable[[ev.Earning], int]] = {  # ruling MA-R21
    "shared": lambda _: 0,
    "buffalo": lambda row: row.buffalo,
    "prisoners": lambda row: row.prisoners,
}


def earning(seat: int, pile: PointsPile) -> ev.Earning:
    """MA-6.2: the points of a points pile, by kind."""
    buffalo = sum([VALUE[card] for card in pile.buffalo])
    prisoners = len(pile.prisoners)
    penalties = PENALTY * (len(pile.hide_thieves) + pile.paper_penalties)
    return ev.Earning(seat, buffalo, prisoners, penalties, buffalo + prisoners + penalties)


def earnings(state: State) -> tuple[ev.Earning, ...]:
    """Returns the earnings of each seat so far."""
    return tuple([earning(seat, pile) for seat, pile in enumerate(state.points, 1)])


def scores(state: State) -> Scores:
    """MA-6.3: the score and the ranks, ties as `victory_tie` has it (ruling MA-R21)."""
    return _scores(state.points, state.options.victory_tie)


@lru_cache(maxsize=4096)  # every view shows the scores, and they change seldom
def _scores(points: tuple[PointsPile, ...], victory_tie: str) -> Scores:
    earned = [earning(seat, pile) for seat, pile in enumerate(points, 1)]
    second = SECOND_KEY[victory_tie]
    rank_of = ranks({row.seat: (row.total, second(row)) for row in earned})
    places = ranking(rank_of)
    rows = [ev.Score(r.seat, r.buffalo, r.prisoners, r.penalties, r.total, rank_of[r.seat]) for r in earned]
    return Scores(tuple(rows), places, places[0].seats)


def game_ended(state: State) -> ev.GameEnded:
    """The end of the game: scores, ranks and winners (MA-6.1 to MA-6.3)."""
    final = scores(state)
    tied = len({row.total for row in final.scores}) < len(final.scores)
    rules = ("MA-6.1", "MA-6.2", "MA-6.3", *(("MA-R21",) if tied else ()))
    return ev.GameEnded(final.scores, final.ranking, final.winners, rules)


def hunt_ended(state: State, before: Sequence[ev.Earning]) -> ev.HuntEnded:
    """MA-5.10: what the hunt brought each seat, given what it had `before`."""
    now = earnings(state)
    gained = [
        ev.Earning(
            new.seat,
            new.buffalo - old.buffalo,
            new.prisoners - old.prisoners,
            new.penalties - old.penalties,
            new.total - old.total,
        )
        for new, old in zip(now, before, strict=True)
    ]
    return ev.HuntEnded(
        hunt=state.hunt,
        earned=tuple(gained),
        totals=tuple([ev.SeatTotal(row.seat, row.total) for row in now]),
        cards_owned=cards_owned(state),
        next_dealer=None if state.hunt == HUNTS else dealer_of(state.hunt + 1, state.players),
    )


def dealer_of(hunt: int, players: int) -> int:
    """MA-3.2: seat 1 deals the first hunt, then the next seat clockwise."""
    return (hunt - 1) % players + 1


def cards_owned(state: State) -> tuple[ev.SeatCount, ...]:
    """MA-5.10: between hunts all that a seat owns is in its reserve."""
    return tuple([ev.SeatCount(seat, len(camp.reserve)) for seat, camp in enumerate(state.camps, 1)])


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
    rules = ["MA-5.6"]
    if not seats:
        rules.append("MA-R15")
    if len(seats) > 1:
        rules.append("MA-R16")
    if len(given) < len(seats):
        rules.append("MA-R29")
    return ev.ForcePenaltyAssessed(
        hunt=state.hunt,
        totals=tuple(forces),
        highest=max(totals.values()),
        penalised=seats,
        penalties=tuple([ev.Penalty(seat, card, PENALTY) for seat, card in zip_longest(seats, given)]),
        hide_thieves_left=len(state.hide_thieves) - len(given),
        rules=tuple(rules),
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


def evaluation_rules(contenders: int, present: int, cards: int, any_removed: bool) -> Cards:
    """MA-5.7: the rules applied on a ground, given the numbers of contenders, seats and buffalo there."""
    rules = ["MA-5.7"]
    if contenders == 0 and present:
        rules.append("MA-R18")
    if contenders == 1 and cards > 1:
        rules.append("MA-R17")
    if any_removed:
        rules.append("MA-5.8")
    return tuple(rules)


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
        rules=evaluation_rules(len(contenders), len(present), len(buffalo), bool(gone)),
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
