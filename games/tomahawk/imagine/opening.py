"""The events of a feed with their hidden fields filled in, and the table that they lead to."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from games.kernel import Event
from games.tomahawk import events as e
from games.tomahawk.components import DEALT, TRIBE_CARDS, UNDEALT
from games.tomahawk.evolve import evolve
from games.tomahawk.imagine.memory import Memory
from games.tomahawk.moves import Placement
from games.tomahawk.play.looks import forest_look
from games.tomahawk.setup import face_rows
from games.tomahawk.state import State, open_piles, side_of


def complete(memory: Memory, feed: Sequence[Event]) -> State:
    """The state that the events lead to, their hidden fields filled from `memory`, which has no gaps."""
    state: State | None = None
    for event in feed:
        state = evolve(state, _opened(memory, state, event))
    if state is None:
        raise ValueError("a feed begins with GameStarted")
    return state


def _opened(memory: Memory, state: State | None, event: Event) -> Event:
    """The event with its hidden fields filled."""
    field, fill = FILL.get(type(event), (None, None))
    if field is None or fill is None or getattr(event, field) is not UNSET:
        return event
    return replace(event, **fill(memory, state, event))


def _fill_faces(memory: Memory, _state: State, event: e.TribeFacesAssigned) -> dict[str, Any]:
    return {"cards": tuple(memory.cards[card] for card in TRIBE_CARDS[event.seat])}


def _fill_dealt(memory: Memory, _state: State, event: e.SpecialsDealt) -> dict[str, Any]:
    return {"cards": tuple(memory.cards[card] for card in DEALT[event.seat])}


def _fill_set_aside(memory: Memory, _state: State, _event: e.SpecialSetAside) -> dict[str, Any]:
    return {"special": memory.cards[UNDEALT]}


def _fill_chosen(memory: Memory, _state: State, event: e.SpecialsChosen) -> dict[str, Any]:
    kept = memory.kept[event.seat] or ()
    (returned,) = (card for card in DEALT[event.seat] if card not in [row.card for row in kept])
    return {"kept": kept, "returned": returned}


def _fill_order(memory: Memory, _state: State, event: e.ArmyShuffled) -> dict[str, Any]:
    return {"order": memory.orders[event.seat]}


def _fill_drawn(memory: Memory, state: State, event: e.CardsDrawn) -> dict[str, Any]:
    return {"cards": tuple(memory.cards[card] for card in side_of(state, event.seat).draw_pile[: event.count])}


def _fill_piles(memory: Memory, _state: State, _event: e.TerritoryPilesBuilt) -> dict[str, Any]:
    return {"faces": face_rows(memory.territories)}


def _fill_committed(memory: Memory, state: State, event: e.CardsCommitted) -> dict[str, Any]:
    piles = open_piles(state, event.seat)
    return {"cards": tuple(Placement(pile, memory.laid[event.seat, event.turn, pile]) for pile in piles)}


def _fill_forced(memory: Memory, _state: State, event: e.NextCardForced) -> dict[str, Any]:
    return {"forced_card": memory.cards[memory.laid[event.seat, event.for_turn, event.pile]]}


def _fill_seen(_memory: Memory, state: State, event: e.ForestCardsSeen) -> dict[str, Any]:
    return {"cards": forest_look(state, event.seat).cards}


FILL: dict[type[Event], tuple[str, Callable[[Memory, Any, Any], dict[str, Any]]]] = {
    e.TribeFacesAssigned: ("cards", _fill_faces),
    e.SpecialsDealt: ("cards", _fill_dealt),
    e.SpecialSetAside: ("special", _fill_set_aside),
    e.SpecialsChosen: ("kept", _fill_chosen),
    e.ArmyShuffled: ("order", _fill_order),
    e.CardsDrawn: ("cards", _fill_drawn),
    e.TerritoryPilesBuilt: ("faces", _fill_piles),
    e.CardsCommitted: ("cards", _fill_committed),
    e.NextCardForced: ("forced_card", _fill_forced),
    e.ForestCardsSeen: ("cards", _fill_seen),
}
