"""Applies events to the state and decides nothing (MA-5.12; see `games/deciding.py`)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games import deciding
from games.kernel import Event
from games.manitou import events as ev
from games.manitou.components import STRENGTH, Herd, buffalo_of, hide_thief_cards, in_deck_order
from games.manitou.events import Cards
from games.manitou.outcomes import outcomes
from games.manitou.state import Camp, Ground, PointsPile, State
from games.manitou_family_parties import SeatCard, SeatCards
from games.rows import known, swapped, without


def laid(ground: Ground, seat: int, card: str, *, trial: bool) -> Ground:
    """MA-5.1: a hero is face up, unless a `trial` of strength follows, which says who is."""
    sides = swapped(ground.sides, seat, (*ground.sides[seat - 1], card))
    face_up = ground.face_up
    if card in STRENGTH or trial:
        return Ground(ground.buffalo, sides, face_up)
    return Ground(ground.buffalo, sides, SeatCards(seat, (card,) if face_up is None else (*face_up.cards, card)))


def fought(ground: Ground, face_up_after: SeatCards | None) -> Ground:
    """MA-5.3, MA-5.4: the ground after a trial of strength."""
    return Ground(ground.buffalo, ground.sides, face_up_after)


def game_started(_: None, event: ev.GameStarted) -> State:
    """MA-2.2, MA-2.3, MA-2.5: every set is in its reserve, the hide thieves are ready, the piles unshuffled."""
    empty = Ground((), ((),) * event.players)
    return State(
        players=event.players,
        options=event.options,
        phase="party",
        hunt=0,
        dealer=None,
        turn_order=(),
        turns_taken=0,
        camps=(Camp(),) * event.players,
        grounds=(empty, empty, empty),
        points=(PointsPile(),) * event.players,
        small=_herd("small", event.buffalo_counts),
        large=_herd("large", event.buffalo_counts),
        hide_thieves=hide_thief_cards(event.hide_thieves),
        removed=(),
    )


def _herd(herd: Herd, counts: tuple[ev.HerdCount, ...]) -> Cards:
    return tuple([card for row in counts if row.herd == herd for card in buffalo_of(row.value, row.count)])


def buffalo_piles_shuffled(state: State, event: ev.BuffaloPilesShuffled) -> State:
    """Both piles of buffalo get their order (MA-2.4)."""
    return replace(state, small=known(event.small_order), large=known(event.large_order))


def hunt_started(state: State, event: ev.HuntStarted) -> State:
    """A new dealer, turn order and parties to choose (MA-3.2, MA-3.3)."""
    sizes = {row.seat: row.size for row in event.party_sizes}
    camps = [replace(camp, party_size=sizes[s], party_chosen=False) for s, camp in enumerate(state.camps, 1)]
    return replace(
        state,
        phase="party",
        hunt=event.hunt,
        dealer=event.dealer,
        turn_order=event.turn_order,
        turns_taken=0,
        camps=tuple(camps),
    )


def grounds_stocked(state: State, event: ev.GroundsStocked) -> State:
    """The top cards of the piles lie on the grounds (MA-2.6)."""
    no_cards = ((),) * state.players
    return replace(
        state,
        grounds=tuple([Ground(tuple([row.card for row in stock.buffalo]), no_cards) for stock in event.grounds]),
        small=state.small[len(state.small) - event.small_left :],
        large=state.large[len(state.large) - event.large_left :],
    )


def party_chosen(state: State, event: ev.PartyChosen) -> State:
    """The cards leave the reserve (MA-4.2)."""
    camp, party = state.camps[event.seat - 1], known(event.cards)
    chosen = Camp(without(camp.reserve, party), party, (), (), camp.party_size, party_chosen=True)
    return replace(state, camps=swapped(state.camps, event.seat, chosen))


def party_shuffled(state: State, event: ev.PartyShuffled) -> State:
    """The party becomes a pile (MA-3.4)."""
    camp = replace(state.camps[event.seat - 1], party=(), pile=known(event.order))
    return replace(state, camps=swapped(state.camps, event.seat, camp))


def cards_drawn(state: State, event: ev.CardsDrawn) -> State:
    """The top cards of the pile come into the hand (MA-3.4, MA-3.6)."""
    camp = state.camps[event.seat - 1]
    hand = in_deck_order(camp.hand + known(event.cards))
    drawn = Camp(camp.reserve, (), camp.pile[event.count :], hand, camp.party_size, camp.party_chosen)
    return replace(state, camps=swapped(state.camps, event.seat, drawn), phase=event.phase)


def card_played(state: State, event: ev.CardPlayed) -> State:
    """The card leaves the hand and lies on the ground (MA-4.3, MA-5.1)."""
    camp = state.camps[event.seat - 1]
    hand = tuple([card for card in camp.hand if card != event.card])
    left = Camp(camp.reserve, (), camp.pile, hand, camp.party_size, camp.party_chosen)
    ground = laid(state.grounds[event.ground - 1], event.seat, event.card, trial=event.trial)
    return replace(
        state,
        turns_taken=state.turns_taken + 1,
        camps=swapped(state.camps, event.seat, left),
        grounds=swapped(state.grounds, event.ground, ground),
    )


def trial_of_strength_resolved(state: State, event: ev.TrialOfStrengthResolved) -> State:
    """The ground shows the heroes that stand (MA-5.3, MA-5.4)."""
    ground = fought(state.grounds[event.ground - 1], event.face_up_after)
    return replace(state, grounds=swapped(state.grounds, event.ground, ground))


def taken_back(camps: tuple[Camp, ...], seat: int, cards: Cards) -> tuple[Camp, ...]:
    """Cards of a seat go back into its reserve (MA-5.5, MA-5.9)."""
    camp = camps[seat - 1]
    return swapped(camps, seat, replace(camp, reserve=in_deck_order(camp.reserve + cards)))


def unplayed_cards_returned(state: State, event: ev.UnplayedCardsReturned) -> State:
    """What is left of hand and pile goes home (MA-5.5)."""
    emptied = replace(state.camps[event.seat - 1], pile=(), hand=())
    camps = swapped(state.camps, event.seat, emptied)
    return replace(state, camps=taken_back(camps, event.seat, known(event.cards)))


def force_penalty_assessed(state: State, event: ev.ForcePenaltyAssessed) -> State:
    """The penalised seats take hide thieves, or a note where there are none (MA-5.6, ruling MA-R29)."""
    points = state.points
    for penalty in event.penalties:
        own = points[penalty.seat - 1]
        if penalty.card is None:
            own = replace(own, paper_penalties=own.paper_penalties + 1)
        else:
            own = replace(own, hide_thieves=(*own.hide_thieves, penalty.card))
        points = swapped(points, penalty.seat, own)
    given = len(state.hide_thieves) - event.hide_thieves_left
    return replace(state, points=points, hide_thieves=state.hide_thieves[given:])


def ground_evaluated(state: State, event: ev.GroundEvaluated) -> State:
    """Buffalo are taken or removed (MA-5.7, MA-5.8)."""
    points = state.points
    for award in event.awards:
        own = points[award.seat - 1]
        points = swapped(points, award.seat, replace(own, buffalo=(*own.buffalo, award.card)))
    ground = replace(state.grounds[event.ground - 1], buffalo=())
    return replace(
        state,
        points=points,
        grounds=swapped(state.grounds, event.ground, ground),
        removed=state.removed + tuple([row.card for row in event.removed]),
    )


def ground_cleared(state: State, event: ev.GroundCleared) -> State:
    """MA-5.9: prisoners to the captor's points pile, all other cards home."""
    camps, points = state.camps, state.points
    for row in event.returned:
        camps = taken_back(camps, row.seat, row.cards)
    if event.hero is not None and event.prisoners:
        own = points[event.hero.seat - 1]
        captured = tuple([SeatCard(row.seat, card) for row in event.prisoners for card in row.cards])
        points = swapped(points, event.hero.seat, replace(own, prisoners=own.prisoners + captured))
    ground = Ground(state.grounds[event.ground - 1].buffalo, ((),) * state.players)
    return replace(state, camps=camps, points=points, grounds=swapped(state.grounds, event.ground, ground))


