"""Tables played through the use cases: quickly, and as expensively as anybody can make them."""

import itertools
import string
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from benchmarks.charging.serving import Person, Served
from benchmarks.engine import Luck
from events.lifecycle import DisputeRules, SeatOffer
from games.kernel import MoveSet
from projections.disputes import Vote
from projections.table import Decision, Table
from service.accounts.callers import OWN_SCOPES, Caller
from service.commands import CallerContext, CommandContext, Request
from service.errors import Refused
from service.tables import disputes, forks, takebacks
from service.tables.disputes import Contested
from service.tables.opening import Opening, open_table
from service.tables.playing import Play, play
from service.tables.rulings import is_ruling
from service.tables.seating import Sitting, leave_seat, take_seat
from worker.players.chosen import Chosen
from worker.thinking import Question
from worker.turns import WorkerContext, owed, play_turns

NUMBERS = itertools.count(1)
BY_VOTE = DisputeRules(by="vote", play="goes_on", window_s=2_592_000)
CONTRIBUTION = "a crow, " * 8  # as long as one may be
LONGEST = 1000  # characters of what is said


def _given(move: Any, asked: Question) -> Chosen:
    """A move, as if all iterations of a level had gone into it."""
    return Chosen(move, asked.budget)


class Hall:
    """People who play at the tables of a service, all from the same seed."""

    def __init__(self, served: Served, people: int = 6) -> None:
        self.served, self.handler = served, served.services.handler
        self.people = [served.person(f"Wanbli Ska of the Seven Fires {number}") for number in range(1, people + 1)]
        self.luck, self.numbers = Luck(7), 0

    def sent(self, person: Person) -> CommandContext:
        """A request of a person, with a name of its own."""
        return CommandContext(person.player, Request(f"{next(NUMBERS)}", "body"))

    def asked(self, person: Person) -> CallerContext:
        """The same with the person's scopes."""
        return CallerContext(Caller(person.player, OWN_SCOPES), self.sent(person).request)

    def opened(self, game: str, people: int, levels: Sequence[str] = (), **opening: Any) -> str:
        """A running table of so many people, the first of them in the first seats, and AI players behind."""
        seated = self.people[:people]
        offers = [SeatOffer(number, "player", person.player.id) for number, person in enumerate(seated, 1)]
        offers += [SeatOffer(number, "ai", None, level) for number, level in enumerate(levels, people + 1)]
        opening = {"disputes": BY_VOTE, "aids": True, "contribution": CONTRIBUTION, **opening}
        table = open_table(self.handler, self.sent(seated[0]), Opening(game, tuple(offers), **opening)).table.id
        for number, person in enumerate(seated[1:], 2):
            self.sit(table, number, person, opening.get("arbiter"))
        return table

    def sit(self, table: str, seat: int, person: Person, arbiter: str | None = None) -> None:
        """A person takes a seat."""
        take_seat(self.handler, table, seat, self.sent(person), Sitting(CONTRIBUTION, arbiter))

    def leave(self, table: str, seat: int, person: Person) -> None:
        """A person gets up."""
        leave_seat(self.handler, table, seat, self.sent(person))

    def now(self, table: str) -> Table:
        """A table as it is."""
        return self.handler.history(table).table

    def holder(self, now: Table, seat: int) -> Person | None:
        """Who sits there; None for an AI player."""
        return next((one for one in self.people if one.player.id == now.seats[seat - 1].player), None)

    def step(self, table: str) -> Decision | None:
        """A move of a seat that has to decide; which it was, None where nobody has to."""
        now = self.now(table)
        if not now.decisions:
            return None
        decision = self.luck.rng.choice(now.decisions)
        person = self.holder(now, decision.seat)
        if person is None:
            self.play_ai(table)
            return decision
        asked = Play(decision.seat, msgspec.to_builtins(self.move(now, decision.seat)), decision.recorded_id)
        play(self.handler, table, asked, person.player.id, self.sent(person).request)
        return decision

    def move(self, now: Table, seat: int) -> Any:
        """A legal move at random."""
        listed = self.luck.rng.choice(now.game.legal_moves(now.state, seat))
        return listed.sample(self.luck) if isinstance(listed, MoveSet) else listed

    def play_ai(self, table: str, turns: int = 1) -> None:
        """AI players play turns that they owe, at random, and say that it took all iterations of their level.

        Computed again, such a choice takes as many.
        """
        now = self.now(table)
        for _ in range(turns):
            decision = owed(now)
            if decision is None:
                return
            context = WorkerContext(partial(_given, self.move(now, decision.seat)))
            play_turns(self.handler, table, 1, context)
            now = self.now(table)

    def play(self, table: str, moves: int = 10**6) -> int:
        """So many moves, or as many as the game has; how many."""
        return sum(1 for _ in itertools.takewhile(bool, (self.step(table) for _ in range(moves))))

    def take_back(self, table: str, times: int) -> None:
        """A person makes a move and has it back again, so many times; all who are asked agree."""
        while times:
            decision = self.step(table)
            if decision is None:
                return
            person = self.holder(self.now(table), decision.seat)
            if person is None:
                continue
            try:
                takebacks.ask(self.handler, table, self.sent(person), decision.seat)
            except Refused:
                continue
            self.agree(table)
            times -= 1

    def agree(self, table: str) -> None:
        """Everybody who is asked agrees to the takeback that waits."""
        while asked := self.now(table).takeback:
            seat = asked.missing[0]
            person = self.holder(self.now(table), seat)
            if person is None:
                raise RuntimeError("AI players are not asked")
            said = takebacks.Consent(seat, agrees=True)
            takebacks.answer(self.handler, table, self.sent(person), asked.takeback, said)

    def disputable(self, table: str) -> tuple[int, str] | None:
        """The last ruling that may be disputed at a table, with a rule of it; plays on until there is one."""
        while not (history := self.handler.history(table)).table.over:
            for event in reversed(history.events):
                if event.envelope.type == "PlayTakenBack":
                    break
                if (
                    is_ruling(event)
                    and "rules" in event.envelope.payload
                    and "move" in history.events[event.envelope.batch[0] - 1].sealed
                ):
                    return event.version, event.envelope.payload["rules"][0]
            if self.step(table) is None:
                break
        return None

    def dispute(self, table: str, seat: int = 1) -> str | None:
        """Somebody disputes the last ruling, or one to come; the dispute's name."""
        found = self.disputable(table)
        if found is None:
            return None
        claim = self.said()
        outcome = disputes.dispute(
            self.handler, table, self.sent(self.people[seat - 1]), Contested(seat, *found, claim, {})
        )
        return str(outcome.table.disputes[-1].dispute)

    def comment(self, table: str, dispute: str, times: int) -> None:
        """So many comments on a dispute, as long as they may be."""
        for number in range(times):
            disputes.comment(self.handler, table, self.asked(self.people[number % 2]), dispute, self.said())

    def said(self) -> str:
        """A text as long as one may be, and as bad to compress."""
        return "".join(self.luck.rng.choices(string.ascii_letters, k=LONGEST))

    def vote(self, table: str, dispute: str, seats: Iterable[int], *, overturn: bool) -> None:
        """These seats vote on a dispute."""
        for seat in seats:
            ballot = Vote(seat, overturn)
            disputes.vote(self.handler, table, self.sent(self.people[seat - 1]), dispute, ballot)

    def settle(self, table: str, people: int, times: int, *, overturn: bool) -> None:
        """So many disputes by vote, each of which ends so."""
        for _ in range(times):
            dispute = self.dispute(table)
            if dispute is None:
                return
            for seat in range(1, people + 1):
                if self.now(table).disputed:
                    self.vote(table, dispute, [seat], overturn=overturn)

    def branch(self, parent: str, version: int, person: Person, **more: Any) -> str:
        """A branch of a table, whose other seats AI players take."""
        asked = self.asked(person)
        forking = forks.Forking(version, **more)
        seats = forks.seats_of_branch(self.handler.history(parent), asked, forking)
        named = msgspec.structs.replace(forking, seats=seats)
        return forks.fork(self.handler, self.handler.history(parent), asked, named).table.id
