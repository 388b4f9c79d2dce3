"""A house where rulings are disputed: tables with an arbiter, and play up to a ruling of some kind."""

import random
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from events.envelopes import Recorded
from events.lifecycle import DisputeRules, Remedy
from events.log import Log
from projections.disputes import Dispute, Vote
from projections.history import TableHistory
from rulings.other_readings import judge, remedies, ruling_at
from service.accounts import personal_texts
from service.accounts.callers import Caller, Player
from service.command_handler import CommandContext, Outcome
from service.errors import Refused
from service.tables import disputes, leaving, offers
from service.tables.audit import audit
from service.tables.authorisation import Viewer
from service.tables.disputes import AskedRemedy, Contested, Verdict
from service.tables.table_documents import is_ruling
from tests.tables import ANN, PEOPLE, Visit, person
from worker.play_turn import play_turns

IDA = person("Ida")
ARBITER = Caller(IDA, ("play", "watch", "arbitrate"))
MOST_TABLES = 30

Sought = Callable[[Recorded], bool]


@contextmanager
def luck(seed: object) -> Iterator[None]:
    """Tables, their luck and their salts come out of a seed, so that play is the same every time."""
    rng, nonces = random.Random(str(seed)), random.Random(f"{seed} nonces")
    with (
        patch.object(personal_texts, "new_nonce", lambda: nonces.randbytes(personal_texts.NONCE)),
        patch.object(secrets, "token_bytes", rng.randbytes),
        patch.object(secrets, "token_hex", lambda size: rng.randbytes(size).hex()),
    ):
        yield


class NeverCameError(AssertionError):
    """A game that ended before the event came that was sought."""


