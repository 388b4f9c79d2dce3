"""What else could have been decided (see `games.kernel`): trials of strength, the awards of a ground, cylinders.

The force penalty is neither a trial nor an award (BM-5.5), and a seat chooses itself which tiles it takes (BM-4.9).
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product

from msgspec.structs import replace

from games.big_manitou import events as ev
from games.big_manitou.end_of_hunt import Contest, awarded
from games.big_manitou.house_rules import Options
from games.big_manitou.state import State
from games.other_outcomes import Find, other_outcomes, other_places, other_trials, struck_out

SHARES = tuple(  # the readings of BM-5.7 step 4 (BM-R12, BM-R14)
    {"hero_without_hunters": hero, "runner_up_share": share}
    for hero, share in product(("takes_none", "takes_one"), ("one", "rest", "four_tile_grounds_only"))
)


def _trials(state: State, event: ev.TrialOfStrengthResolved) -> list[ev.TrialOfStrengthResolved]:
    heroes = state.grounds[event.ground - 1].heroes
    return other_trials(event, tuple([laid.card for laid in heroes if laid.seat == event.defender.seat]))


def _awards(state: State, event: ev.GroundEvaluated) -> Iterator[ev.GroundEvaluated]:
    """BM-5.7: first the same places with other shares, then other places."""
    readings: list[Options] = [replace(state.options, **shares) for shares in SHARES]
    now = (event.majority, event.runner_up)
    found, seen = [(now, reading) for reading in readings], {event.awards}
    for place, reading in (*found, *[(place, state.options) for place in other_places(event)]):
        tied_out = struck_out(event, place)
        contest = Contest(tied_out, *place, tie_follows_tie=False)
        awards = awarded(reading, len(event.tiles), event.hero, event.totals, contest)
        if awards not in seen:
            seen.add(awards)
            yield replace(
                event,
                tied_out=tied_out,
                majority=place[0],
                runner_up=place[1],
                awards=awards,
                unclaimed=len(event.tiles) - sum([award.count for award in awards]),
                phase="take_tiles" if awards else None,
            )


def _cylinders(_: State, event: ev.CylinderMoved) -> Iterable[ev.CylinderMoved]:
    """It stays with its holder, or goes to another seat that has such a tile, those with most of them first."""
    owners = [row.seat for row in sorted(event.counts, key=lambda row: -row.tiles) if row.tiles]
    seats = dict.fromkeys(seat for seat in (event.from_seat, *owners) if seat not in (None, event.to_seat))
    return [replace(event, to_seat=seat) for seat in seats]


OUTCOMES: dict[type, Find] = {
    ev.TrialOfStrengthResolved: _trials,
    ev.GroundEvaluated: _awards,
    ev.CylinderMoved: _cylinders,
}
outcomes = partial(other_outcomes, OUTCOMES)
"""The other outcomes of a trial (BM-5.4), of a ground's awards (BM-5.7), of a cylinder's move (BM-5.8, BM-5.10)."""
