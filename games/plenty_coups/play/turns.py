"""The course of rounds and turns: upkeep, passing, the hand of three, the end (PC-3.4 to 3.12, PC-5.10)."""

from operator import attrgetter
from typing import Literal

from games.plenty_coups.components import HAND, ROUNDS, TO_TAKE, WINTER, in_order
from games.plenty_coups.events import (
    CardsDiscarded,
    DisdainLifted,
    RaidLost,
    RoundStarted,
    TurnEnded,
    TurnPassed,
    TurnStarted,
    WinterStarted,
)
from games.plenty_coups.moves import DiscardExcess, PassTurn
from games.plenty_coups.play.display import draw_to_hand, make_ready, takes_from_display
from games.plenty_coups.play.gifts import may_exchange_free
from games.plenty_coups.play.proposals import expire
from games.plenty_coups.play.raids import bring_home
from games.plenty_coups.play.scribe import Check, Kind, Scribe, sets_of, when
from games.plenty_coups.scoring import ended
from games.plenty_coups.state import (
    Camp,
    State,
    camp_of,
    due_raids,
    is_raid_due,
    is_winter,
    own_camp,
    playing,
    seat_in_turn,
    seat_of,
)


def start_turn(scribe: Scribe, tribe: str) -> None:
    """PC-3.4, and the draw of PC-3.5 that takes no move."""
    if tribe == scribe.state.tribes[0]:
        _start_round(scribe, scribe.state.round + 1)
    state = scribe.state
    take = min(TO_TAKE[state.round], len(state.display)) if takes_from_display(state, state.round) else 0
    seat, actions = seat_in_turn(state, tribe), 1 if is_winter(state) else 2
    scribe.write(TurnStarted(state.round, seat, tribe, actions, take, "take" if take else "actions"))
    if camp_of(state, tribe).disdained:
        _lift_disdain(scribe, tribe)
    for proposal in scribe.state.proposals:
        if proposal.tribe == tribe:
            expire(scribe, proposal, "PC-3.4")
    if state.round == WINTER and state.options.winter_draw == "deck":
        draw_to_hand(scribe, tribe, "winter", TO_TAKE[WINTER])


def _start_round(scribe: Scribe, round_: int) -> None:
    scribe.write(RoundStarted(round_))
    if round_ == WINTER:
        scribe.write(WinterStarted(round_))


def _lift_disdain(scribe: Scribe, tribe: str) -> None:
    """PC-3.4: the coup-stick of disdain goes, and a hand that proved worth is mended."""
    missing, winter = HAND - len(camp_of(scribe.state, tribe).hand), is_winter(scribe.state)
    rules = ("PC-3.4", "PC-R34", *when(winter and missing > 0, "PC-R35"))
    scribe.write(DisdainLifted(playing(scribe.state, tribe), tribe, rules))
    if missing > 0 and not (winter and scribe.state.options.disdain_draw == "before_winter"):
        draw_to_hand(scribe, tribe, "disdain", 1)


def actions_over(state: State) -> bool:
    """PC-3.9 (c): no action and no question is left, no raid must return first, no free exchange is possible."""
    if state.actions or state.phase != "actions":
        return False
    return not must_return(state) and not may_exchange_free(state, own_camp(state))


def must_return(state: State) -> bool:
    """PC-3.6: whether due raids must return before anything else is done."""
    return state.options.raid_return == "first" and is_raid_due(state)


def end_actions(scribe: Scribe) -> None:
    """PC-3.12 (1) and (2): raids left over come home; too large a hand waits for its discard."""
    for raid in due_raids(scribe.state):
        bring_home(scribe, raid, coup=False, left_over=True)
    if scribe.state.phase != "excess":
        end_turn(scribe)


def end_turn(scribe: Scribe) -> None:
    """PC-3.12 (3) to (7): the hand is filled up, the turn ends, and the next begins or the game is over."""
    state = scribe.state
    camp = own_camp(state)
    if not is_winter(state):
        draw_to_hand(scribe, camp.tribe, "refill", HAND - len(camp.hand))
    hand_count = len(own_camp(scribe.state).hand)
    scribe.write(TurnEnded(state.round, playing(state, camp.tribe), camp.tribe, hand_count))
    next_camp = state.tribes.index(camp.tribe) + 1
    if next_camp == len(state.tribes) and state.round == ROUNDS:
        _end_game(scribe)
        return
    next_camp %= len(state.tribes)
    if takes_from_display(state, state.round + (next_camp == 0)):
        make_ready(scribe)
    start_turn(scribe, state.tribes[next_camp])


def _end_game(scribe: Scribe) -> None:
    """PC-5.10: raids still out are lost, open proposals expire, and the points are counted."""
    for raid in scribe.state.raids:
        seat = seat_of(scribe.state, raid.tribe)
        scribe.write(RaidLost(seat, raid.tribe, raid.target, raid.cards, raid.marker, ("PC-5.10", "PC-R39")))
    for proposal in scribe.state.proposals:
        expire(scribe, proposal, "PC-5.10")
    scribe.write(ended(scribe.state))


# --- passing and discarding ---


def _may_pass(state: State, camp: Camp, _: PassTurn) -> bool:
    """PC-4.120; every hand with a card has an action outside winter: it can hunt (PC-4.140)."""
    is_free = state.options.voluntary_pass == "always"  # noqa: S105 - to pass a turn is no password
    return is_free or not state.actions or is_winter(state) or not camp.hand


PASS = (Check("PC-4.120", _may_pass, "an action is possible, and passing is free in winter only"),)


def _pass(scribe: Scribe, _: PassTurn) -> bool:
    """Only who passes can hold too many cards: every action takes one from the hand (PC-3.7)."""
    state, tribe, hand_count = scribe.state, scribe.camp.tribe, len(scribe.camp.hand)
    rules = ("PC-4.120", "PC-R5" if state.actions else "PC-R36")
    phase: Literal["excess", "actions"] = "excess" if hand_count > HAND else "actions"
    scribe.write(TurnPassed(state.round, scribe.seat, tribe, state.actions, hand_count, phase, rules))
    return True


def _passes(state: State, camp: Camp) -> list[PassTurn]:
    move = PassTurn()
    return [move] if _may_pass(state, camp, move) else []


def _discards_down_to_three(_: State, camp: Camp, move: DiscardExcess) -> bool:
    return len(move.cards) == len(camp.hand) - HAND


EXCESS = (Check("PC-4.130", _discards_down_to_three, "not as many cards as the hand exceeds three: {cards}"),)


def _discard_excess(scribe: Scribe, move: DiscardExcess) -> None:
    cards = in_order(move.cards)
    scribe.write(CardsDiscarded(scribe.seat, scribe.camp.tribe, "excess", len(cards), cards, scribe.cost))
    end_turn(scribe)


def _excesses(_: State, camp: Camp) -> list[DiscardExcess]:
    return [DiscardExcess(cards) for cards in sets_of(camp.hand, len(camp.hand) - HAND)]


KINDS = {
    PassTurn: Kind(_pass, _passes, PASS),
    DiscardExcess: Kind(_discard_excess, _excesses, EXCESS, cards=attrgetter("cards")),
}