class Court(Visit):
    """A house, with Ida as the arbiter of its tables."""

    def __init__(self, log: Log | None = None) -> None:
        super().__init__(log)
        self.moves = 0

    def open_disputable(self, game: str, seats: str, *, rules: DisputeRules | None = None, **opening: Any) -> str:
        """A running table whose rulings may be disputed; all people sit down."""
        table = self.open(game, seats, arbiter=IDA.id, disputes=rules or DisputeRules(), **opening)
        for number, word in enumerate(seats.split(), 1):
            if word in PEOPLE and PEOPLE[word] is not ANN:
                self.sit(table, number, PEOPLE[word])
        return table

    def step(self, table: str) -> bool:
        """One move, or one go of the AI seats, by the seat to act; False if there is none."""
        now = self.table(table)
        if not now.decisions:
            return False
        self.moves += 1
        seat = now.seats[now.decisions[0].seat - 1]
        if seat.ai:
            play_turns(self.handler, table, 1)
        else:
            self.play(table, next(p for p in PEOPLE.values() if p.id == seat.player), self.moves)
        return True

    def table_with(self, sought: Sought, game: str, seats: str, **opening: Any) -> tuple[str, Recorded]:
        """The first of some tables at which an event comes that is sought, played up to it."""
        for _ in range(MOST_TABLES):
            table = self.open_disputable(game, seats, **opening)
            if found := self.seek(table, sought):
                return table, found
        raise AssertionError("it never came")

    def play_until(self, table: str, sought: Sought) -> Recorded:
        """Plays until an event of the last batch is the one sought; gives it."""
        found = self.seek(table, sought)
        if not found:
            raise NeverCameError("the game is over, and it never came")
        return found

    def seek(self, table: str, sought: Sought) -> Recorded | None:
        """Plays until an event of the last batch is the one sought; None if it never comes."""
        while True:
            events = self.history(table).events
            last = events[events[-1].envelope.batch[0] - 1 :]
            if found := next((event for event in last if sought(event)), None):
                return found
            if not self.step(table):
                return None

    def changed_by(self, rule: str, options: Mapping[str, Any]) -> Sought:
        """A ruling by this rule that would differ under another reading."""
        remedy = Remedy(reading=dict(options))

        def sought(event: Recorded) -> bool:
            found = ruling_by(rule)(event) and ruling_at(self.history(event.envelope.table), event.version)
            return bool(found and judge(found, rule, remedy).differs)

        return sought

    def mover(self, table: str) -> Player:
        """The person whose turn it is."""
        seat = self.table(table).seats[self.table(table).decisions[0].seat - 1]
        return next(player for player in PEOPLE.values() if player.id == seat.player)

    def finish(self, table: str) -> None:
        """Plays on to the end of the game."""
        while self.step(table):
            pass

    def holds(self, table: str) -> bool:
        """Whether every decision of a table is decided again as it was."""
        return holds(self.history(table))

    def dispute(
        self, table: str, player: Player, ruling: Recorded, rule: str, options: Mapping[str, Any] | None = None
    ) -> str:
        """A player disputes a ruling and asks for another reading, or for whatever there is; the dispute's id."""
        seat = self.table(table).seat_of(player.id) or 0
        asked = {"reading": options} if options else self.remedy(table, ruling, rule)
        return self.ask(table, player, Contested(seat, ruling.version, rule, "It says otherwise.", asked))

    def remedy(self, table: str, ruling: Recorded, rule: str) -> AskedRemedy:
        """The first remedy for a rule of a ruling that makes a difference; a correction where there is none."""
        found = (
            ruling_at(self.history(table), ruling.version) if 0 < ruling.version <= self.table(table).version else None
        )
        judged = (one for one in remedies(found) if one.rule == rule and one.differs) if found else ()
        return next((msgspec.to_builtins(one.remedy) for one in judged), {"correction": 1})

    def ask(self, table: str, player: Player, contested: Contested) -> str:
        """A player disputes a ruling; the dispute's id."""
        outcome = disputes.dispute(self.handler, table, self.sent(player), contested)
        return outcome.table.disputes[-1].dispute

    def resolve(self, table: str, dispute: str, outcome: str, options: Mapping[str, Any] | None = None) -> Outcome:
        """Ida resolves a dispute: by the remedy that it asks for, or by another reading."""
        verdict = Verdict(outcome, "So I read it.", {"reading": options} if options else None)
        return disputes.resolve(self.handler, table, self.asked(ARBITER), dispute, verdict)

    def look(self, table: str, dispute: str, seat: int, caller: Caller = ARBITER) -> Outcome:
        """Ida looks through a seat."""
        return disputes.look(self.handler, table, self.asked(caller), dispute, seat)

    def vote(self, table: str, player: Player, dispute: str, overturn: bool) -> Outcome:
        """A player votes on a dispute."""
        ballot = Vote(self.table(table).seat_of(player.id) or 0, overturn)
        return disputes.vote(self.handler, table, self.sent(player), dispute, ballot)

    def take_back(self, table: str, player: Player) -> Outcome:
        """A player asks to take the last move back."""
        return self.offer(table, player, "takeback")

    def offer(self, table: str, player: Player, kind: str) -> Outcome:
        """A player makes an offer."""
        return offers.make(self.handler, table, self.sent(player), kind, self.table(table).seat_of(player.id))

    def resign(self, table: str, player: Player) -> Outcome:
        """A player resigns."""
        return leaving.resign(self.handler, table, self.sent(player), self.table(table).seat_of(player.id) or 0)

    def agree(self, table: str, player: Player, agrees: bool = True) -> Outcome:
        """A player answers the offer that waits."""
        now = self.table(table)
        asked = now.offer.offer if now.offer else "o0"
        said = offers.Consent(now.seat_of(player.id) or 0, agrees)
        return offers.answer(self.handler, table, self.sent(player), asked, said)

    def asked(self, caller: Caller) -> CommandContext:
        """A request of a caller."""
        return CommandContext(caller.needs(), self.request(), caller.scopes)

    def the(self, table: str, dispute: str) -> Dispute:
        """A dispute as it is now."""
        return next(one for one in self.table(table).disputes if one.dispute == dispute)


def holds(history: TableHistory, over: bool = True) -> bool:
    """Whether the audit of a table holds, for a spectator of a game that is over unless it is not."""
    return bool(audit(history, Viewer(None, over))["holds"])


def refusal(ask: Callable[..., object], *args: Any, **named: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(Refused) as refused:
        ask(*args, **named)
    return refused.value.code


def ruling_by(rule: str) -> Sought:
    """A ruling that applied this rule."""
    return lambda event: is_ruling(event) and rule in event.envelope.payload["rules"]


def types_of(outcome: Outcome) -> list[str]:
    """The types of the events that a request led to."""
    first, last, _ = outcome.span
    return [event.envelope.type for event in outcome.history.events[first - 1 : last]]
