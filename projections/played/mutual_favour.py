"""Seats that favour each other beyond luck: what pairs scored together, against what their ratings let expect.

A pair is tested in three ways: whether both are ahead of the others at the table more often than expected, and whether
one is ahead of the other. Scores lie between 0 and 1, so Hoeffding's bound holds for any number of games: it says how
far luck alone carries a mean, and is corrected for the number of tests (Bonferroni). Ratings are never quite right, so
that a pair has to exceed what they let expect by a margin. And a pair that meets often makes its own ratings: so what
is expected is set right by how far each scored beyond or below expectation in the games without the other.
"""

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import msgspec

from projections.played.games import Game
from projections.played.plackett_luce import LUCK, NEW, UNIT, Rating

LEAST_GAMES = 10  # of a pair that is tested: fewer tell nothing that luck does not
MARGIN = 0.05
ERROR = 0.01  # how often an honest population is told to have any such pair, at most
STEPS = 60  # of a search by halves
TOGETHER, GIVES_WAY = "together", "gives_way"
AI = "ai:"


class HeldSeat(NamedTuple):
    """A seat of a game: who held it, the place it came to, and the rating before."""

    holder: str
    rank: int
    before: Rating


class Favour(NamedTuple):
    """What two scored, in a mean of so many games: `gives_way` is the score of `to` against `by`.

    By luck alone the mean that shows lies within `lowest` and `highest` of the true one.
    """

    kind: str
    by: str
    to: str
    games: int
    score: float
    expected: float
    lowest: float
    highest: float

    @property
    def stands_out(self) -> bool:
        """Whether luck does not explain it."""
        return self.lowest > self.expected + MARGIN


class Sum(NamedTuple):
    """What was scored and expected in some games, and by how much either of a pair exceeded that against everybody."""

    games: int = 0
    score: float = 0.0
    expected: float = 0.0
    by_beyond: float = 0.0
    to_beyond: float = 0.0

    def plus(self, *figures: float) -> "Sum":
        """With one game more."""
        before = (self.score, self.expected, self.by_beyond, self.to_beyond)
        return Sum(self.games + 1, *(one + more for one, more in zip(before, figures, strict=True)))


class Beyond(NamedTuple):
    """By how much somebody exceeded what was expected, over so many games."""

    games: int = 0
    total: float = 0.0

    def without(self, games: int, total: float) -> float:
        """The mean in the other games, as far as luck does not explain it: two standard errors are taken off."""
        left = self.games - games
        if not left:
            return 0.0
        mean = (self.total - total) / left
        return math.copysign(max(0.0, abs(mean) - 1 / math.sqrt(left)), mean)


Key = tuple[str, str, str]


def favours(games: Iterable[Sequence[HeldSeat]]) -> list[Favour]:
    """What all pairs scored that met often enough, the most striking first."""
    sums, all_games = dict[Key, Sum](), dict[str, Beyond]()
    for game in games:
        settled = [one for one in game if one.before.settled]
        spread = math.sqrt(sum((one.before.deviation / UNIT) ** 2 + LUCK**2 for one in game))
        beyond = _beyond(settled, spread)
        for name, figure in beyond.items():
            games_before, total = all_games.get(name, Beyond())
            all_games[name] = Beyond(games_before + 1, total + figure)
        for key, score, expected in _scores(settled, spread):
            sums[key] = sums.get(key, Sum()).plus(score, expected, beyond[key[1]], beyond[key[2]])
    tested = {key: found for key, found in sums.items() if found.games >= LEAST_GAMES}
    found = [_favour(key, one, all_games, len(tested)) for key, one in tested.items()]
    return sorted(found, key=lambda one: (one.expected - one.lowest, one[:3]))


def _beyond(settled: Sequence[HeldSeat], spread: float) -> dict[str, float]:
    """By how much each exceeded in a game what was expected against all others there."""
    found = {}
    for one in settled:
        met = [_score(one, other) - _expected(one, other, spread) for other in settled if other.holder != one.holder]
        if met:
            found[one.holder] = sum(met) / len(met)
    return found


