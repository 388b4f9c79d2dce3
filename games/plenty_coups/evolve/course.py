"""Setup, cards, rounds and turns."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.plenty_coups import events as happened
from games.plenty_coups.evolve.changes import less_cards, more_cards
from games.plenty_coups.state import Camp, State


def _game_started(_: State | None, event: happened.GameStarted) -> State:
    pile = tuple([row.card for row in event.card_counts for _ in range(row.count)])
    return State(players=event.players, options=event.options, plain=event.horses, pile=pile)


def _tribe_chosen(state: State, event: happened.TribeChosen) -> State:
    return replace(state, chosen=(*state.chosen, event.tribe))


def _camps_set_up(state: State, event: happened.CampsSetUp) -> State:
    return replace(
        state,
        tribes=tuple(row.tribe for row in event.camps),
        camps=tuple(Camp(row.tribe, row.seat, row.horses) for row in event.camps),
        shared=event.shared_tribe,
        neutral=event.neutral_tribes,
        plain=event.plain,
    )


def _deck_shuffled(state: State, event: Any) -> State:
    return replace(state, pile=event.order)


def _deck_reshuffled(state: State, event: Any) -> State:
    """PC-5.2: the new pile lies below the cards that by the events so far are still there."""
    return replace(state, pile=state.pile + event.order, discards=())


def _cards_drawn(state: State, event: Any) -> State:
    camps, pile = more_cards(state, event.tribe, event.cards), state.pile[event.count :]
    if event.phase is None:
        return replace(state, camps=camps, pile=pile)
    return replace(state, camps=camps, pile=pile, phase=event.phase, hunted=event.count)


def _display_refilled(state: State, event: happened.DisplayRefilled) -> State:
    return replace(state, display=event.display, pile=state.pile[len(event.cards) :])


def _display_emptied(state: State, event: Any) -> State:
    return replace(state, display=(), discards=state.discards + event.cards)


def _cards_taken(state: State, event: happened.CardsTaken) -> State:
    camps = more_cards(state, event.tribe, event.cards)
    return replace(state, camps=camps, display=event.display, phase="actions", take=0)


def _cards_discarded(state: State, event: happened.CardsDiscarded) -> State:
    return replace(
        state,
        camps=less_cards(state, event.tribe, event.cards),
        discards=state.discards + event.cards,
        phase="actions",
        actions=state.actions - event.cost,
        hunted=0,
    )


def _round_started(state: State, event: happened.RoundStarted) -> State:
    return replace(state, round=event.round)


def _winter_started(state: State, _: happened.WinterStarted) -> State:
    """The round says it already (PC-3.2)."""
    return state


def _turn_started(state: State, event: happened.TurnStarted) -> State:
    return replace(
        state,
        turn=event.tribe,
        phase=event.phase,
        actions=event.actions,
        take=event.take,
        free_made=False,
        repelled=None,
    )


def _turn_passed(state: State, event: happened.TurnPassed) -> State:
    return replace(state, actions=0, phase=event.phase)


def _turn_ended(state: State, _: happened.TurnEnded) -> State:
    return replace(state, turn=None, actions=0, phase="actions")


def _game_ended(state: State, _: happened.GameEnded) -> State:
    """PC-7.5: nothing is left to be marked by a coup."""
    return replace(state, phase="over", repelled=None)


EVOLVE: dict[type, Callable[[Any, Any], State]] = {
    happened.GameStarted: _game_started,
    happened.TribeChosen: _tribe_chosen,
    happened.CampsSetUp: _camps_set_up,
    happened.DeckShuffled: _deck_shuffled,
    happened.CardsDrawn: _cards_drawn,
    happened.DisplayRefilled: _display_refilled,
    happened.DisplaySwept: _display_emptied,
    happened.DisplayCleared: _display_emptied,
    happened.DeckReshuffled: _deck_reshuffled,
    happened.RoundStarted: _round_started,
    happened.WinterStarted: _winter_started,
    happened.TurnStarted: _turn_started,
    happened.CardsTaken: _cards_taken,
    happened.CardsDiscarded: _cards_discarded,
    happened.TurnPassed: _turn_passed,
    happened.TurnEnded: _turn_ended,
    happened.GameEnded: _game_ended,
}
