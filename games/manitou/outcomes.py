"""What else could have been decided (see `games.kernel`): trials of strength, the buffalo and prisoners of a ground.

The force penalty is neither a trial nor an award (MA-5.6).
"""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from games.manitou import events as ev
from games.manitou.components import STRENGTH
from games.manitou.end_of_hunt import Standing, outcome
from games.manitou.state import State
from games.manitou_family_parties import SeatCards
from games.other_outcomes import Find, other_outcomes, other_places, other_trials, struck_out


def _trials(state: State, event: ev.TrialOfStrengthResolved) -> list[ev.TrialOfStrengthResolved]:
    theirs = state.grounds[event.ground - 1].face_up
    return other_trials(event, theirs.cards if theirs else ())


def _buffalo(_: State, event: ev.GroundEvaluated) -> Iterator[ev.GroundEvaluated]:
    """MA-5.7: first the same places with the other reading of 3c (MA-R17), then other places."""
    seen = {event.awards}
    for first, second in ((event.majority, event.runner_up), *other_places(event)):
        for taker in (second,) if second else (None, first):
            tied_out = () if first and taker == first else struck_out(event, (first, second))
            awards, gone = outcome(event.buffalo, Standing(first, second, tied_out), taker)
            if awards not in seen:
                seen.add(awards)
                yield replace(event, tied_out=tied_out, majority=first, runner_up=second, awards=awards, removed=gone)


def _prisoners(state: State, event: ev.GroundCleared) -> Iterator[ev.GroundCleared]:
    """MA-5.9: nobody captures, or another seat that has laid a hero there; its last one counts."""
    rows = sorted((*event.prisoners, *event.returned), key=lambda row: row.seat)
    heroes: list[SeatCards | None] = [None]
    for seat, side in enumerate(state.grounds[event.ground - 1].sides, 1):
        heroes += [SeatCards(seat, (card,)) for card in [card for card in side if card not in STRENGTH][-1:]]
    for hero in heroes:
        prisoners = tuple([row for row in rows if hero and row.seat != hero.seat])
        if prisoners != event.prisoners:
            returned = tuple([row for row in rows if row not in prisoners])
            points = sum([len(row.cards) for row in prisoners])
            yield replace(event, hero=hero, prisoners=prisoners, returned=returned, points=points)


OUTCOMES: dict[type, Find] = {
    ev.TrialOfStrengthResolved: _trials,
    ev.GroundEvaluated: _buffalo,
    ev.GroundCleared: _prisoners,
}
outcomes = partial(other_outcomes, OUTCOMES)
"""The other outcomes of a trial (MA-5.3, MA-5.4), of a ground's buffalo (MA-5.7), of its prisoners (MA-5.9)."""
