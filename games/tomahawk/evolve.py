"""Applies events to the state and decides nothing (see `games/deciding.py`)."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from games import deciding
from games.kernel import Event
from games.rows import known, swapped, without
from games.tomahawk import events as ev
from games.tomahawk.components import FIELD, PILE_TERRITORIES, PILES, SEATS, TRIBE_CARDS
from games.tomahawk.events import Card
from games.tomahawk.outcomes import outcomes
from games.tomahawk.state import (
    Cards,
    Dance,
    Faces,
    Forced,
    Pile,
    Side,
    Slot,
    State,
    Won,
    known_values,
    laid_by_both,
    side_of,
)

# Small changes


def _sides(state: State, seat: int, **changes: Any) -> tuple[Side, Side]:
    first, second = state.sides
    return (replace(first, **changes), second) if seat == 1 else (first, replace(second, **changes))


def _piles(state: State, pile: int, **changes: Any) -> tuple[Pile, ...]:
    return swapped(state.piles, pile, replace(state.piles[pile - 1], **changes))


def _lay(pile: Pile, seat: int, card: str) -> Pile:
    return replace(pile, laid=(card, pile.laid[1]) if seat == 1 else (pile.laid[0], card))


def _unchanged(state: State, _event: Event) -> State:
    return state


# What each event does


def _game_started(_state: State | None, event: ev.GameStarted) -> State:
    return State(
        options=event.options,
        components=event.components,
        sides=(Side(reserve=TRIBE_CARDS[1]), Side(reserve=TRIBE_CARDS[2])),
        piles=tuple(Pile(None, PILE_TERRITORIES[pile]) for pile in PILES),
        supply=event.components.scalp_tokens,
    )


def _turned(state: State, cards: tuple[Card, ...]) -> Cards:
    return replace(state.cards, **{card.card: card for card in cards})


def _specials_dealt(state: State, event: ev.SpecialsDealt) -> State:
    cards = known(event.cards)
    ids = tuple([card.card for card in cards])
    sides = _sides(state, event.seat, reserve=side_of(state, event.seat).reserve + ids)
    return replace(state, cards=_turned(state, cards), sides=sides, box=without(state.box, ids))


def _special_set_aside(state: State, event: ev.SpecialSetAside) -> State:
    return replace(state, cards=_turned(state, (known(event.special),)), to_act=SEATS)


def _specials_chosen(state: State, event: ev.SpecialsChosen) -> State:
    sides = _sides(state, event.seat, kept=known(event.kept))
    return replace(state, sides=sides, to_act=without(state.to_act, (event.seat,)))


def _army_shuffled(state: State, event: ev.ArmyShuffled) -> State:
    order = known(event.order)
    reserve = without(side_of(state, event.seat).reserve, order)
    return replace(state, sides=_sides(state, event.seat, reserve=reserve, draw_pile=order))


def _cards_drawn(state: State, event: ev.CardsDrawn) -> State:
    side = side_of(state, event.seat)
    drawn = [card.card for card in known(event.cards)]
    hand = tuple(sorted([*side.hand, *drawn]))
    return replace(state, sides=_sides(state, event.seat, hand=hand, draw_pile=side.draw_pile[event.count :]))


def _territory_piles_built(state: State, event: ev.TerritoryPilesBuilt) -> State:
    catalogue = {face.face: face for face in state.components.territories}
    return replace(state, faces=Faces(**{FIELD[row.territory]: catalogue[row.face] for row in known(event.faces)}))


def _territory_revealed(state: State, event: ev.TerritoryRevealed) -> State:
    below = without(state.piles[event.pile - 1].below, (event.territory,))
    return replace(state, piles=_piles(state, event.pile, territory=event.territory, below=below))


def _cards_committed(state: State, event: ev.CardsCommitted) -> State:
    cards = known(event.cards)
    piles = list(state.piles)
    for placed in cards:
        piles[placed.pile - 1] = _lay(piles[placed.pile - 1], event.seat, placed.card)
    hand = without(side_of(state, event.seat).hand, [placed.card for placed in cards])
    sides = _sides(state, event.seat, hand=hand)
    return replace(state, piles=tuple(piles), sides=sides, to_act=without(state.to_act, (event.seat,)))


def _cards_revealed(state: State, event: ev.CardsRevealed) -> State:
    """All slots of the pile are face up now; values start as printed (TO-5.3)."""
    shown = tuple(
        [
            Slot(row.turn, (row.cards[0].card, row.cards[1].card), (row.cards[0].value, row.cards[1].value))
            for row in event.slots
        ]
    )
    pile = state.piles[event.pile - 1]
    slots = pile.slots[: event.slots[0].slot - 1] + shown
    return replace(state, piles=_piles(state, event.pile, slots=slots, laid=(None, None)), forced=_hidden(state, shown))


def _hidden(state: State, shown: tuple[Slot, ...]) -> Forced | None:
    """The forced card, as long as it is not among those turned up."""
    forced = state.forced
    return None if forced is not None and any(forced.card in slot.cards for slot in shown) else forced


def _cards_kept_hidden(state: State, event: ev.CardsKeptHidden) -> State:
    pile = state.piles[event.pile - 1]
    slot = Slot(event.turn, laid_by_both(pile), None)
    return replace(state, piles=_piles(state, event.pile, slots=(*pile.slots, slot), laid=(None, None)))


def _character_effect_applied(state: State, event: ev.CharacterEffectApplied) -> State:
    if event.value_after is None:  # a dusk dance, whose card is drawn later
        return replace(state, dance=Dance(event.seat, event.card, event.pile))
    slots = state.piles[event.pile - 1].slots
    slot = slots[event.slot - 1]
    first, second = known_values(slot)
    values = (event.value_after, second) if slot.cards[0] == event.target_card else (first, event.value_after)
    slots = swapped(slots, event.slot, replace(slot, values=values))
    return replace(state, piles=_piles(state, event.pile, slots=slots))


def _next_card_forced(state: State, event: ev.NextCardForced) -> State:
    card = known(event.forced_card).card
    hand = without(side_of(state, event.seat).hand, (card,))
    pile = _lay(state.piles[event.pile - 1], event.seat, card)
    return replace(
        state,
        sides=_sides(state, event.seat, hand=hand),
        piles=_piles(state, event.pile, laid=pile.laid),
        forced=Forced(event.seat, event.pile, card, event.for_turn),
        dance=None,
    )


def _scalp_duel_judged(state: State, event: ev.ScalpDuelJudged) -> State:
    if event.winner is None:
        return state
    scalps = side_of(state, event.winner).scalps + event.tokens
    return replace(state, sides=_sides(state, event.winner, scalps=scalps), supply=event.supply_after)


def _territory_won(state: State, event: ev.TerritoryWon) -> State:
    won = Won(event.territory, event.face, event.species, event.animals, event.points, event.turn)
    sides = _sides(state, event.seat, won=(*side_of(state, event.seat).won, won))
    return replace(state, sides=sides, piles=_piles(state, event.pile, territory=None))


def _territory_discarded(state: State, event: ev.TerritoryDiscarded) -> State:
    piles = _piles(state, event.pile, territory=None)
    return replace(state, piles=piles, discarded=(*state.discarded, event.territory))


def _warriors_discarded(state: State, event: ev.WarriorsDiscarded) -> State:
    first, second = state.sides
    sides = (
        replace(first, cemetery=first.cemetery + event.discarded[0].cards),
        replace(second, cemetery=second.cemetery + event.discarded[1].cards),
    )
    state = replace(state, sides=sides, piles=_piles(state, event.pile, slots=()))
    return replace(state, phase="mountain_look", to_act=event.asked) if event.asked else state


def _forest_cards_seen(state: State, event: ev.ForestCardsSeen) -> State:
    seen = side_of(state, event.seat).seen + tuple([row.card for row in known(event.cards)])
    return replace(state, sides=_sides(state, event.seat, seen=seen), to_act=without(state.to_act, (event.seat,)))


def _most_wanted_judged(state: State, event: ev.MostWantedJudged) -> State:
    first, second = (replace(side, bonus=row.bonus) for side, row in zip(state.sides, event.counts, strict=True))
    return replace(state, sides=(first, second))


EVOLVE: dict[type[Event], Callable[[Any, Any], State]] = {
    ev.GameStarted: _game_started,
    ev.TribeFacesAssigned: lambda state, event: replace(state, cards=_turned(state, known(event.cards))),
    ev.SpecialsDealt: _specials_dealt,
    ev.SpecialSetAside: _special_set_aside,
    ev.SpecialsChosen: _specials_chosen,
    ev.ArmyShuffled: _army_shuffled,
    ev.CardsDrawn: _cards_drawn,
    ev.TerritoryPilesBuilt: _territory_piles_built,
    ev.TerritoryRevealed: _territory_revealed,
    ev.MostWantedRevealed: lambda state, event: replace(state, most_wanted=event.territory),
    ev.TurnStarted: lambda state, event: replace(state, phase="play_cards", turn=event.turn, to_act=SEATS),
    ev.CardsCommitted: _cards_committed,
    ev.CardsRevealed: _cards_revealed,
    ev.CardsKeptHidden: _cards_kept_hidden,
    ev.CharacterEffectApplied: _character_effect_applied,
    ev.NextCardForced: _next_card_forced,
    ev.ScalpDuelJudged: _scalp_duel_judged,
    ev.TerritoryJudged: _unchanged,
    ev.TerritoryWon: _territory_won,
    ev.TerritoryDiscarded: _territory_discarded,
    ev.WarriorsDiscarded: _warriors_discarded,
    ev.ForestCardsSeen: _forest_cards_seen,
    ev.ForestLookDeclined: lambda state, event: replace(state, to_act=without(state.to_act, (event.seat,))),
    ev.TurnEnded: _unchanged,
    ev.MostWantedJudged: _most_wanted_judged,
    ev.GameEnded: lambda state, _event: replace(state, phase="over", to_act=()),
}


def evolve(state: State | None, event: Event) -> State:
    """Returns the state after an event; before the first event it is None."""
    return EVOLVE[type(event)](state, event)


class Scribe(deciding.Scribe[State]):
    """Collects the events of one decision of Tomahawk."""

    __slots__ = ()
    evolve = staticmethod(evolve)
    outcomes = staticmethod(outcomes)

    def write_all(self, events: Iterable[Event]) -> None:
        """Adds several events."""
        for event in events:
            self.write(event)
