"""Estimates the probabilities of hidden cards for a seat, as frequencies among imagined worlds.

Hidden places are those that a game's open view shows and the seat's view does not, named by JSON Pointers (RFC 6901)
into the view. Standard errors come from the means of batches of worlds, because worlds may depend on one another
(Alexopoulos and Seila, 'Implementing the batch means method', 1996).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

import msgspec

from games.kernel import AnyGame, Chance

BATCHES = 20  # of worlds, for the errors
DIGITS = 4  # of probabilities and errors


class Likely(msgspec.Struct, frozen=True):
    """A card that may be in a place: the share of worlds in which it is, and the standard error of that share.

    `expected` is the average number of such cards there, for cards that exist more than once.
    """

    card: str
    likelihood: float
    error: float
    expected: float


class HiddenPlace(msgspec.Struct, frozen=True):
    """A place hidden from the seat, and the cards that may be there, the likeliest first."""

    path: str
    cards: tuple[Likely, ...]


def worlds_of(game: AnyGame, view: Any, feed: Sequence[Any], chance: Chance, count: int) -> Iterator[Any]:
    """Yields `count` states that the seat cannot distinguish from the true one."""
    if game.worlds is not None:
        return game.worlds(view, feed, chance, count)
    return (game.imagine(view, feed, chance) for _ in range(count))


def beliefs(game: AnyGame, view: Any, feed: Sequence[Any], chance: Chance, count: int) -> tuple[HiddenPlace, ...]:
    """Estimates the cards in each hidden place from `count` worlds (a multiple of `BATCHES`)."""
    seen = msgspec.to_builtins(view)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for number, world in enumerate(() if seen["over"] else worlds_of(game, view, feed, chance, count)):
        for path, cards in hidden(game.hidden, seen, msgspec.to_builtins(game.open_view(world))):
            tallies[path].add(number * BATCHES // count, cards)
    return tuple([HiddenPlace(path, tally.shares(count)) for path, tally in sorted(tallies.items())])


class Tally:
    """Counts for one place: the worlds of each batch with a card, and the copies of the card."""

    def __init__(self) -> None:
        self.found: dict[str, list[int]] = defaultdict(lambda: [0] * BATCHES)
        self.copies: Counter[str] = Counter()

    def add(self, batch: int, cards: Sequence[str]) -> None:
        """Counts the cards of one world."""
        self.copies.update(cards)
        for card in set(cards):
            self.found[card][batch] += 1

    def shares(self, count: int) -> tuple[Likely, ...]:
        """Returns the share of each card in `count` worlds, the likeliest first."""
        rows = [self._share(card, count) for card in self.found]
        return tuple(sorted(rows, key=lambda row: (-row.likelihood, row.card)))

    def _share(self, card: str, count: int) -> Likely:
        size, found = count / BATCHES, self.found[card]
        share = sum(found) / count
        spread = sum((times / size - share) ** 2 for times in found) / (BATCHES - 1)
        error, expected = sqrt(spread / BATCHES), self.copies[card] / count
        return Likely(card, round(share, DIGITS), round(error, DIGITS), round(expected, DIGITS))


def hidden(names: Sequence[str], seen: Any, full: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yields the places with these names that a view does not show, with their cards in the open view."""
    if isinstance(full, Mapping):
        for name, value in full.items():
            if name in names and name not in seen:
                yield f"{path}/{name}", faces(value)
            elif isinstance(value, dict | list | tuple) and name in seen:
                yield from hidden(names, seen[name], value, f"{path}/{name}")
    elif isinstance(seen, list | tuple) and len(seen) == len(full):
        for number, pair in enumerate(zip(seen, full, strict=True)):
            yield from hidden(names, *pair, f"{path}/{number}")


def faces(value: Any) -> list[str]:
    """Returns the cards of a place by their faces."""
    if isinstance(value, list | tuple):
        return [face for item in value for face in faces(item)]
    if isinstance(value, Mapping):  # its id does not reveal its face (TO-1.7)
        return ["-".join(str(part) for name, part in value.items() if name != "card")]
    return [value]
