"""Decides: set-up, whose move it is, what a move leads to (MA-2, MA-3, MA-4)."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from games import kernel
from games.kernel import Attempt, Chance, Move, MoveRefused, Transition, check_turn
from games.manitou import scoring
from games.manitou.components import (
    FULL_PARTY,
    GROUNDS,
    HUNTS,
    LAYOUT,
    PREFIX,
    TURNS,
    VALUE,
    Herd,
    in_deck_order,
    large_herd,
    small_herd,
)
from games.manitou.events import (
    Buffalo,
    BuffaloPilesShuffled,
    CardPlayed,
    Cards,
    CardsDrawn,
    GameStarted,
    GroundsStocked,
    GroundStock,
    HerdCount,
    HuntStarted,
    PartyChosen,
    PartyShuffled,
    TurnPassed,
    UnplayedCardsReturned,
)
from games.manitou.laying import check_card, plays, trial_of_strength
from games.manitou.moves import PassTurn, PlayCard, read_move
from games.manitou.options import Options
from games.manitou.state import State, evolve
from games.parties import HAND_SIZE, ChooseParty, PartyChoice, PartySize, check_party, shuffled, turn_order


class Scribe(kernel.Scribe[State]):
    """The scribe of Manitou."""

    __slots__ = ()
    evolve = staticmethod(evolve)


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """MA-2: the game laid out for its first hunt."""
    scribe = Scribe(None)
    small, large = small_herd(options.small_herd_omit), large_herd(options.large_herd_low)
    counts = herd_counts("small", small) + herd_counts("large", large)
    scribe.write(GameStarted(players, options, HUNTS, tuple(counts)))
    small_order = chance("shuffle_small_buffalo", small, len(small))
    large_order = chance("shuffle_large_buffalo", large, len(large))
    scribe.write(BuffaloPilesShuffled(len(small), len(large), small_order, large_order))
    begin_hunt(scribe)
    return scribe.transition()


def herd_counts(herd: Herd, cards: Cards) -> list[HerdCount]:
    """MA-5.12: how many cards of each value a herd has, in herd order."""
    return [HerdCount(herd, value, count) for value, count in Counter([VALUE[card] for card in cards]).items()]


def begin_hunt(scribe: Scribe) -> None:
    """MA-3.2, MA-3.3."""
    state = scribe.state
    dealer = scoring.dealer_of(state.hunt + 1, state.players)
    sizes = [
        PartySize(seat, min(state.options.dealer_party if seat == dealer else FULL_PARTY, len(camp.reserve)))
        for seat, camp in enumerate(state.camps, 1)
    ]
    order = turn_order(dealer, state.players)
    scribe.write(HuntStarted(state.hunt + 1, dealer, order, tuple(sizes), scoring.cards_owned(state)))
    scribe.write(grounds_stocked(scribe.state))


def grounds_stocked(state: State) -> GroundsStocked:
    """MA-2.6: the top cards of the piles, laid out by number of players."""
    piles = {"large": list(state.large), "small": list(state.small)}
    stocks = []
    for ground, herds in zip(GROUNDS, LAYOUT[state.players], strict=True):
        cards = [piles[herd].pop(0) for herd in herds]
        stocks.append(GroundStock(ground, tuple([Buffalo(card, VALUE[card]) for card in cards])))
    return GroundsStocked(state.hunt, tuple(stocks), len(piles["small"]), len(piles["large"]))


def to_act(state: State) -> tuple[int, ...]:
    """MA-3.4, MA-3.5: the seats that owe a decision."""
    if state.phase == "play":
        taken, players = state.turns_taken, state.players
        return (state.turn_order[taken % players],) if taken < TURNS * players else ()
    if state.phase == "party":
        camps = enumerate(state.camps, 1)
        return tuple([seat for seat, camp in camps if camp.party_size and not camp.party_chosen])
    return ()


def legal_moves(state: State, seat: int) -> list[Any]:
    """MA-4.6: what a seat may do now, nothing if it need not act."""
    if seat not in to_act(state):
        return []
    if state.phase == "party":
        camp = state.camps[seat - 1]
        return [PartyChoice(camp.party_size, camp.reserve)]
    return plays(state, seat) or [PassTurn()]


def play(state: State, seat: int, move: Any, chance: Chance) -> Transition[State]:
    """What a move leads to; raises `MoveRefused` with the first rule that forbids it (MA-4.1)."""
    move = read_move(move)
    phase, decide = DECIDE[type(move)]
    check_turn(PREFIX, state, Attempt(seat, move, state.players), in_phase=state.phase == phase, to_act=to_act(state))
    scribe = Scribe(state)
    decide(scribe, seat, move, chance)
    return scribe.transition()


def choose_party(scribe: Scribe, seat: int, move: ChooseParty, chance: Chance) -> None:
    """MA-4.2; with the last choice the hunt begins."""
    state = scribe.state
    camp = state.camps[seat - 1]
    check_party("MA", move.cards, camp.party_size, camp.reserve)
    scribe.write(PartyChosen(state.hunt, seat, len(move.cards), in_deck_order(move.cards)))
    if not to_act(scribe.state):
        deal_parties(scribe, chance)


def deal_parties(scribe: Scribe, chance: Chance) -> None:
    """MA-3.4: every party is shuffled and three cards are drawn, in turn order."""
    for seat in scribe.state.turn_order:
        party = scribe.state.camps[seat - 1].party
        scribe.write(PartyShuffled(scribe.state.hunt, seat, shuffled(chance, party)))
        draw(scribe, seat, HAND_SIZE)


def draw(scribe: Scribe, seat: int, count: int) -> None:
    """MA-3.6: the top cards of the seat's pile, if there are any."""
    state = scribe.state
    pile = state.camps[seat - 1].pile
    cards = pile[:count]
    if cards:
        left = len(pile) - len(cards)
        scribe.write(CardsDrawn(hunt=state.hunt, seat=seat, count=len(cards), cards=cards, pile_left=left))