EVOLVE: dict[type[Event], Callable[[Any, Any], State]] = {
    ev.GameStarted: game_started,
    ev.BuffaloPilesShuffled: buffalo_piles_shuffled,
    ev.HuntStarted: hunt_started,
    ev.GroundsStocked: grounds_stocked,
    ev.PartyChosen: party_chosen,
    ev.PartyShuffled: party_shuffled,
    ev.CardsDrawn: cards_drawn,
    ev.CardPlayed: card_played,
    ev.TrialOfStrengthResolved: trial_of_strength_resolved,
    ev.TurnPassed: lambda state, _: replace(state, turns_taken=state.turns_taken + 1),  # MA-4.4: the hand is kept
    ev.UnplayedCardsReturned: unplayed_cards_returned,
    ev.ForcePenaltyAssessed: force_penalty_assessed,
    ev.GroundEvaluated: ground_evaluated,
    ev.GroundCleared: ground_cleared,
    ev.HuntEnded: lambda state, _: state,  # MA-5.10: a summary
    ev.GameEnded: lambda state, _: replace(state, phase="over"),  # MA-6.1: nobody has to act
}


def evolve(state: State | None, event: Event) -> State:
    """The state after an event; a game is the fold of its events from None."""
    return EVOLVE[type(event)](state, event)


class Scribe(deciding.Scribe[State]):
    """Collects the events of one decision of Manitou."""

    __slots__ = ()
    evolve = staticmethod(evolve)
    outcomes = staticmethod(outcomes)
