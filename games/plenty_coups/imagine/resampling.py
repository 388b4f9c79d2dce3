"""Card paths drawn at random among all that agree with what was seen.

Two cards that lay in the same place at the same time go each other's ways from there on, over and over, wherever no
card that was seen would have another face. An exchange undone is the same exchange again, and each pair is tried with
the same chance whatever the paths are: proposals are symmetric, and one that would contradict the feed is refused.
That is the Metropolis rule for a uniform distribution: once paths are uniform among all that agree, they stay so.

Single exchanges may not reach all paths, as two cards that were seen may have to go each other's ways twice. So now
and then an exchange that contradicts the feed is made, and one of those that set it right is made at random. From what
stands between the two the same ones are to choose from on the way back, so this is symmetric as well. The
numbers of exchanges and of later arrivals that a card is exchanged with bound the time; with those below the tests find
no difference from an exact weighing.
"""

from collections import defaultdict
from collections.abc import Iterator

from games.plenty_coups.imagine.card_paths import CardPaths
from games.plenty_coups.imagine.transfers import GIFT, TABLE

Pair = tuple[int, int]  # two arrivals at a place

_NEAR = 8  # later arrivals at a place with which each is exchanged
_ROUNDS = 2  # exchanges tried for each pair
_DETOURS = 8  # one in so many that contradict what was seen is set right by another


def resample(card_paths: CardPaths) -> None:
    """Exchanges at random, so that paths forget how they were found."""
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
    for place in _places_unseen(card_paths):
        arrivals = card_paths.arrivals[place]
        if place in card_paths.shuffles:
            arrivals = card_paths.dice.shuffled([at for at in arrivals if _leaves_unseen(card_paths, at)])
        for number, one in enumerate(arrivals):
            for other in arrivals[number + 1 : number + 1 + _NEAR]:
                yield one, other


def _places_unseen(card_paths: CardPaths) -> list[int]:
    """The places which cards leave unseen, or where they lie unseen now."""
    left = {source for _, source, _, wanted in card_paths.transfers if wanted is None}
    lying = {place for place, cards in card_paths.present.items() if cards}
    return sorted((left | lying) - {GIFT, TABLE})


def _leaves_unseen(card_paths: CardPaths, at: int) -> bool:
    """Whether the card that came by a transfer is still there or left unseen.

    A card seen as it left a pile is known to have lain there, so it takes no part in exchanges.
    """
    after = card_paths.after[at]
    return after < 0 or card_paths.wanted[after] is None


def _detour(card_paths: CardPaths, pair: Pair, partners: dict[int, list[int]]) -> None:
    """An exchange that contradicts what was seen, and one that sets it right: perhaps the same again."""
    card_paths.exchange(*pair)
    ways = list(_ways_back(card_paths, partners)) or [pair]
    card_paths.exchange(*ways[card_paths.dice.below(len(ways))])
    card_paths.broken.clear()


def _ways_back(card_paths: CardPaths, partners: dict[int, list[int]]) -> Iterator[Pair]:
    """The exchanges after which every card seen is the one wanted."""
    one = card_paths.before[next(iter(card_paths.broken))]
    while one >= 0:
        for other in partners[one]:
            if card_paths.met(one, other) and card_paths.worse(one, other) == -len(card_paths.broken):
                yield one, other
        one = card_paths.before[one]
