"""Courses of cards made a matter of luck, as far as they were not seen.

Two cards that lay in the same place at the same time go each other's ways, over and over, wherever that changes nothing
that was seen. As a gift may be any card of a hand and a pile may lie in any order, all courses that fit are equally
likely. Cards of one face are exchanged as well: which of them goes on is a matter of luck like any other.
"""

from collections import defaultdict
from collections.abc import Iterator

from games.plenty_coups.imagine.card_paths import CardPaths
from games.plenty_coups.imagine.transfers import GIFT, TABLE

Pair = tuple[int, int]  # two arrivals at a place

_NEAR = 8  # later arrivals at a place with which each is exchanged
_ROUNDS = 2  # exchanges tried for each pair
_DETOURS = 8  # one in so many that change something seen is set right by another


def mix(card_paths: CardPaths) -> None:
    """Exchanges at random, so that courses forget how they were found."""
    pairs, below = list(_pairs(card_paths)), card_paths.dice.below
    partners: dict[int, list[int]] = defaultdict(list)
    for one, other in pairs:
        partners[one].append(other)
        partners[other].append(one)
    for _ in range(_ROUNDS * len(pairs)):
        one, other = pairs[below(len(pairs))]
        first, second = card_paths.after[one], card_paths.after[other]
        if first == second or not card_paths.met(one, other):  # neither has left
            continue
        if not card_paths.faults(first, card_paths.face[other]) and not card_paths.faults(second, card_paths.face[one]):
            card_paths.exchange(one, other)
        elif not below(_DETOURS):
            _detour(card_paths, (one, other), partners)


def _pairs(card_paths: CardPaths) -> Iterator[Pair]:
    """Arrivals of cards that may have met where cards leave unseen or lie unseen; in a pile any two may have."""
    hidden = {source for _, source, _, wanted in card_paths.transfers if wanted is None}
    hidden |= {place for place, lying in card_paths.present.items() if lying}
    for place in sorted(hidden - {GIFT, TABLE}):
        arrivals = card_paths.arrivals[place]
        if place in card_paths.shuffles:  # a card seen as it left the pile is known to have lain there
            unseen = [
                at for at in arrivals if card_paths.after[at] < 0 or card_paths.wanted[card_paths.after[at]] is None
            ]
            arrivals = card_paths.dice.shuffled(unseen)
        for number, one in enumerate(arrivals):
            for other in arrivals[number + 1 : number + 1 + _NEAR]:
                yield one, other


def _detour(card_paths: CardPaths, pair: Pair, partners: dict[int, list[int]]) -> None:
    """An exchange that changes something seen, and one that sets it right: some courses are not reached otherwise.

    It may be the same exchange again. The two are as likely as the same two in the other order, which lead back.
    """
    card_paths.exchange(*pair)
    ways = list(_ways_back(card_paths, partners)) or [pair]
    card_paths.exchange(*ways[card_paths.dice.below(len(ways))])
    card_paths.broken.clear()


def _ways_back(card_paths: CardPaths, partners: dict[int, list[int]]) -> Iterator[Pair]:
    """The exchanges after which every card seen is the one wanted."""
    one = card_paths.before[next(iter(card_paths.broken))]
    while one >= 0:
        for other in partners[one]:
            if card_paths.met(one, other) and _change(card_paths, one, other) == -len(card_paths.broken):
                yield one, other
        one = card_paths.before[one]


def _change(card_paths: CardPaths, one: int, other: int) -> int:
    """How many more passages go wrong after an exchange."""
    first, second, face, came = (
        card_paths.after[one],
        card_paths.after[other],
        card_paths.face[one],
        card_paths.face[other],
    )
    now = card_paths.faults(first, face) + card_paths.faults(second, came)
    return card_paths.faults(first, came) + card_paths.faults(second, face) - now
