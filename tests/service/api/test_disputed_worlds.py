"""Two worlds that differ in what an observer may not know are alike where a ruling is disputed, and play taken back."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rulings.other_readings import alternatives, ruling_at
from service.tables.table_documents import is_ruling
from tests.service.api.interference import Request, Seen, Watched, leaks, newest_of, observers, twin_of
from tests.service.api.world import World, accepted

GAMES = ("big-manitou", "manitou", "plenty-coups")
MOVES = 12  # at least, before a ruling is disputed
MOST_MOVES = 80


class Court:
    """A table at which seat 1 disputes a ruling, and an arbiter who has looked through that seat alone."""

    def __init__(self, world: World, game: str) -> None:
        self.game, self.players = game, [world.somebody(f"Seat {seat}") for seat in (1, 2, 3)]
        self.arbiter = world.again(world.somebody("Ida"), ["play", "watch", "arbitrate"])
        rules = {"by": "arbiter", "play": "goes_on"}
        self.table = world.open(*self.players, game=game, aids=True, disputes=rules, arbiter=self.arbiter.player)
        self.path = f"/v1/tables/{self.table}"
        self.until, rule = self._ruling(world)
        claim = {"seat": 1, "version": self.until, "rule": rule, "claim": "no", "remedy": {"correction": 1}}
        opened = accepted(self.players[0].post(f"{self.path}/disputes", claim), 201)
        self.dispute = f"{self.path}/disputes/{opened['id']}"
        accepted(self.arbiter.post(f"{self.dispute}/looks", {"seat": 1}))

    def _ruling(self, world: World) -> tuple[int, str]:
        """The version of the last ruling that can be corrected, and one of its rules."""
        for seed in range(MOST_MOVES):
            world.play(self.table, *self.players, moves=1, seed=seed)
            history = world.services.handler.history(self.table)
            rulings = [ruling_at(history, event.version) for event in history.events if is_ruling(event)]
            found = [one.event for one in rulings if one and alternatives(one)]
            if found and seed >= MOVES:
                return found[-1].version, str(found[-1].envelope.payload["rules"][0])
        raise AssertionError("no ruling fell")

    def eyes(self) -> Iterator[Request]:
        """What an arbiter reads as the seat that was looked through, and as another."""
        for seat in (1, 2):
            for at in range(self.until - 1, self.until + 2):
                move: Any = {"game": self.game, "seat": seat, "at": at, "move": {"type": "pass_turn"}}
                yield "GET", f"{self.path}?seat={seat}&at={at}", None, {}
                yield "GET", f"{self.path}/blame?seat={seat}&at={at}&path=/view", None, {}
                yield "GET", f"{self.path}/diff?seat={seat}&from=1&to={at}", None, {}
                yield "GET", f"{self.path}/beliefs?seat={seat}&at={at}&worlds=20", None, {}
                yield "POST", f"{self.path}/moves/check", move, {}
            for place in ("/view/over&value=true", f"/version&value={self.until + 1}"):
                yield "GET", f"{self.path}/find?seat={seat}&path={place}", None, {}

    def resolve(self) -> None:
        """The arbiter corrects the ruling, and looks no longer."""
        verdict = {"outcome": "overturned", "text": "So be it."}
        accepted(self.arbiter.post(f"{self.dispute}/resolution", verdict))

    def take_back(self) -> None:
        """Seat 1 asks for a play back; the others have not answered."""
        self.resolve()
        accepted(self.players[0].post(f"{self.path}/offers", {"kind": "takeback", "seat": 1}))

    def told_apart(self, world: World, *, looking: bool) -> list[str]:
        """What tells two worlds apart: the spectator's, each seat's, and the arbiter's own."""
        seen = Seen(world.services, self.table, self.players)
        found = [one for seat in observers(seen) for one in _leaks(seen, twin_of(seen, seat, 1), seat)]
        known = 1 if looking else None  # what an arbiter knows is part of what that seat knows
        one, other = (Watched(side, self.arbiter, self.eyes()) for side in (seen, twin_of(seen, known, 2)))
        return found + _leaks(one, other, None)


def _leaks(one: Seen, other: Seen, seat: int | None) -> list[str]:
    at = newest_of(one)
    return leaks(one.answers(seat, at=at), other.answers(seat, at=at))


@pytest.fixture(scope="module")
def world(own: World) -> World:
    """A service on a store in which nobody else records anything meanwhile."""
    return own


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_open_dispute_tells_no_secret(world: World, game: str) -> None:
    """To an arbiter who looks through one seat, as to everybody else."""
    assert Court(world, game).told_apart(world, looking=True) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("happens", [Court.resolve, Court.take_back], ids=["resolved", "a takeback waits"])
def test_what_follows_a_dispute_tells_no_secret(world: World, game: str, happens: Callable[[Court], None]) -> None:
    """When it is resolved, and where a takeback waits for the others."""
    court = Court(world, game)
    happens(court)
    assert court.told_apart(world, looking=False) == []


@pytest.mark.slow
def test_what_was_looked_at_is_another_world_otherwise(world: World) -> None:
    """So that something is compared: to an arbiter who looks, worlds differ that are alike to a spectator alone."""
    court = Court(world, "manitou")
    seen = Seen(world.services, court.table, court.players)
    one, other = (Watched(side, court.arbiter, court.eyes()) for side in (seen, twin_of(seen, None, 2)))
    assert any("seat=1" in request for request in _leaks(one, other, None))
