"""Choosing tribes, and the table laid when all are chosen (PC-2)."""

from collections.abc import Iterator

from games.plenty_coups.components import CAMPS, DECK, HAND, HORSES_PER_CAMP, TRIBES
from games.plenty_coups.events import CampRow, CampsSetUp, DeckShuffled, TribeChosen
from games.plenty_coups.moves import ChooseTribe
from games.plenty_coups.play.display import draw_to_hand, fill_display
from games.plenty_coups.play.scribe import Check, Kind, Scribe, when
from games.plenty_coups.play.turns import start_turn
from games.plenty_coups.state import Camp, State


def _is_not_chosen(state: State, _: Camp, move: ChooseTribe) -> bool:
    return move.tribe not in state.chosen


CHOOSE = (Check("PC-4.10", _is_not_chosen, "{tribe} is chosen already"),)


def _choose(scribe: Scribe, move: ChooseTribe) -> None:
    scribe.write(TribeChosen(len(scribe.state.chosen) + 1, move.tribe))
    if len(scribe.state.chosen) == scribe.state.players:
        _set_up(scribe)


def _set_up(scribe: Scribe) -> None:
    """PC-2.3 to 2.7."""
    scribe.write(_camps(scribe.state))
    order = tuple(scribe.chance("shuffle_deck", DECK, len(DECK)))
    scribe.write(DeckShuffled(len(order), order))
    for tribe in scribe.state.tribes:
        draw_to_hand(scribe, tribe, "opening_hand", HAND)
    fill_display(scribe)
    start_turn(scribe, scribe.state.tribes[0])


def _camps(state: State) -> CampsSetUp:
    """PC-2.3: with 2 players the first tribe that nobody chose sits between them (PC-R41)."""
    seats: list[tuple[int | None, str]] = list(enumerate(state.chosen, 1))
    unchosen = [tribe for tribe in TRIBES if tribe not in state.chosen]
    shared = unchosen.pop(0) if state.players == 2 else None
    if shared is not None:
        seats.insert(1, (None, shared))
    rules = ("PC-2.3", *when(shared, "PC-R41", "PC-R44"), "PC-2.4", "PC-2.5")
    rows = tuple(CampRow(seat, tribe, 1) for seat, tribe in seats)
    plain = CAMPS[state.players] * (HORSES_PER_CAMP - 1)
    return CampsSetUp(rows, shared, tuple(unchosen), plain, rules)


def _choices(state: State, _: None) -> Iterator[ChooseTribe]:
    return (ChooseTribe(tribe) for tribe in TRIBES if tribe not in state.chosen)


KINDS = {ChooseTribe: Kind(_choose, _choices, CHOOSE)}
