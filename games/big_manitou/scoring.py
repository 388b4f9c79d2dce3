"""Points: in a hunt the force penalty and the grounds (BM-5.5, BM-5.7), and the score of the game (BM-6)."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from games.big_manitou import events as ev
from games.big_manitou.components import KIND, STRENGTH, VALUE, Kind, in_deck_order, tiles_of
from games.big_manitou.events import Award, CardStrength, ForceTotal, GroundTotal, SeatScore, SeatTiles, Step
from games.big_manitou.options import Options
from games.big_manitou.state import Cards, Ground, State, hunters_laid, hunters_on
from games.parties import SeatCards, penalised
from games.ranking import Rank, ranking, ranks


def pairs(tipi: int, bison: int) -> int:
    """BM-6.1: the points for tipi and bison of these values; the surplus of either is worth nothing."""
    return min(tipi, bison)


def has_most_tomahawks(options: Options, own: int, others_most: int) -> bool:
    """BM-6.2, BM-R19: whether a seat has the majority of tomahawks; several have it with `tomahawk_tie: "all"` only."""
    return own > others_most or (own == others_most > 0 and options.tomahawk_tie == "all")


class Scores(msgspec.Struct, frozen=True, gc=False):
    """BM-6: the points of every seat, and the ranking."""

    scores: tuple[SeatScore, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


class Holding(NamedTuple):
    """BM-6.1: the points of a seat's tiles by kind, and how many tomahawks there are."""

    tipi: int
    bison: int
    tomahawks: int


class Wealth(NamedTuple):
    """The input of the scores: every seat's tiles and number of tiles taken, the cylinders, the house rules."""

    tiles: tuple[Cards, ...]
    taken: tuple[int, ...]
    totem: int | None
    horse: int | None
    options: Options


def scores(state: State) -> Scores:
    """BM-6, as if the game ended now."""
    tiles, taken = tuple([seat.tiles for seat in state.seats]), tuple([seat.tiles_taken for seat in state.seats])
    return _scores(Wealth(tiles, taken, state.totem_cylinder, state.horse_cylinder, state.options))


@lru_cache(maxsize=4096)  # every view shows the scores, and they change seldom
def _scores(wealth: Wealth) -> Scores:
    rows = _unranked(wealth)
    taken = wealth.options.tiebreak_tiles == "taken"
    keys = {row.seat: (row.total, row.tipi_points, row.tiles_taken if taken else row.tiles_held) for row in rows}
    places = ranks(keys)
    ranked = tuple([msgspec.structs.replace(row, rank=places[row.seat]) for row in rows])
    order = ranking(places)
    return Scores(ranked, order, order[0].seats)


def _unranked(wealth: Wealth) -> tuple[SeatScore, ...]:
    """BM-6.1 to BM-6.3; the ranks are not known yet."""
    rows = zip(map(holding, wealth.tiles), _majorities(wealth), strict=True)
    return tuple([_row(wealth, seat, held, majority) for seat, (held, majority) in enumerate(rows, 1)])


def _row(wealth: Wealth, seat: int, held: Holding, majority: int) -> SeatScore:
    """BM-6.2: pairs, cylinders and the majority of tomahawks."""
    tipi, bison, tomahawks = held
    totem, horse = int(wealth.totem == seat), int(wealth.horse == seat)
    return SeatScore(
        seat=seat,
        tipi_points=tipi,
        bison_points=bison,
        pairs=pairs(tipi, bison),
        totem_cylinder=totem,
        horse_cylinder=horse,
        tomahawks=tomahawks,
        tomahawk_majority=majority,
        tiles_held=len(wealth.tiles[seat - 1]),
        tiles_taken=wealth.taken[seat - 1],
        total=pairs(tipi, bison) + totem + horse + majority,
        rank=0,
    )


def _majorities(wealth: Wealth) -> list[int]:
    """BM-6.2: the point that a seat has for its tomahawks."""
    counts = [holding(tiles).tomahawks for tiles in wealth.tiles]
    most, second = sorted(counts)[:-3:-1]
    return [int(has_most_tomahawks(wealth.options, own, second if own == most else most)) for own in counts]


@lru_cache(maxsize=4096)  # only one seat at a time gets other tiles
def holding(tiles: Cards) -> Holding:
    """Returns the points of one seat's tiles."""
    return Holding(_points(tiles, "tipi"), _points(tiles, "bison"), tiles_of(tiles, "tomahawk"))


def _points(tiles: Cards, kind: Kind) -> int:
    return sum([VALUE[tile] for tile in tiles if KIND[tile] == kind])


def final_scores(state: State) -> ev.GameEnded:
    """The end of the game: scores, ranks and winners (BM-6.3, BM-6.4)."""
    found = scores(state)
    tomahawks = [row.tomahawks for row in found.scores]
    equals = Counter((row.total, row.tipi_points) for row in found.scores)
    rules = ["BM-6.1", "BM-6.2"]
    if tomahawks.count(max(tomahawks)) > 1:
        rules.append("BM-R19")
    rules += ["BM-6.3", "BM-6.4"]
    if max(equals.values()) > 1:
        rules.append("BM-R20")
    return ev.GameEnded(found.scores, found.ranking, found.winners, tuple(rules))


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
        rules=assessment_rules(state, totals, guilty),
    )


def assessment_rules(state: State, totals: tuple[ForceTotal, ...], guilty: tuple[int, ...]) -> tuple[str, ...]:
    """BM-5.11, the row of `ForcePenaltyAssessed`."""
    return cited(
        "BM-5.5",
        ("BM-R9", any(row.cards and tiles_of(state.seats[row.seat - 1].tiles, "tomahawk") for row in totals)),
        ("BM-R10", not guilty),
        ("BM-R11", len(guilty) > 1),
        ("BM-R24", guilty and state.hunt == 1),
    )


def cited(always: str, *others: tuple[str, object]) -> tuple[str, ...]:
    """Returns the rules of an adjudication: the first, and those others whose condition holds (BM-5.11)."""
    return (always, *[rule for rule, applies in others if applies])


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
        rules=evaluation_rules(len(ground.tiles), hero, totals, contest, awards),
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


def evaluation_rules(
    tiles: int,
    hero: SeatCards | None,
    totals: tuple[GroundTotal, ...],
    contest: Contest,
    awards: tuple[Award, ...],
) -> tuple[str, ...]:
    """BM-5.11, the row of `GroundEvaluated`."""
    left = tiles - sum([award.count for award in awards if award.step != "runner_up"])
    return cited(
        "BM-5.7",
        ("BM-R18", any(row.bonus_per_card for row in totals)),
        ("BM-R13", contest.tie_follows_tie),
        ("BM-R12", hero and not totals),
        ("BM-R14", contest.runner_up and left and (tiles, left) != (4, 1)),
    )
