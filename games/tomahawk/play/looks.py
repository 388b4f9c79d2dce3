"""Mountain looks: who may look into the forests, and what is seen there (TO-5.9)."""

from games.tomahawk import events as e
from games.tomahawk.events import rows
from games.tomahawk.state import State, hidden_now, in_play


def forest_look(state: State, seat: int) -> e.ForestCardsSeen:
    """TO-5.9: what the opponent of `seat` played this turn in forests that are not complete (TO-R26)."""
    piles = hidden_now(state)
    cards = []
    for number in piles:
        pile = state.piles[number - 1]
        card = state.cards[pile.slots[-1].cards[2 - seat]]
        cards.append(
            rows.ForestCard(number, in_play(pile), len(pile.slots), card.card, card.name, card.value, card.hair)
        )
    rules = ("TO-5.9", "TO-R24", "TO-R26")
    return e.ForestCardsSeen(turn=state.turn, seat=seat, piles=piles, count=len(cards), cards=tuple(cards), rules=rules)
