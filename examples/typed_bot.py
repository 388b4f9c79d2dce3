"""A typed bot: it opens a table against an AI player and plays it to its end, any legal move at a time.

    pip install dist/wintercount_client-0.1.0-py3-none-any.whl  # after `make clients`
    python examples/typed_bot.py http://127.0.0.1:8000 [GAME]

`mypy --strict` knows what each move of each game holds, and finds every field that there is not.
"""

import random
import sys
from collections.abc import Iterator

from wintercount_client import Client, Table
from wintercount_client.models import (
    Move,
    Moves,
    OpenDecision,
    TomahawkMove,
    TomahawkPlacement,
    TomahawkPlayCardsSet,
)


def answers(moves: Moves) -> Iterator[tuple[Move, OpenDecision]]:
    """A legal move for each open decision; an entry with `choose` stands for many: so many cards `from` these."""
    for decision in moves["decisions"]:
        move = random.choice(decision["moves"])
        if move["type"] == "choose_party":
            yield {"type": "choose_party", "cards": random.sample(move["from"], move["choose"])}, decision
        elif move["type"] == "play_cards":
            yield laid(move), decision
        else:
            yield move, decision


def laid(many: TomahawkPlayCardsSet) -> TomahawkMove:
    """One of the moves that such an entry stands for: a card on each of the piles."""
    cards = random.sample(many["from"], many["choose"])
    placed: list[TomahawkPlacement] = [{"pile": pile, "card": card} for pile, card in zip(many["piles"], cards)]
    return {"type": "play_cards", "cards": placed}


def play(table: Table) -> None:
    """Answers whatever is open to me, until the table is closed."""
    for moves in table.turns():
        for move, decision in answers(moves):
            table.play(move, decision)


def main(server: str, game: str = "manitou") -> None:
    """A whole game, and how it ended."""
    with Client(server) as client:
        client.register("typed", bot=True)
        table = client.open(game, seats=["me", "greedy"])
        print(table.id, flush=True)
        play(table)
        for event in table.events(language="en"):
            if event["type"] == "GameEnded":
                print(event.get("words"))


if __name__ == "__main__":
    main(*sys.argv[1:])
