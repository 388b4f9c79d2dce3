"""Recorded plays are decided today as they were: the same moves bring the same events, to the last secret."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from games import GAMES
from tests.corpus.plays import Play, path_of, played_again, plays_of
from tests.long import long_but_for

OF_EACH = 2000
SAMPLE = 100
MOST_BYTES = 1000  # a play, in its file


def decided_as_recorded(slug: str, plays: Iterator[Play]) -> None:
    for number, play in enumerate(plays):
        assert played_again(slug, play) == (play.events, play.head, True), f"{slug}, play {number}"


@pytest.mark.parametrize("slug", GAMES)
def test_some_plays_are_decided_as_they_were(slug: str) -> None:
    """Spread over the whole file."""
    decided_as_recorded(slug, islice(plays_of(slug), 7, None, OF_EACH // SAMPLE))


@pytest.mark.long
@pytest.mark.parametrize("slug", GAMES)
def test_all_plays_are_decided_as_they_were(slug: str) -> None:
    decided_as_recorded(slug, plays_of(slug))


@pytest.mark.slow
@pytest.mark.parametrize("slug", long_but_for({"tomahawk"}.__contains__, GAMES))
def test_plays_are_many_and_of_every_kind(slug: str) -> None:
    """All numbers of seats, every value of each house rule, everybody who plays; in few bytes each."""
    game, plays = GAMES[slug], list(plays_of(slug))
    assert len(plays) >= OF_EACH
    assert path_of(slug).stat().st_size < MOST_BYTES * len(plays)
    assert {play.players for play in plays} == set(game.players)
    assert {name for play in plays for name in play.by} == {"uniform", "novice", "greedy", "skilled", "expert"}
    seen = Counter((name, str(value)) for play in plays for name, value in play.options.items())
    for option in game.options:
        for value in option.values or ():
            assert seen[option.name, str(value)], f"{option.name}={value}"
