"""Courses of cards made a matter of luck, as far as they were not seen.

Two cards that lay in the same place at the same time go each other's ways, over and over, wherever that changes nothing
that was seen. As a gift may be any card of a hand and a pile may lie in any order, all courses that fit are equally
likely. Cards of one face are exchanged as well: which of them goes on is a matter of luck like any other.
"""

from collections import defaultdict
from collections.abc import Iterator

from games.plenty_coups.courses import Courses
from games.plenty_coups.passages import GIFT, TABLE

Pair = tuple[int, int]  # two arrivals at a place

_NEAR = 8  # later arrivals at a place with which each is exchanged
_ROUNDS = 2  # exchanges tried for each pair
_DETOURS = 8  # one in so many that change something seen is set right by another


def mix(courses: Courses) -> None:
    """Exchanges at random, so that courses forget how they were found."""
    pairs, below = list(_pairs(courses)), courses.dice.below
    partners: dict[int, list[int]] = defaultdict(list)
    for one, other in pairs:
        partners[one].append(other)
        partners[other].append(one)
    for _ in range(_ROUNDS * len(pairs)):
        one, other = pairs[below(len(pairs))]
        first, second = courses.after[one], courses.after[other]
        if first == second or not courses.met(one, other):  # neither has left
            continue
        if not courses.faults(first, courses.face[other]) and not courses.faults(second, courses.face[one]):
            courses.exchange(one, other)
        elif not below(_DETOURS):
            _detour(courses, (one, other), partners)


def _pairs(courses: Courses) -> Iterator[Pair]:
    """Arrivals of cards that may have met where cards leave unseen or lie unseen; in a pile any two may have."""
    hidden = {source for _, source, _, wanted in courses.passages if wanted is None}
    hidden |= {place for place, lying in courses.present.items() if lying}
    for place in sorted(hidden - {GIFT, TABLE}):
        arrivals = courses.arrivals[place]
        if place in courses.shuffles:  # a card seen as it left the pile is known to have lain there
            unseen = [at for at in arrivals if courses.after[at] < 0 or courses.wanted[courses.after[at]] is None]
            arrivals = courses.dice.shuffled(unseen)
        for number, one in enumerate(arrivals):
            for other in arrivals[number + 1 : number + 1 + _NEAR]:
                yield one, other


def _detour(courses: Courses, pair: Pair, partners: dict[int, list[int]]) -> None:
    """An exchange that changes something seen, and one that sets it right: some courses are not reached otherwise.

    It may be the same exchange again. The two are as likely as the same two in the other order, which lead back.
    """
    courses.exchange(*pair)
    ways = list(_ways_back(courses, partners)) or [pair]
    courses.exchange(*ways[courses.dice.below(len(ways))])
    courses.broken.clear()


def _ways_back(courses: Courses, partners: dict[int, list[int]]) -> Iterator[Pair]:
    """The exchanges after which every card seen is the one wanted."""
    one = courses.before[next(iter(courses.broken))]
    while one >= 0:
        for other in partners[one]:
            if courses.met(one, other) and _change(courses, one, other) == -len(courses.broken):
                yield one, other
        one = courses.before[one]


def _change(courses: Courses, one: int, other: int) -> int:
    """How many more passages go wrong after an exchange."""
    first, second, face, came = courses.after[one], courses.after[other], courses.face[one], courses.face[other]
    now = courses.faults(first, face) + courses.faults(second, came)
    return courses.faults(first, came) + courses.faults(second, face) - now