def turn_now(state: State) -> int:
    """MA-3.5: which of its seven turns the seat to act has, passes counted."""
    return state.turns_taken // state.players + 1


def play_card(scribe: Scribe, seat: int, move: PlayCard, _: Chance) -> None:
    """MA-4.3, MA-3.6: lay the card, try strength, draw."""
    state = scribe.state
    check_card(state, seat, move)
    trial = trial_of_strength(state, seat, move)
    scribe.write(CardPlayed(state.hunt, seat, turn_now(state), move.card, move.ground))
    if trial is not None:
        scribe.write(trial)
    draw(scribe, seat, 1)
    end_turn(scribe)


def pass_turn(scribe: Scribe, seat: int, _: PassTurn, __: Chance) -> None:
    """MA-4.4, ruling MA-R14."""
    state = scribe.state
    open_moves = plays(state, seat)
    if open_moves:
        card, ground = open_moves[0].card, open_moves[0].ground
        raise MoveRefused("MA-4.4", f"{card} may be laid on ground {ground}")
    hand = state.camps[seat - 1].hand
    scribe.write(TurnPassed(state.hunt, seat, turn_now(state), len(hand), ("MA-4.4", "MA-R14")))
    end_turn(scribe)


def end_turn(scribe: Scribe) -> None:
    """MA-3.7, MA-3.8: after the last turn the hunt is scored, and the next begins or the game ends."""
    state = scribe.state
    if state.turns_taken < TURNS * state.players:
        return
    end_hunt(scribe)
    if state.hunt < HUNTS:
        begin_hunt(scribe)
    else:
        scribe.write(scoring.game_ended(scribe.state))


def end_hunt(scribe: Scribe) -> None:
    """MA-5.5 to MA-5.10, step by step over all grounds (ruling MA-R19)."""
    before = scoring.earnings(scribe.state)
    return_unplayed(scribe)
    scribe.write(scoring.force_penalty(scribe.state))
    for ground in GROUNDS:
        scribe.write(scoring.ground_evaluated(scribe.state, ground))
    for ground in GROUNDS:
        scribe.write(scoring.ground_cleared(scribe.state, ground))
    scribe.write(scoring.hunt_ended(scribe.state, before))


def return_unplayed(scribe: Scribe) -> None:
    """MA-5.5."""
    state = scribe.state
    for seat in state.turn_order:
        camp = state.camps[seat - 1]
        cards = in_deck_order(camp.hand + camp.pile)
        if cards:
            scribe.write(UnplayedCardsReturned(state.hunt, seat, len(cards), cards))


DECIDE: dict[type[Move], tuple[str, Callable[[Scribe, int, Any, Chance], None]]] = {
    ChooseParty: ("party", choose_party),
    PlayCard: ("play", play_card),
    PassTurn: ("play", pass_turn),
}
