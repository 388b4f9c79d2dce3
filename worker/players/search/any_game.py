"""A searching player of any game: information-set Monte Carlo tree search over the worlds that a seat can imagine.

Each iteration imagines a world, goes down the tree by moves that are legal there, adds one node, plays on at random to
the end, and gives every seat on the way its share of the result (Cowling, Powley and Whitehouse, 'Information set
Monte Carlo tree search', 2012: many trees, one observer). Games with a `search` module of their own do not use it.
"""

import random
from collections.abc import Sequence
from math import log, sqrt
from typing import Any

from games.kernel import AnyGame, MoveSet
from worker.players import Candidate, Chosen, chance_of, pick, pick_move

ITERATIONS = {"skilled": 200, "expert": 1500}
CURIOSITY = 0.7  # the weight of what was tried seldom
SAMPLED = 8  # moves of an entry that stands for many, as a node considers them
LONGEST = 1000  # moves of a game that is played on; one that goes on is taken as it stands


class Node:
    """A position as a seat sees it: how often it was visited and could have been, what it brought, and what follows."""

    __slots__ = ("available", "children", "move", "reward", "visits")

    def __init__(self, move: Any = None) -> None:
        self.move, self.visits, self.available, self.reward = move, 0, 0, 0.0
        self.children: dict[tuple[int, Any], Node] = {}

    @property
    def value(self) -> float:
        """The mean reward of the seat that moved here."""
        return self.reward / self.visits if self.visits else 0.0

    def promise(self) -> float:
        """The upper confidence bound (UCB1), with how often the move was legal in place of the parent's visits."""
        return self.value + CURIOSITY * sqrt(log(self.available) / self.visits)


def choose(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, budget: int) -> Chosen:
    """Returns the move that was visited most, and all that were considered."""
    root, chance = Node(), chance_of(luck)
    for _ in range(budget):
        _try(game, root, game.imagine(view, feed, chance), view.seat, luck)
    ordered = sorted(root.children.values(), key=lambda node: (-node.visits, -node.value))
    return Chosen(ordered[0].move, budget, tuple(Candidate(node.move, node.visits, node.value) for node in ordered))


def _try(game: AnyGame, root: Node, state: Any, seat: int, luck: random.Random) -> None:
    """Goes down the tree in one world, beginning with the seat's own move, and remembers the result."""
    node, path, chance = root, list[tuple[int, Node]](), chance_of(luck)
    while True:
        seats = game.to_act(state)
        if not seats:
            break
        mover = seat if node is root else pick(luck, seats)
        node, is_new = _next(node, mover, _moves(game, state, mover, luck), luck)
        path.append((mover, node))
        state = game.play(state, mover, node.move, chance).state
        if is_new:
            break
    rewards = rewards_of(game, played_on(game, state, luck))
    for mover, visited in path:
        visited.visits += 1
        visited.reward += rewards[mover - 1]


def _moves(game: AnyGame, state: Any, seat: int, luck: random.Random) -> list[Any]:
    """Returns the legal moves; of an entry that stands for many, some."""
    chance, found = chance_of(luck), list[Any]()
    for entry in game.legal_moves(state, seat):
        many = isinstance(entry, MoveSet)
        found += [entry.sample(chance) for _ in range(SAMPLED)] if many else [entry]
    return list(dict.fromkeys(found))


def _next(node: Node, seat: int, moves: Sequence[Any], luck: random.Random) -> tuple[Node, bool]:
    """Returns the node of a move that was never tried, and whether it is one; else that of the most promising move."""
    known = [child for move in moves if (child := node.children.get((seat, move)))]
    for child in known:
        child.available += 1
    if len(known) < len(moves):
        move = pick(luck, [move for move in moves if (seat, move) not in node.children])
        node.children[seat, move] = made = Node(move)
        made.available = 1
        return made, True
    return max(known, key=Node.promise), False


def played_on(game: AnyGame, state: Any, luck: random.Random) -> Any:
    """Returns the end of a game in which every seat plays at random from here on."""
    chance = chance_of(luck)
    for _ in range(LONGEST):
        seats = game.to_act(state)
        if not seats:
            break
        seat = pick(luck, seats)
        state = game.play(state, seat, pick_move(luck, game.legal_moves(state, seat)), chance).state
    return state


def rewards_of(game: AnyGame, state: Any) -> list[float]:
    """Returns what the result is worth to each seat, from 0 to 1: its share of the victory, and a bit for its place."""
    found = game.scores(state)
    ranks = sorted((seat, place.rank) for place in found.ranking for seat in place.seats)
    behind = max(1, len(ranks) - 1)
    return [
        0.8 * (seat in found.winners) / len(found.winners) + 0.2 * (1 - (rank - 1) / behind) for seat, rank in ranks
    ]
