"""What else could have been decided (see `games.kernel`): scalp duels, battles, what animals count, the most wanted.

Effects of characters change a value; they are no trials themselves (TO-5.3, TO-5.4).
"""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from games.other_outcomes import Find, other_outcomes
from games.tomahawk import events as ev
from games.tomahawk.components import SEATS
from games.tomahawk.scoring import MOST_WANTED_BONUS, multiplier, supply_after, tokens_given
from games.tomahawk.state import State


def _duels(state: State, event: ev.ScalpDuelJudged) -> Iterator[ev.ScalpDuelJudged]:
    """TO-5.5: the other warrior takes the scalp, each hair counts otherwise (TO-5.5c), or nobody takes one."""
    seen = {(event.winner, event.tokens)}
    for winner in (*sorted(SEATS, key=lambda seat: seat == event.winner), None):
        for factor in (multiplier(event.cards[winner - 1].name), 1) if winner else (1,):
            duel = _duel(state, event, winner, factor)
            if (winner, duel.tokens) not in seen and (duel.hair or not winner):
                seen.add((winner, duel.tokens))
                yield duel


def _duel(state: State, event: ev.ScalpDuelJudged, winner: int | None, factor: int) -> ev.ScalpDuelJudged:
    hair = event.cards[2 - winner].hair if winner else 0
    tokens = tokens_given(state.options, hair * factor, event.supply_before)
    return replace(
        event,
        winner=winner,
        hair=hair,
        multiplier=factor,
        tokens_due=hair * factor,
        tokens=tokens,
        supply_after=supply_after(event.supply_before, tokens),
    )


def _battles(_: State, event: ev.TerritoryJudged) -> Iterator[ev.TerritoryJudged]:
    """TO-5.6: the other side wins, by the great spirit if that is its only reason, or nobody."""
    spirit = event.great_spirit
    for winner in (*sorted(SEATS, key=lambda seat: seat == event.winner), None):
        if winner == event.winner:
            continue
        lower = winner is not None and event.totals[winner - 1].total <= event.totals[2 - winner].total
        triggered = spirit is not None and spirit.seat == winner and lower
        yield replace(
            event,
            great_spirit=spirit and replace(spirit, triggered=triggered),
            winner=winner,
            reason="great_spirit" if triggered else "higher_total" if winner else "tie",
        )


def _animals(state: State, event: ev.TerritoryWon) -> Iterator[ev.TerritoryWon]:
    """TO-5.6f: where a sequoia heart lies in a forest, the animals count double or not (TO-R21)."""
    cards = [getattr(state.cards, card) for slot in state.piles[event.pile - 1].slots for card in slot.cards]
    if event.species == "caribou" and any(card.name == "sequoia_heart" for card in cards):
        factor = 3 - event.multiplier
        yield replace(event, multiplier=factor, points=event.animals * factor)


def _most_wanted(_: State, event: ev.MostWantedJudged) -> Iterator[ev.MostWantedJudged]:
    """TO-6.3: another side has the bonus, both or neither; only one with such animals can (TO-R29)."""
    for seats in ((1,), (2,), SEATS, ()):
        counts = tuple([replace(row, bonus=MOST_WANTED_BONUS * (row.seat in seats)) for row in event.counts])
        if counts != event.counts and all(row.animals or not row.bonus for row in counts):
            yield replace(event, counts=counts)


OUTCOMES: dict[type, Find] = {
    ev.ScalpDuelJudged: _duels,
    ev.TerritoryJudged: _battles,
    ev.TerritoryWon: _animals,
    ev.MostWantedJudged: _most_wanted,
}
outcomes = partial(other_outcomes, OUTCOMES)
"""The other outcomes of a duel (TO-5.5), a battle (TO-5.6), a won territory (TO-5.6f), the most wanted (TO-6.3)."""