def _scores(settled: Sequence[HeldSeat], spread: float) -> Iterator[tuple[Key, float, float]]:
    """What each pair of people scored in a game and what was expected, among those whose ratings are settled."""
    people = [one for one in settled if not one.holder.startswith(AI)]
    for by, to in permutations(people, 2):
        if by.holder != to.holder:
            yield (GIVES_WAY, by.holder, to.holder), *_means([(to, by)], spread)
        if by.holder < to.holder and (met := _met(by, to, settled)):
            yield (TOGETHER, by.holder, to.holder), *_means(met, spread)


def _met(one: HeldSeat, other: HeldSeat, settled: Sequence[HeldSeat]) -> list[tuple[HeldSeat, HeldSeat]]:
    """Either of two with each of the others."""
    others = [each for each in settled if each.holder not in (one.holder, other.holder)]
    return [(mine, each) for mine in (one, other) for each in others]


def _means(met: Sequence[tuple[HeldSeat, HeldSeat]], spread: float) -> tuple[float, float]:
    """What some scored against others, and what was expected."""
    scores, expected = zip(*((_score(*two), _expected(*two, spread)) for two in met), strict=True)
    return sum(scores) / len(met), sum(expected) / len(met)


def _score(one: HeldSeat, other: HeldSeat) -> float:
    return 0.5 if one.rank == other.rank else float(one.rank < other.rank)


def _expected(one: HeldSeat, other: HeldSeat, spread: float) -> float:
    """How often one is ahead of the other, by the model of Plackett and Luce that rates them."""
    return 1 / (1 + math.exp((other.before.rating - one.before.rating) / UNIT / spread))


def _favour(key: Key, found: Sum, all_games: Mapping[str, Beyond], tests: int) -> Favour:
    by = all_games[key[1]].without(found.games, found.by_beyond)
    to = all_games[key[2]].without(found.games, found.to_beyond)
    shift = (by + to) / 2 if key[0] == TOGETHER else to - by
    score = found.score / found.games
    expected = min(1.0, max(0.0, found.expected / found.games + shift))
    far = math.log(tests / ERROR) / found.games
    lowest, highest = _edge(score, 0.0, far), _edge(score, 1.0, far)
    return Favour(*key, found.games, *(round(figure, 4) for figure in (score, expected, lowest, highest)))


def _edge(score: float, towards: float, far: float) -> float:
    """How far from the score, in a direction, the true mean may lie."""
    near, beyond = score, towards
    for _ in range(STEPS):
        middle = (near + beyond) / 2
        near, beyond = (middle, beyond) if _divergence(score, middle) <= far else (near, middle)
    return near


def _divergence(score: float, mean: float) -> float:
    """The relative entropy of two coins (Kullback and Leibler)."""
    parts = ((score, mean), (1 - score, 1 - mean))
    return sum(one * math.log(one / other) if other else math.inf for one, other in parts if one > 0)


def rated_games(database: sqlite3.Connection) -> Iterator[list[HeldSeat]]:
    """The rated games of all scales, each with what was known before it."""
    asked = (
        "select game, players, place, row from games join shown using (place) where rated order by game, players, place"
    )
    points = "select holder, rating, deviation, games from points where game = ? and players = ? and place = ?"
    scale, known = ("", 0), dict[str, Rating]()
    for game, players, place, row in database.execute(asked):
        if scale != (game, players):
            scale, known = (game, players), {}
        played = Game.of_row(msgspec.json.decode(row))
        yield held(played.holders, played.ranks, known.get)
        known |= {one[0]: Rating(*one[1:]) for one in database.execute(points, (game, players, place))}


def held(holders: Sequence[str], ranks: Sequence[int], known: Callable[[str, Rating], Rating]) -> list[HeldSeat]:
    """The seats of a game, by what is known before it."""
    return [HeldSeat(one, rank, known(one, NEW)) for one, rank in zip(holders, ranks, strict=True)]


def seated_together(database: sqlite3.Connection, since_ms: int) -> Iterator[list[str]]:
    """The people of each game that ended since then, public or not."""
    asked = "select place, holder from holders where place >= ? and holder not like 'ai:%' order by place, holder"
    place, people = "", list[str]()
    for at, holder in database.execute(asked, (f"{since_ms:015d}|",)):
        if at != place and people:
            yield people
            people = []
        place = at
        people.append(holder)
    if people:
        yield people
