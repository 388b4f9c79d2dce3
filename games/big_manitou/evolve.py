"""Applies events to the state and decides nothing (BM-5.1; see `games/deciding.py`)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from games import deciding
from games.big_manitou import events as ev
from games.big_manitou.components import (
    DECK,
    GROUNDS,
    STRENGTH,
    Kind,
    in_deck_order,
    in_tile_order,
    tiles_named,
    tiles_of,
)
from games.big_manitou.outcomes import outcomes
from games.big_manitou.state import Ground, Seat, State, seat_of
from games.manitou_family_parties import SeatCard
from games.rows import known, swapped, without


def evolve(state: State | None, event: Any) -> State:
    """The state after an event; `None` before the first."""
    return EVOLVE[type(event)](state, event)


def _game_started(_: None, event: ev.GameStarted) -> State:
    """BM-2.3 to BM-2.5: all tiles in the bag, all cards in the reserves, nobody holds anything."""
    return State(
        players=event.players,
        options=event.options,
        bag=tuple([tile for row in event.tile_counts for tile in tiles_named(row.kind, row.value, row.count)]),
        seats=(Seat(),) * event.players,
        grounds=(Ground((), ((),) * event.players),) * len(GROUNDS),
    )


def _hunt_started(state: State, event: ev.HuntStarted) -> State:
    return replace(state, hunt=event.hunt, turn_order=event.turn_order, turns=0, evaluating=0, bonuses=())


def _grounds_stocked(state: State, event: ev.GroundsStocked) -> State:
    drawn = {tile for row in event.grounds for tile in row.tiles}
    grounds = tuple([replace(state.grounds[row.ground - 1], tiles=row.tiles) for row in event.grounds])
    return replace(state, grounds=grounds, bag=without(state.bag, drawn), phase=event.phase)


def _with_party(state: State, event: ev.PartyChosen | ev.PartyDrawn) -> tuple[Seat, ...]:
    """BM-3.6: the cards leave the reserve."""
    cards, own = known(event.cards), seat_of(state, event.seat)
    return swapped(state.seats, event.seat, replace(own, reserve=without(own.reserve, cards), party=cards))


def _cards_drawn(state: State, event: ev.CardsDrawn) -> State:
    own = seat_of(state, event.seat)
    hand = in_deck_order(own.hand + known(event.cards))
    own = replace(own, hand=hand, pile=own.pile[event.count :])
    return replace(state, seats=swapped(state.seats, event.seat, own), phase=event.phase)


def _card_played(state: State, event: ev.CardPlayed) -> State:
    """BM-5.3: a hero is face up until a trial turns it down; an extra card is no turn."""
    seat, card = event.seat, event.card
    ground = state.grounds[event.ground - 1]
    sides = swapped(ground.sides, seat, (*ground.sides[seat - 1], card))
    heroes = ground.heroes if card in STRENGTH else (*ground.heroes, SeatCard(seat, card))
    own = state.seats[seat - 1]
    return replace(
        state,
        seats=swapped(state.seats, seat, replace(own, hand=without(own.hand, (card,)))),
        grounds=swapped(state.grounds, event.ground, Ground(ground.tiles, sides, heroes)),
        turns=state.turns if event.extra else state.turns + 1,
        phase=event.phase,
    )


def _trial_resolved(state: State, event: ev.TrialOfStrengthResolved) -> State:
    heroes = without(state.grounds[event.ground - 1].heroes, event.turned_down)
    return _with_ground(state, event.ground, heroes=heroes)


def _hunter_moved(state: State, event: ev.HunterMoved) -> State:
    place, card = event.seat - 1, event.card
    left, joined = state.grounds[event.from_ground - 1].sides, state.grounds[event.to_ground - 1].sides
    state = _with_ground(state, event.from_ground, sides=swapped(left, event.seat, without(left[place], (card,))))
    state = _with_ground(state, event.to_ground, sides=swapped(joined, event.seat, (*joined[place], card)))
    return replace(state, phase=None)


def _unplayed_returned(state: State, event: ev.UnplayedCardsReturned) -> State:
    """BM-3.12; `to` is the name of where they go."""
    there = in_deck_order(getattr(seat_of(state, event.seat), event.to) + known(event.cards))
    return _with_seat(state, event.seat, hand=(), pile=(), **{event.to: there})


def _tile_discarded(state: State, event: ev.TileDiscarded) -> State:
    tiles = without(seat_of(state, event.seat).tiles, (event.tile,))
    state = _with_seat(state, event.seat, tiles=tiles)
    removed = in_tile_order((*state.removed, event.tile))
    return replace(state, removed=removed, owing=state.owing[1:], phase=event.phase)


def _ground_evaluated(state: State, event: ev.GroundEvaluated) -> State:
    bonuses = tuple([row.tiles for row in event.tomahawks])
    return replace(state, evaluating=event.ground, bonuses=bonuses, awards=event.awards, phase=event.phase)


def _tiles_taken(state: State, event: ev.TilesTaken) -> State:
    own, ground = seat_of(state, event.seat), state.grounds[event.ground - 1]
    tiles = in_tile_order(own.tiles + event.tiles)
    own = replace(own, tiles=tiles, tiles_taken=own.tiles_taken + len(event.tiles))
    ground = replace(ground, tiles=without(ground.tiles, event.tiles))
    return replace(
        state,
        seats=swapped(state.seats, event.seat, own),
        grounds=swapped(state.grounds, event.ground, ground),
        awards=state.awards[1:],
        phase=event.phase,
        totem_gains=_gains(state.totem_gains, event, "totem"),
        horse_gains=_gains(state.horse_gains, event, "horse"),
    )


def _cylinder_moved(state: State, event: ev.CylinderMoved) -> State:
    if event.cylinder == "totem":
        return replace(state, totem_cylinder=event.to_seat)
    return replace(state, horse_cylinder=event.to_seat)


def _tiles_removed(state: State, event: ev.TilesRemoved) -> State:
    state = _with_ground(state, event.ground, tiles=())
    return replace(state, removed=in_tile_order(state.removed + event.tiles), phase=event.phase)


def _hunt_ended(state: State, event: ev.HuntEnded) -> State:
    rows = zip(state.seats, event.discarded, strict=True)
    seats = [replace(seat, discards=in_deck_order(seat.discards + row.cards)) for seat, row in rows]
    return replace(state, evaluating=0, seats=tuple(seats), grounds=(Ground((), ((),) * state.players),) * len(GROUNDS))


def _decks_refreshed(state: State, _: ev.DecksRefreshed) -> State:
    return replace(state, seats=tuple([replace(seat, reserve=DECK, discards=(), spent=()) for seat in state.seats]))


def _with_seat(state: State, seat: int, **changes: Any) -> State:
    return replace(state, seats=swapped(state.seats, seat, replace(state.seats[seat - 1], **changes)))


def _with_ground(state: State, ground: int, **changes: Any) -> State:
    return replace(state, grounds=swapped(state.grounds, ground, replace(state.grounds[ground - 1], **changes)))


def _gains(gains: tuple[int, ...], event: ev.TilesTaken, kind: Kind) -> tuple[int, ...]:
    """The seats by their last gain, after one that may be of this kind."""
    return (*without(gains, (event.seat,)), event.seat) if tiles_of(event.tiles, kind) else gains


EVOLVE: Mapping[type, Callable[[Any, Any], State]] = {
    ev.GameStarted: _game_started,
    ev.HuntStarted: _hunt_started,
    ev.GroundsStocked: _grounds_stocked,
    ev.PartyChosen: lambda state, event: replace(state, seats=_with_party(state, event), phase=event.phase),
    ev.PartyDrawn: lambda state, event: replace(state, seats=_with_party(state, event)),
    ev.PartyShuffled: lambda state, event: _with_seat(state, event.seat, party=(), pile=known(event.order)),
    ev.CardsDrawn: _cards_drawn,
    ev.CardPlayed: _card_played,
    ev.TrialOfStrengthResolved: _trial_resolved,
    ev.TurnPassed: lambda state, event: replace(state, turns=state.turns + 1, phase=event.phase),
    ev.ExtraCardOffered: lambda state, _: replace(state, phase="extra_card"),
    ev.ExtraCardWithheld: lambda state, _: state,
    ev.ExtraCardDeclined: lambda state, _: replace(state, phase=None),
    ev.HunterMoveOffered: lambda state, _: replace(state, phase="hunter_move"),
    ev.HunterMoveWithheld: lambda state, _: state,
    ev.HunterMoved: _hunter_moved,
    ev.HunterMoveDeclined: lambda state, _: replace(state, phase=None),
    ev.UnplayedCardsReturned: _unplayed_returned,
    ev.ForcePenaltyAssessed: lambda state, event: replace(state, owing=event.penalised, phase=event.phase),
    ev.TileDiscarded: _tile_discarded,
    ev.ForcePenaltyWaived: lambda state, event: replace(state, owing=state.owing[1:], phase=event.phase),
    ev.GroundEvaluated: _ground_evaluated,
    ev.TilesTaken: _tiles_taken,
    ev.CylinderMoved: _cylinder_moved,
    ev.TilesRemoved: _tiles_removed,
    ev.HuntEnded: _hunt_ended,
    ev.DecksRefreshed: _decks_refreshed,
    ev.GameEnded: lambda state, _: replace(state, phase="over"),
}
"""What each type of event does."""


class Scribe(deciding.Scribe[State]):
    """Collects the events of one decision of Big Manitou."""

    __slots__ = ()
    evolve = staticmethod(evolve)
    outcomes = staticmethod(outcomes)
