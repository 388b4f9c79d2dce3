"""Twin worlds at length: `python -m tests.worker.run_twins --positions 500` asks every level at so many a game."""

import argparse
import sys
from itertools import count, cycle

from tqdm import tqdm

from games import GAMES
from service.levels import LEVELS
from tests.worker.test_never_peeks import player_of
from tests.worker.twins import differs, positions


def main() -> None:
    """Stops at the first player that peeks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    asked = parser.parse_args()
    wanted: int = asked.positions
    for name in asked.games:
        game, done = GAMES[name], 0
        with tqdm(total=wanted, desc=name) as bar:
            for players, number in zip(cycle(game.players), count(asked.seed), strict=False):
                for position in positions(name, players, f"long-{number}", every=5):
                    for level in asked.levels:
                        if differs(position, player_of(level)):
                            raise SystemExit(f"{level} peeks: {name}, {players} seats, game {number}")
                    done += 1
                    bar.update()
                    if done == wanted:
                        break
                if done == wanted:
                    break
    sys.stdout.write(f"{wanted * len(asked.games)} positions, each in two worlds: nobody plays otherwise\n")


if __name__ == "__main__":
    main()
