"""Tables for tests: people with names, seats in a word each, and moves out of a seed."""

import hashlib
import itertools
import random
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from events.lifecycle import SeatOffer, TimeControl
from events.log import Log
from events.store import RedisLog
from projections.history import TableCache, TableHistory
from projections.runner import Runner
from projections.table import OpenDecision, Table
from service.accounts.callers import Player
from service.accounts.key_store import Keys
from service.accounts.personal_texts import Texts
from service.accounts.shown_names import DisplayNames, Presenter
from service.command_handler import CommandContext, CommandHandler, Outcome, Request
from service.levels import LEVELS
from service.tables.opening import Opening, Sitting, leave_seat, open_table, seat_ai, take_seat
from service.tables.playing import Play, play
from tests.memory_log import MemoryLog
from wintercount.testing.random_games import random_move
from worker.play_turn import play_turns

OFFERS = {"open": ("open", None, None), "ai": ("ai", None, "uniform")} | {
    level: ("ai", None, level) for level in LEVELS
}


def person(name: str) -> Player:
    """The account of a person."""
    return Player(f"p_{name.lower()}", name, bot=False, at="2026-11-21T09:00:00.000Z")


ANN, BEN, CAT, DAN = map(person, ("Ann", "Ben", "Cat", "Dan"))
LONGEST_GAME = 2000  # decisions of people, between them all that AI seats owe
NUMBERS = itertools.count(1)  # of requests, different ones at all houses
PEOPLE = {player.id.removeprefix("p_"): player for player in (ANN, BEN, CAT, DAN)}


class NamedKeys(Keys):
    """Keys that come out of who it is: the same in every process. Those of `erased` persons are gone."""

    def __init__(self, erased: Iterable[str] = ()) -> None:
        self._erased = set(erased)

    def find(self, persons: Iterable[str]) -> dict[str, bytes]:
        """The keys of those who were not erased."""
        return {person: self.find_or_create(person) for person in set(persons) - self._erased}

    def erased(self, persons: Iterable[str]) -> set[str]:
        """Those of these who were erased."""
        return self._erased & set(persons)

    def find_or_create(self, person: str) -> bytes:
        """A person's key."""
        return hashlib.sha256(f"key of {person}".encode()).digest()


NAMED_KEYS = NamedKeys()
TEXTS = Texts(NAMED_KEYS)


class ById(DisplayNames):
    """Names that come out of the id: `p_ann` is called Ann."""

    def resolve(self, players: Collection[str]) -> Mapping[str, str | None]:
        """As `DisplayNames` does."""
        return {player: player.removeprefix("p_").capitalize() for player in players}


NAMES = ById(None, TEXTS)
TELL = Presenter("en", NAMES).text


class Visit:
    """A house on a log, in memory by default, and what people do there. Every request has a name of its own."""

    def __init__(self, log: Log | None = None) -> None:
        self.log: Log = log or MemoryLog()
        self.handler = CommandHandler(self.log, names=NAMES)

    def sent(self, player: Player, request: Request | None = None) -> CommandContext:
        """A request of a player."""
        return CommandContext(player, request or self.request())

    def request(self) -> Request:
        """A new request."""
        return Request(f"request {next(NUMBERS)}", "body")

    def open(self, game: str, seats: str, *, by: Player = ANN, request: Request | None = None, **opening: Any) -> str:
        """Opens a table; `seats` are names of people, `open`, `ai` or `greedy`, in seat order. Gives its id."""
        return self.opened(game, seats, by=by, request=request, **opening).table.id

    def opened(
        self, game: str, seats: str, *, by: Player = ANN, request: Request | None = None, **opening: Any
    ) -> Outcome:
        """Opens a table, as `open` does, and gives the whole outcome."""
        offers = tuple(_offer(number, word) for number, word in enumerate(seats.split(), 1))
        decision_s = opening.pop("decision_s", None)
        clock = TimeControl("decision", decision_s) if decision_s else opening.pop("clock", None)
        return open_table(self.handler, self.sent(by, request), Opening(game, offers, clock=clock, **opening))

    def sit(self, table: str, seat: int, player: Player, contribution: str | None = None) -> Outcome:
        """A person takes a seat, and agrees to the table's arbiter."""
        sitting = Sitting(contribution, self.table(table).opened.arbiter)
        return take_seat(self.handler, table, self.sent(player), seat, sitting)

    def seat_ai(self, table: str, seat: int, by: Player, level: str = "uniform") -> Outcome:
        """A person gives a seat to an AI."""
        return seat_ai(self.handler, table, self.sent(by), seat, level)

    def leave(self, table: str, seat: int, player: Player, request: Request | None = None) -> Outcome:
        """A person gets up."""
        return leave_seat(self.handler, table, self.sent(player, request), seat)

    def history(self, table: str) -> TableHistory:
        """The history of a table."""
        return self.handler.history(table)

    def table(self, table: str) -> Table:
        """A table as it is now."""
        return self.history(table).table

    def decision(self, table: str, player: Player) -> OpenDecision:
        """What a person has to decide now."""
        now = self.table(table)
        seat = now.seat_of(player.id)
        found = now.decision_of(seat) if seat else None
        assert found, f"{player.name} has nothing to decide"
        return found

    def move(self, table: str, player: Player, seed: int = 1) -> Any:
        """A legal move of a person, by a seed."""
        now = self.table(table)
        return random_move(now.game, now.state, self.decision(table, player).seat, random.Random(seed))

    def play(self, table: str, player: Player, seed: int = 1, request: Request | None = None) -> Outcome:
        """A person plays a move that the seed picks."""
        decision = self.decision(table, player)
        asked = Play(decision.seat, self.move(table, player, seed), decision.recorded_id)
        return self.play_move(table, player, asked, request)

    def play_move(self, table: str, player: Player, asked: Play, request: Request | None = None) -> Outcome:
        """A person plays this very move."""
        return play(self.handler, table, asked, player.id, request or self.request())

    def play_to_the_end(self, table: str, seed: int = 1) -> TableHistory:
        """People and AI play until the game is over, or until nobody has to decide."""
        for number in itertools.count(seed):
            assert number < LONGEST_GAME, "a game without end"
            decisions = self.table(table).decisions
            if not decisions:
                break
            seat = self.table(table).seats[decisions[0].seat - 1]
            if seat.ai:
                play_turns(self.handler, table)
            else:
                self.play(table, next(p for p in PEOPLE.values() if p.id == seat.player), number)
        return self.history(table)


def catch_up(log: RedisLog) -> int:
    """Brings all projections forward, as a process does that has just started; how many batches that took in."""
    return Runner(log, TableCache(log)).catch_up(range(log.partitions))


def _offer(number: int, word: str) -> SeatOffer:
    if word in PEOPLE:
        return SeatOffer(number, "player", PEOPLE[word].id)
    kind, player, level = OFFERS[word]
    return SeatOffer(number, kind, player, level)
