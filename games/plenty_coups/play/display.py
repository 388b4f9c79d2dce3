"""Drawing cards to a hand, and the face-up cards beside the pile (PC-3.10, PC-3.11, PC-5.2, PC-5.3)."""

from typing import Literal

from games.plenty_coups.components import DISPLAY, GROUPS, SWEEPS, WINTER, holds, in_order, without
from games.plenty_coups.events import CardsDrawn, CardsTaken, DisplayCleared, DisplayRefilled, DisplaySwept
from games.plenty_coups.moves import TakeCards
from games.plenty_coups.play.scribe import Check, Kind, Scribe, sets_of, when
from games.plenty_coups.state import Camp, State, seat_of

Reason = Literal["opening_hand", "disdain", "winter", "hunt", "refill"]


def draw_to_hand(scribe: Scribe, tribe: str, reason: Reason, count: int) -> None:
    """PC-5.2: up to `count` cards from the pile to a hand; no event if there is none to draw."""
    cards = scribe.top(count)
    if cards:
        scribe.write(_drawn(scribe.state, tribe, reason, cards))
        scribe.renew_pile_at_once()


def _drawn(state: State, tribe: str, reason: Reason, cards: tuple[str, ...]) -> CardsDrawn:
    return CardsDrawn(
        seat=seat_of(state, tribe),
        tribe=tribe,
        reason=reason,
        count=len(cards),
        cards=in_order(cards),
        pile_left=len(state.pile) - len(cards),
        phase="hunt_discard" if reason == "hunt" else None,
    )


def group_of_three(display: tuple[str, ...]) -> tuple[str, int]:
    """PC-5.3: the group of which at least 3 cards show, and how many; `("", 0)` if there is none."""
    groups = [GROUPS[card] for card in display]
    for group in groups[:2]:  # three of four cards cannot all come later
        if groups.count(group) >= 3:
            return group, groups.count(group)
    return "", 0


def fill_display(scribe: Scribe) -> None:
    """PC-5.3: to four cards; three alike are swept away, at most ten times (PC-R17)."""
    for sweeps in range(SWEEPS + 1):
        cards = scribe.top(DISPLAY - len(scribe.state.display))
        if cards:
            display = scribe.state.display + cards
            scribe.write(DisplayRefilled(cards, display, len(scribe.state.pile) - len(cards)))
            scribe.renew_pile_at_once()
        group, number = group_of_three(scribe.state.display)
        if not number or sweeps == SWEEPS:
            return
        rules = ("PC-5.3", *when(group.startswith("warrior"), "PC-R17"))
        scribe.write(DisplaySwept(in_order(scribe.state.display), group, number, rules))


def takes_from_display(state: State, round_: int) -> bool:
    """PC-3.11: whether a turn in that round takes from the display."""
    return round_ < WINTER or (round_ == WINTER and state.options.winter_draw == "display")


def make_ready(scribe: Scribe) -> None:
    """PC-3.11: the display for the next turn; PC-R3 says what becomes of the cards left."""
    state = scribe.state
    if state.options.display_refresh == "sweep" and state.display:
        scribe.write(DisplayCleared(in_order(state.display), ("PC-3.11", "PC-R3")))
    fill_display(scribe)


def _are_in_display(state: State, _: Camp, move: TakeCards) -> bool:
    return len(move.cards) == state.take and holds(state.display, move.cards)


TAKE = (Check("PC-4.15", _are_in_display, "not the number of cards to take, all in the display: {cards}"),)


def _take(scribe: Scribe, move: TakeCards) -> None:
    left = without(scribe.state.display, move.cards)
    scribe.write(CardsTaken(scribe.seat, scribe.camp.tribe, in_order(move.cards), left))


def _takings(state: State, _: Camp) -> list[TakeCards]:
    return [TakeCards(cards) for cards in sets_of(in_order(state.display), state.take)]


KINDS = {TakeCards: Kind(_take, _takings, TAKE)}
