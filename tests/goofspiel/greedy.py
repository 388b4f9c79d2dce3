"""A greedy player of Goofspiel, as an installed package may bring one."""

import random
from collections.abc import Sequence
from typing import Any

from wintercount.scaffold.goofspiel import Bid, View
from worker.players import Candidate

NOISE = 2.0


def weigh(view: View, _feed: Sequence[Any], _luck: random.Random) -> list[Candidate]:
    """Bids most what is nearest to the prizes."""
    hand = view.hands[(view.seat or 1) - 1] or ()
    rows = [Candidate(Bid(card), 0, -float(abs(card - sum(view.at_stake)))) for card in hand]
    return sorted(rows, key=lambda row: -row.value)
