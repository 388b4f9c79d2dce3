"""Choosing tribes; the last choice lays the table and begins the first turn (PC-2.2 to 2.7)."""

from collections.abc import Iterator

from games.plenty_coups.components import HAND, TRIBES
from games.plenty_coups.events import TribeChosen
from games.plenty_coups.moves import ChooseTribe
from games.plenty_coups.play.display import draw_to_hand, fill_display
from games.plenty_coups.play.scribe import Check, Kind, Scribe
from games.plenty_coups.play.turns import start_turn
from games.plenty_coups.setup import camps_set_up, deck_shuffled
from games.plenty_coups.state import Camp, State


def _is_not_chosen(state: State, _: Camp, move: ChooseTribe) -> bool:
    return move.tribe not in state.chosen


CHOOSE = (Check("PC-4.10", _is_not_chosen, "{tribe} is chosen already"),)


def _choose(scribe: Scribe, move: ChooseTribe) -> None:
    scribe.write(TribeChosen(len(scribe.state.chosen) + 1, move.tribe))
    if len(scribe.state.chosen) == scribe.state.players:
        _lay_table(scribe)


def _lay_table(scribe: Scribe) -> None:
    """PC-2.3 to 2.7: camps, the shuffled deck, a hand for each camp, the display; then the first turn begins."""
    scribe.write(camps_set_up(scribe.state))
    scribe.write(deck_shuffled(scribe.chance))
    for tribe in scribe.state.tribes:
        draw_to_hand(scribe, tribe, "opening_hand", HAND)
    fill_display(scribe)
    start_turn(scribe, scribe.state.tribes[0])


def _choices(state: State, _: None) -> Iterator[ChooseTribe]:
    return (ChooseTribe(tribe) for tribe in TRIBES if tribe not in state.chosen)


KINDS = {ChooseTribe: Kind(_choose, _choices, CHOOSE)}
