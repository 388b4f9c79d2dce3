"""Digests of games played at random, the same in every process."""

import hashlib
import itertools
import random
import sys

import msgspec

from games import GAMES
from games.payloads import payload_of
from wintercount.testing.random_games import random_game, random_options


def fingerprint(slug: str, players: int, seed: int, steps: int) -> str:
    """A digest of the first steps of a game: all events with their readers, all lists of moves and all views."""
    game, rng, digest = GAMES[slug], random.Random(seed), hashlib.sha256()
    state = None
    for step in itertools.islice(random_game(game, players, random_options(game, rng), rng), steps):
        for event in step.turn.events:
            digest.update(msgspec.json.encode([payload_of(event), game.readers(state, event)]))
            state = game.evolve(state, event)
        seats = [None, *range(1, players + 1)]
        digest.update(msgspec.json.encode([game.view(state, seat) for seat in seats]))
        digest.update(msgspec.json.encode([game.legal_moves(state, seat) for seat in seats[1:]]))
    return digest.hexdigest()


def fingerprints(seed: int, steps: int = 150) -> list[str]:
    """The digests of one game for every set of rules and every number of players."""
    return [fingerprint(slug, players, seed, steps) for slug, game in GAMES.items() for players in game.players]


if __name__ == "__main__":
    sys.stdout.write("\n".join(fingerprints(int(sys.argv[1]))))
