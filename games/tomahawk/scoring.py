"""Points, ranks and the most wanted animals (TO-6)."""

from collections.abc import Callable

import msgspec

from games.ranking import Rank, ranking, ranks
from games.tomahawk import events as ev
from games.tomahawk.components import FIELD, SEATS, SPECIES
from games.tomahawk.house_rules import Options
from games.tomahawk.state import Side, State, territory_points

MOST_WANTED_BONUS = 3  # TO-6.3


class Scores(msgspec.Struct, frozen=True):
    """The points of both seats, the ranking and the winners (TO-6.5)."""

    scores: tuple[ev.ScoreRow, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


def total(side: Side) -> int:
    """TO-6.2: all points of a side."""
    return territory_points(side) + side.scalps + side.bonus


TIE_BREAKS: dict[str, Callable[[Side], int]] = {  # TO-6.4, TO-R28: what counts between equal totals
    "shared": lambda _: 0,
    "most_scalps": lambda side: side.scalps,
    "most_territories": lambda side: len(side.won),
}


def scores(state: State) -> Scores:
    """TO-6.5: the points so far, or at the end the final ones."""
    breaks = TIE_BREAKS[state.options.tie_break]
    rank_of = ranks({seat: (total(side), breaks(side)) for seat, side in zip(SEATS, state.sides, strict=True)})
    listed = [
        ev.ScoreRow(seat, territory_points(side), side.scalps, side.bonus, total(side), rank_of[seat])
        for seat, side in zip(SEATS, state.sides, strict=True)
    ]
    places = ranking(rank_of)
    return Scores(tuple(listed), places, places[0].seats)


def points(state: State) -> tuple[ev.PointsRow, ...]:
    """TO-5.12: the points so far, as `TurnEnded` gives them."""
    return tuple(
        ev.PointsRow(seat, territory_points(side), side.scalps) for seat, side in zip(SEATS, state.sides, strict=True)
    )


def most_wanted(state: State) -> tuple[ev.MostWantedJudged, ...]:
    """TO-6.3: who has taken most of the most wanted animals, and what that brings; nothing without the option."""
    if state.most_wanted is None:
        return ()
    species = SPECIES[getattr(state.faces, FIELD[state.most_wanted]).terrain]
    first, second = (wanted_animals(state.options, side, species) for side in state.sides)
    bonuses = most_wanted_bonuses(state.options, first, second)
    counts = (ev.MostWantedRow(1, first, bonuses[0]), ev.MostWantedRow(2, second, bonuses[1]))
    return (ev.MostWantedJudged(species, counts, ("TO-6.3", "TO-R29")),)


def most_wanted_bonuses(options: Options, first: int, second: int) -> tuple[int, int]:
    """TO-6.3: what these numbers of the most wanted animals bring the two sides."""
    both = first == second > 0 and options.most_wanted_tie == "both"
    return (
        MOST_WANTED_BONUS if first > second or both else 0,
        MOST_WANTED_BONUS if second > first or both else 0,
    )


def animals_that_count(options: Options, printed: int, points: int) -> int:
    """TO-6.3: how many animals a territory of the wanted species has, whose animals may have counted double."""
    return printed if options.most_wanted_count == "printed" else points


def wanted_animals(options: Options, side: Side, species: str | None) -> int:
    """TO-6.3: how many animals of the most wanted species a side has taken."""
    return sum([animals_that_count(options, won.animals, won.points) for won in side.won if won.species == species])


def multiplier(name: str) -> int:
    """TO-5.5c: how many tokens a warrior of this name takes for each hair."""
    return 2 if name == "windswept_skull" else 1


def tokens_given(options: Options, due: int, supply: int) -> int:
    """TO-5.5d: how many of the tokens that are due the supply has (TO-R9)."""
    return min(due, supply) if options.scalp_supply == "limited" else due


def supply_after(supply: int, tokens: int) -> int:
    """TO-5.5d: what is left in the supply; tokens are counters where they are unlimited."""
    return max(0, supply - tokens)


def game_ended(state: State) -> ev.GameEnded:
    """TO-6.4, TO-6.5: the final scores."""
    found = scores(state)
    wanted = ("TO-6.3",) if state.options.most_wanted else ()
    tied = ("TO-R28",) if found.scores[0].total == found.scores[1].total else ()
    rules = ("TO-6.1", "TO-6.2", *wanted, "TO-6.4", *tied)
    return ev.GameEnded(found.scores, found.ranking, found.winners, rules)
