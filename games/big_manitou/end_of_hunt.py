"""The end of a hunt: the force penalty (BM-5.5) and the evaluation of each ground (BM-5.7)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from games.big_manitou import events as ev
from games.big_manitou.components import STRENGTH, in_deck_order, tiles_of
from games.big_manitou.events import Award, CardStrength, ForceTotal, GroundTotal, SeatTiles, Step
from games.big_manitou.house_rules import Options
from games.big_manitou.state import Ground, State, hunters_laid, hunters_on
from games.deciding import when
from games.manitou_family_parties import SeatCards, penalised

# The force penalty of a hunt (BM-5.5)


def force_totals(state: State) -> tuple[ForceTotal, ...]:
    """BM-5.5: what the hunters of each seat on all three grounds add up to."""
    with_tomahawks = counts_tomahawks(state.options)
    totals = []
    for seat, own in enumerate(state.seats, 1):
        cards = tuple(hunters_laid(state, seat))
        bonus = tiles_of(own.tiles, "tomahawk") if with_tomahawks else 0
        total = sum([STRENGTH[card] for card in cards]) + bonus * len(cards)
        totals.append(ForceTotal(seat, cards, bonus, total))
    return tuple(totals)


def assessment(state: State) -> ev.ForcePenaltyAssessed:
    """BM-5.5: the seats that used most force, and when they must pay."""
    totals = force_totals(state)
    guilty = penalised({row.seat: row.total for row in totals}, state.turn_order)
    is_paid_now = state.hunt != 1
    return ev.ForcePenaltyAssessed(
        hunt=state.hunt,
        totals=totals,
        highest=max([row.total for row in totals]),
        penalised=guilty,
        payment="now" if is_paid_now else "after_awards",
        phase="penalty" if guilty and is_paid_now else None,
        rules=(
            "BM-5.5",
            *when(any(row.cards and tiles_of(state.seats[row.seat - 1].tiles, "tomahawk") for row in totals), "BM-R9"),
            *when(not guilty, "BM-R10"),
            *when(len(guilty) > 1, "BM-R11"),
            *when(guilty and not is_paid_now, "BM-R24"),
        ),
    )


# Rules that players search by, from plain values


def counts_tomahawks(options: Options) -> bool:
    """BM-R9: whether tomahawks count for the force penalty."""
    return options.penalty_strength == "with_tomahawks"


def untied_totals(totals: Sequence[int]) -> list[int]:
    """BM-5.7 step 3, BM-R13: the totals that one seat alone has reached with hunters, the highest first."""
    return [total for total in sorted(totals, reverse=True) if total and totals.count(total) == 1]


def shares(options: Options, tiles: int, *, hero: bool, hunters: bool, places: int) -> tuple[int, int, int]:
    """BM-5.7 step 4: the numbers of tiles for hero, majority and runner-up, each from what is left.

    `hunters`: whether there are any on the ground; `places`: how many of majority and runner-up are held.
    """
    first = int(hero and (hunters or options.hero_without_hunters == "takes_one"))
    second = min(2, tiles - first) if places else 0
    left = tiles - first - second
    share = {"one": 1, "rest": left, "four_tile_grounds_only": int(tiles == 4)}[options.runner_up_share]
    return first, second, share if places > 1 and left else 0


# The grounds of a hunt (BM-5.7)


STEPS: tuple[Step, ...] = ("hero", "majority", "runner_up")  # BM-5.7 step 4, in this order


class Contest(NamedTuple):
    """BM-5.7 step 3: the seats with the majority and the runner-up place, and the tied ones struck out."""

    tied_out: tuple[int, ...]
    majority: int | None
    runner_up: int | None
    tie_follows_tie: bool


def evaluation(state: State, number: int) -> ev.GroundEvaluated:
    """BM-5.7: how many tiles of a ground each seat may take."""
    ground = state.grounds[number - 1]
    hero = SeatCards(ground.heroes[0].seat, tuple([laid.card for laid in ground.heroes])) if ground.heroes else None
    tomahawks = bonuses(state)
    totals = ground_totals(ground, tomahawks)
    contest = contested(totals)
    awards = awarded(state.options, len(ground.tiles), hero, totals, contest)
    left = len(ground.tiles) - sum([award.count for award in awards if award.step != "runner_up"])
    return ev.GroundEvaluated(
        hunt=state.hunt,
        ground=number,
        tiles=ground.tiles,
        hero=hero,
        totals=totals,
        tied_out=contest.tied_out,
        majority=contest.majority,
        runner_up=contest.runner_up,
        awards=awards,
        unclaimed=len(ground.tiles) - sum([award.count for award in awards]),
        tomahawks=tuple([SeatTiles(seat, tiles) for seat, tiles in enumerate(tomahawks, 1)]),
        phase="take_tiles" if awards else None,
        rules=(
            "BM-5.7",
            *when(any(row.bonus_per_card for row in totals), "BM-R18"),
            *when(contest.tie_follows_tie, "BM-R13"),
            *when(hero and not totals, "BM-R12"),
            *when(contest.runner_up and left and (len(ground.tiles), left) != (4, 1), "BM-R14"),
        ),
    )


def bonuses(state: State) -> tuple[int, ...]:
    """BM-R18: the tomahawk tiles of each seat when the evaluation of ground 1 began, or begins."""
    return state.bonuses or tuple([tiles_of(seat.tiles, "tomahawk") for seat in state.seats])


def ground_totals(ground: Ground, bonus_of: tuple[int, ...]) -> tuple[GroundTotal, ...]:
    """BM-5.7 step 2: a row for each seat with a hunter there."""
    totals = []
    for seat, bonus in enumerate(bonus_of, 1):
        hunters = hunters_on(ground, seat)
        if hunters:
            cards = tuple([CardStrength(card, STRENGTH[card] + bonus) for card in in_deck_order(hunters)])
            totals.append(GroundTotal(seat, bonus, cards, sum([card.strength for card in cards])))
    return tuple(totals)


def contested(totals: tuple[GroundTotal, ...]) -> Contest:
    """BM-5.7 step 3, BM-R13: totals that several seats reach are struck out."""
    reached = [row.total for row in totals]
    untied = [totals[reached.index(total)].seat for total in untied_totals(reached)]
    return Contest(
        tied_out=tuple([row.seat for row in totals if reached.count(row.total) > 1]),
        majority=untied[0] if untied else None,
        runner_up=untied[1] if len(untied) > 1 else None,
        tie_follows_tie=has_ties_in_a_row(reached),
    )


def has_ties_in_a_row(reached: list[int]) -> bool:
    """BM-R13: whether the next lower total after one that several seats reach is reached by several as well."""
    tied = [reached.count(total) > 1 for total in sorted(set(reached), reverse=True)]
    return any(one and next_one for one, next_one in pairwise(tied))


def awarded(
    options: Options, tiles: int, hero: SeatCards | None, totals: tuple[GroundTotal, ...], contest: Contest
) -> tuple[Award, ...]:
    """BM-5.7 step 4: the awards for hero, majority and runner-up, each from what is left."""
    seats = {"hero": hero and hero.seat, "majority": contest.majority, "runner_up": contest.runner_up}
    places = (contest.majority is not None) + (contest.runner_up is not None)
    counts = shares(options, tiles, hero=hero is not None, hunters=bool(totals), places=places)
    rows = zip(STEPS, counts, strict=True)
    return tuple([Award(step, seat, count) for step, count in rows if count and (seat := seats[step])])
