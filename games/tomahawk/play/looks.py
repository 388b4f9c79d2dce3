"""Mountain looks: who may look into the forests, who is asked, and what is seen there (TO-5.9)."""

from games.tomahawk import events as e
from games.tomahawk.components import PILES, SEATS, SPECIES
from games.tomahawk.events import rows
from games.tomahawk.state import State, in_play, is_complete


def hidden_now(state: State) -> tuple[int, ...]:
    """The piles whose forest is not complete: its newest slot, that of this turn, is what one may look at."""
    return tuple(
        [n for n, pile in zip(PILES, state.piles, strict=True) if pile.slots and pile.slots[-1].values is None]
    )


def lookers(state: State) -> tuple[int, ...]:
    """The seats that have won a mountain this turn, if there is something to look at."""
    if not hidden_now(state):
        return ()
    return tuple(
        seat
        for seat, side in zip(SEATS, state.sides, strict=True)
        if any(won.turn == state.turn and won.species == SPECIES["mountain"] for won in side.won)
    )


def asked(state: State) -> tuple[int, ...]:
    """With `mountain_look: "ask"` the seats that are asked for a look, once no battle is left to judge."""
    if state.options.mountain_look == "automatic" or any(map(is_complete, state.piles)):
        return ()
    return lookers(state)


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
