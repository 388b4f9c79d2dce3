"""The start of the game and of every hunt: piles, buffalo on the grounds, first hands (MA-2, MA-3.2 to MA-3.4)."""

from collections import Counter
from typing import Literal

from games.kernel import Chance, Transition
from games.manitou import events as ev
from games.manitou import scoring
from games.manitou.components import FULL_PARTY, GROUNDS, HUNTS, LAYOUT, VALUE, Herd, large_herd, small_herd
from games.manitou.events import Cards
from games.manitou.evolve import Scribe
from games.manitou.house_rules import Options
from games.manitou.state import State
from games.manitou_family_parties import HAND_SIZE, PartySize, shuffled, turn_order


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """MA-2: the game laid out for its first hunt."""
    scribe = Scribe(None)
    small, large = small_herd(options.small_herd_omit), large_herd(options.large_herd_low)
    counts = herd_counts("small", small) + herd_counts("large", large)
    scribe.write(ev.GameStarted(players, options, HUNTS, tuple(counts), options.hide_thief_cards))
    small_order = chance("shuffle_small_buffalo", small, len(small))
    large_order = chance("shuffle_large_buffalo", large, len(large))
    scribe.write(ev.BuffaloPilesShuffled(len(small), len(large), small_order, large_order))
    begin_hunt(scribe)
    return scribe.transition()


def herd_counts(herd: Herd, cards: Cards) -> list[ev.HerdCount]:
    """MA-5.12: how many cards of each value a herd has, in herd order."""
    return [ev.HerdCount(herd, value, count) for value, count in Counter([VALUE[card] for card in cards]).items()]


def begin_hunt(scribe: Scribe) -> None:
    """The next dealer, and how many cards each seat takes on the hunt (MA-3.2, MA-3.3)."""
    state = scribe.state
    dealer = scoring.dealer_of(state.hunt + 1, state.players)
    sizes = [
        PartySize(seat, min(state.options.dealer_party if seat == dealer else FULL_PARTY, len(camp.reserve)))
        for seat, camp in enumerate(state.camps, 1)
    ]
    order = turn_order(dealer, state.players)
    scribe.write(ev.HuntStarted(state.hunt + 1, dealer, order, tuple(sizes), scoring.cards_owned(state)))
    scribe.write(grounds_stocked(scribe.state))


def grounds_stocked(state: State) -> ev.GroundsStocked:
    """MA-2.6: the top cards of the piles, laid out by number of players."""
    piles = {"large": list(state.large), "small": list(state.small)}
    stocks = []
    for ground, herds in zip(GROUNDS, LAYOUT[state.players], strict=True):
        cards = [piles[herd].pop(0) for herd in herds]
        stocks.append(ev.GroundStock(ground, tuple([ev.Buffalo(card, VALUE[card]) for card in cards])))
    return ev.GroundsStocked(state.hunt, tuple(stocks), len(piles["small"]), len(piles["large"]))


def deal_parties(scribe: Scribe, chance: Chance) -> None:
    """MA-3.4: every party is shuffled and three cards are drawn, in turn order; then play begins."""
    dealer = scribe.state.turn_order[-1]
    for seat in scribe.state.turn_order:
        party = scribe.state.camps[seat - 1].party
        scribe.write(ev.PartyShuffled(scribe.state.hunt, seat, shuffled(chance, party)))
        draw(scribe, seat, HAND_SIZE, "play" if seat == dealer else "party")


def draw(scribe: Scribe, seat: int, count: int, phase: Literal["party", "play"]) -> None:
    """MA-3.6: the top cards of the seat's pile, if there are any; `phase` is the one after it."""
    state = scribe.state
    pile = state.camps[seat - 1].pile
    cards = pile[:count]
    if cards:
        count, left = len(cards), len(pile) - len(cards)
        scribe.write(ev.CardsDrawn(hunt=state.hunt, seat=seat, count=count, cards=cards, pile_left=left, phase=phase))
