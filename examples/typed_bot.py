"""A bot: it opens a table against an AI player and plays it to its end, one random legal move at a time.

pip install dist/wintercount_client-0.1.0-py3-none-any.whl  # after `make clients`
python examples/typed_bot.py http://127.0.0.1:8000 [GAME]
"""

import sys
from random import choice

from wintercount_client import Client


def main(server: str, game: str = "manitou") -> None:
    with Client(server) as client:
        table = client.tables.open(game, ai="greedy")
        print(table.id, flush=True)
        for turn in table.turns():
            turn.play(choice(turn.moves))
        for event in table.events(language="en"):
            if event["type"] == "GameEnded":
                print(event.get("words"))


if __name__ == "__main__":
    main(*sys.argv[1:])
