"""The steps of a hunt after its turns, one after another until somebody must act (BM-3.10 to BM-3.16)."""

from collections.abc import Callable, Mapping
from typing import Literal

from games.big_manitou import events as ev
from games.big_manitou.components import DECK, GROUNDS, TABLES, in_deck_order, in_tile_order
from games.big_manitou.events.rows import SeatCards
from games.big_manitou.evolve import Scribe
from games.big_manitou.play.order import Step, decks_are_refreshed, no_extra_card, no_hunter_move, step_after
from games.big_manitou.play.tiles import penalty_if_due, waiver
from games.big_manitou.scoring import final_scores
from games.big_manitou.scoring.hunts import assessment, cited, evaluation
from games.big_manitou.setup import begin_hunt
from games.big_manitou.state import dealer_of, hunters_laid, seat_of
from games.kernel import Chance


def after_turns(scribe: Scribe, chance: Chance) -> None:
    """BM-3.10: the extra card is offered to the holder of the totem cylinder, but never to the dealer (BM-R8)."""
    state = scribe.state
    holder = state.totem_cylinder
    if reason := no_extra_card(holder, dealer_of(state)):
        scribe.write(ev.ExtraCardWithheld(state.hunt, holder, reason, cited("BM-3.10", ("BM-R8", holder))))
        after_extra_card(scribe, chance)
    elif holder is not None:
        left = len(seat_of(state, holder).hand)
        scribe.write(ev.ExtraCardOffered(state.hunt, holder, left, cited("BM-3.10", ("BM-R8", left > 1))))


def after_extra_card(scribe: Scribe, chance: Chance) -> None:
    """BM-3.11: the hunter move is offered to the holder of the horse cylinder, if it has laid a hunter (BM-R22)."""
    state = scribe.state
    holder = state.horse_cylinder
    has_hunters = holder is not None and bool(hunters_laid(state, holder))
    if reason := no_hunter_move(holder, has_hunters):
        scribe.write(ev.HunterMoveWithheld(state.hunt, holder, reason, cited("BM-3.11", ("BM-R22", holder))))
        after_hunter_move(scribe, chance)
    elif holder is not None:
        scribe.write(ev.HunterMoveOffered(state.hunt, holder, ("BM-3.11",)))


def after_hunter_move(scribe: Scribe, chance: Chance) -> None:
    """BM-3.12, BM-5.5: who must pay the force penalty is found at once; it is paid in its turn."""
    return_unplayed(scribe)
    scribe.write(assessment(scribe.state))
    _go_on("hunter_move", scribe, chance)


def _go_on(step: Step, scribe: Scribe, chance: Chance) -> None:
    """What follows a step of the hunt."""
    FOLLOWING[step_after(step, scribe.state.hunt)](scribe, chance)


def return_unplayed(scribe: Scribe) -> None:
    """BM-3.12, BM-R21: in turn order, seats without such cards passed over."""
    state = scribe.state
    to: Literal["reserve", "spent"] = "reserve" if state.options.unplayed_cards == "return" else "spent"
    for seat in state.turn_order:
        own = seat_of(state, seat)
        cards = in_deck_order(own.hand + own.pile)
        if cards:
            scribe.write(ev.UnplayedCardsReturned(hunt=state.hunt, seat=seat, count=len(cards), cards=cards, to=to))


def settle_penalty(scribe: Scribe, chance: Chance) -> None:
    """BM-3.13, BM-5.6: waives what cannot be paid, and goes on when nobody owes anything."""
    while scribe.state.owing:
        seat = scribe.state.owing[0]
        if seat_of(scribe.state, seat).tiles:
            return
        scribe.write(waiver(scribe.state, seat))
    _go_on("penalty", scribe, chance)


def evaluate_grounds(scribe: Scribe, chance: Chance) -> None:
    """BM-3.14: the grounds not evaluated yet, until one has tiles to take."""
    for number in GROUNDS[scribe.state.evaluating :]:
        scribe.write(evaluation(scribe.state, number))
        if scribe.state.awards:
            return
        remove_unclaimed(scribe)
    _go_on("grounds", scribe, chance)


def after_award(scribe: Scribe, chance: Chance) -> None:
    """BM-3.14: when the last award of a ground is taken, what is left goes and the next ground follows."""
    if not scribe.state.awards:
        remove_unclaimed(scribe)
        evaluate_grounds(scribe, chance)


def remove_unclaimed(scribe: Scribe) -> None:
    """BM-5.9: tiles that no award covers are out of the game."""
    state = scribe.state
    tiles = in_tile_order(state.grounds[state.evaluating - 1].tiles)
    if tiles:
        phase = penalty_if_due(state, ())
        scribe.write(ev.TilesRemoved(state.hunt, state.evaluating, tiles, "unclaimed", phase, ("BM-5.9", "BM-R15")))


def end_hunt(scribe: Scribe, chance: Chance) -> None:
    """BM-3.15, BM-3.16: the cards are discarded; then the next hunt, with full decks after hunts 2 and 4."""
    state = scribe.state
    laid = [in_deck_order(sum((ground.sides[place] for ground in state.grounds), ())) for place in range(state.players)]
    scribe.write(ev.HuntEnded(state.hunt, tuple([SeatCards(seat, cards) for seat, cards in enumerate(laid, 1)])))
    if state.hunt == TABLES[state.players].hunts:
        scribe.write(final_scores(scribe.state))
        return
    if decks_are_refreshed(state.hunt):
        scribe.write(ev.DecksRefreshed(state.hunt, len(DECK)))
    begin_hunt(scribe, chance)


FOLLOWING: Mapping[Step, Callable[[Scribe, Chance], None]] = {
    "penalty": settle_penalty,
    "grounds": evaluate_grounds,
    "end": end_hunt,
}
