"""The course of the game: choosing tribes, rounds and turns, passing, the hand of three, the end (PC-2, PC-3)."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Literal

from games.deciding import when
from games.plenty_coups import events as ev
from games.plenty_coups import moves as mv
from games.plenty_coups.alliances import expire
from games.plenty_coups.cards import draw_to_hand, fill_display, make_ready, may_exchange_free, takes_from_display
from games.plenty_coups.components import HAND, ROUNDS, TO_TAKE, TRIBES, WINTER, in_order
from games.plenty_coups.raids import bring_home
from games.plenty_coups.scoring import scores
from games.plenty_coups.scribe import Check, Kind, Scribe, sets_of
from games.plenty_coups.setup import camps_set_up, deck_shuffled
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

# --- choosing tribes ---


CHOOSE = (Check("PC-4.10", lambda state, _, move: move.tribe not in state.chosen, "{tribe} is chosen already"),)


def _choose(scribe: Scribe, move: mv.ChooseTribe) -> None:
    scribe.write(ev.TribeChosen(len(scribe.state.chosen) + 1, move.tribe))
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


def _choices(state: State, _: None) -> Iterator[mv.ChooseTribe]:
    return (mv.ChooseTribe(tribe) for tribe in TRIBES if tribe not in state.chosen)


# --- rounds and turns ---


def start_turn(scribe: Scribe, tribe: str) -> None:
    """PC-3.4, and the draw of PC-3.5 that takes no move."""
    if tribe == scribe.state.tribes[0]:
        _start_round(scribe, scribe.state.round + 1)
    state = scribe.state
    take = min(TO_TAKE[state.round], len(state.display)) if takes_from_display(state, state.round) else 0
    seat, actions = seat_in_turn(state, tribe), 1 if is_winter(state) else 2
    scribe.write(ev.TurnStarted(state.round, seat, tribe, actions, take, "take" if take else "actions"))
    if camp_of(state, tribe).disdained:
        _lift_disdain(scribe, tribe)
    for proposal in scribe.state.proposals:
        if proposal.tribe == tribe:
            expire(scribe, proposal, "PC-3.4")
    if state.round == WINTER and state.options.winter_draw == "deck":
        draw_to_hand(scribe, tribe, "winter", TO_TAKE[WINTER])


def _start_round(scribe: Scribe, round_: int) -> None:
    scribe.write(ev.RoundStarted(round_))
    if round_ == WINTER:
        scribe.write(ev.WinterStarted(round_))


def _lift_disdain(scribe: Scribe, tribe: str) -> None:
    """PC-3.4: the coup-stick of disdain goes, and a hand that proved worth is mended."""
    missing, winter = HAND - len(camp_of(scribe.state, tribe).hand), is_winter(scribe.state)
    rules = ("PC-3.4", "PC-R34", *when(winter and missing > 0, "PC-R35"))
    scribe.write(ev.DisdainLifted(playing(scribe.state, tribe), tribe, rules))
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
    scribe.write(ev.TurnEnded(state.round, playing(state, camp.tribe), camp.tribe, hand_count))
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
        scribe.write(ev.RaidLost(seat, raid.tribe, raid.target, raid.cards, raid.marker, ("PC-5.10", "PC-R39")))
    for proposal in scribe.state.proposals:
        expire(scribe, proposal, "PC-5.10")
    scribe.write(_ended(scribe.state))


def _ended(state: State) -> ev.GameEnded:
    """PC-6.8: the event that ends the game; the shared tribe takes no prize (PC-R51)."""
    found = scores(state)
    sheets = (*found.scores, *((found.shared_tribe,) if found.shared_tribe else ()))
    rules = (
        "PC-6.1",
        "PC-6.2",
        "PC-6.3",
        *when(any(not row.horses for row in sheets), "PC-R37"),
        "PC-6.4",
        "PC-6.5",
        "PC-6.6",
        *when(any(row.combined for row in sheets), "PC-R38"),
        "PC-6.8",
        *when(found.shared_tribe and found.shared_tribe.would_rank == 1, "PC-R51"),
    )
    return ev.GameEnded(found.scores, found.shared_tribe, found.ranking, found.winners, rules)


# --- passing and discarding ---


def pass_turn(scribe: Scribe, _: mv.PassTurn) -> bool:
    """PC-4.120: gives up the actions left. Only a tribe that passes can hold too many cards (PC-3.7)."""
    state, tribe, hand_count = scribe.state, scribe.camp.tribe, len(scribe.camp.hand)
    rules = ("PC-4.120", "PC-R5" if state.actions else "PC-R36")
    phase: Literal["excess", "actions"] = "excess" if hand_count > HAND else "actions"
    scribe.write(ev.TurnPassed(state.round, scribe.seat, tribe, state.actions, hand_count, phase, rules))
    return True


def _discards_down_to_three(_: State, camp: Camp, move: mv.DiscardExcess) -> bool:
    return len(move.cards) == len(camp.hand) - HAND


EXCESS = (Check("PC-4.130", _discards_down_to_three, "not as many cards as the hand exceeds three: {cards}"),)


def _discard_excess(scribe: Scribe, move: mv.DiscardExcess) -> None:
    cards = in_order(move.cards)
    scribe.write(ev.CardsDiscarded(scribe.seat, scribe.camp.tribe, "excess", len(cards), cards, scribe.cost))
    end_turn(scribe)


def _excesses(_: State, camp: Camp) -> list[mv.DiscardExcess]:
    return [mv.DiscardExcess(cards) for cards in sets_of(camp.hand, len(camp.hand) - HAND)]


KINDS = {
    mv.ChooseTribe: Kind(_choose, _choices, CHOOSE),
    mv.DiscardExcess: Kind(_discard_excess, _excesses, EXCESS, cards=attrgetter("cards")),
}
