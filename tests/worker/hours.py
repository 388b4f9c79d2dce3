"""Days of play in minutes: people who come and go, AI players, and machines whose clocks are wrong now and then."""

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import TimeControl
from events.log import LONGEST_LEASE, Log
from events.recorded import as_read
from events.times import millis
from events.verify import faults
from games import GAMES
from projections.folding import fold
from projections.table import Decision, Table
from projections.timers import TimerName, all_timers, timers
from service.accounts.callers import Player
from service.clock import Clock as MachineClock
from service.commands import CommandHandler
from service.tables.clocks import hand_over, wait
from service.tables.playing import Play, play
from tests.court import luck
from tests.games.random_play import random_move
from tests.tables import ANN, BEN, CAT, DAN, Visit
from worker.dispatch import LEASE_MS, Dispatcher
from worker.turns import play_turns

PEOPLE = (ANN, BEN, CAT, DAN)
CLOCKS = (
    TimeControl("decision", 90),
    TimeControl("decision", 1800),
    TimeControl(kind="fischer", initial_s=600, increment_s=10),
    TimeControl(kind="days", days=1),
)
TABLES = 5  # at the same time
HOUR_S = 3600.0
STEP_S = 60.0  # between two looks, on average
JUMPS_S = (10 * 365 * 86_400.0, -HOUR_S, 300.0, -20.0)
JUMPS, SET_RIGHT = 0.02, 0.15  # how often, of looks, a clock goes wrong, and a wrong one is set right
LEAVES, COMES_BACK = 0.01, 0.02  # how often, of looks, somebody goes away, and is there again
LATER = "9999-12-31T23:59:59.999Z"
SETTLES_S = LONGEST_LEASE * LEASE_MS / 1000 + 1


class Lived(NamedTuple):
    """What happened in so many hours; `faults` is what should not have."""

    hours: float
    tables: int
    events: int
    jumps: int
    expired: int
    faults: list[str]


class Machine:
    """A process on a machine of its own, whose clock is wrong by `wrong_s`."""

    def __init__(self, log: Log, life: "Life") -> None:
        self._life, self.wrong_s = life, 0.0
        self.handler: CommandHandler = Visit(log).handler
        self.handler.clock = MachineClock(lambda: life.now_s + self.wrong_s, lambda: life.now_s)


class Life:
    """Tables on a log, two web servers, a dispatcher and a worker, and people."""

    def __init__(self, log: Log, seed: int, start_s: float) -> None:
        self.log, self.now_s, self.rng = log, start_s, random.Random(seed)
        self.machines = [Machine(log, self) for _ in range(4)]
        *self.webs, self.dispatching, self.working = self.machines
        self.tables: list[str] = []
        self.away: set[str] = set()
        self.jumps = 0
        self._visits = [Visit(log) for _ in self.webs]
        for visit, web in zip(self._visits, self.webs, strict=True):
            visit.handler = web.handler
        self._written_wrong: dict[str, int] = {}  # versions of tables when a clock was last wrong

    def live(self, hours: float) -> Iterator[str]:
        """So many hours, and then as long as it takes until nothing is owed; yields what is wrong."""
        ends_s = self.now_s + hours * HOUR_S
        while self.now_s < ends_s:
            self.now_s = round(self.now_s + self.rng.expovariate(1 / STEP_S), 3)
            self._set_clocks()
            self._come_and_go()
            self._look()
            yield from self._promises()
        yield from self._settle()

    def _set_clocks(self) -> None:
        for machine in self.machines:
            if machine.wrong_s and self.rng.random() < SET_RIGHT:
                machine.wrong_s = 0.0
            elif self.rng.random() < JUMPS:
                machine.wrong_s = self.rng.choice(JUMPS_S)
                self.jumps += 1

    def _come_and_go(self) -> None:
        for person in PEOPLE:
            if person.id in self.away and self.rng.random() < COMES_BACK:
                self.away.remove(person.id)
            elif self.rng.random() < LEAVES:
                self.away.add(person.id)

    def _look(self) -> None:
        """Everybody does what there is to do now."""
        if len(self._open()) < TABLES:
            self._begin()
        self._dispatch()
        for table in self._open():
            for person in PEOPLE:
                if person.id not in self.away:
                    self._act(table, person)
        self._dispatch()
        if any(machine.wrong_s for machine in self.machines):
            self._written_wrong |= {table: self._table(table).version for table in self.tables}

    def _open(self) -> list[str]:
        return [table for table in self.tables if not self._table(table).closed]

    def _table(self, table: str) -> Table:
        return self.working.handler.history(table).table

    def _begin(self) -> None:
        """Opens a table of some game, for Ann, others of the people, and AI players."""
        game = self.rng.choice(sorted(GAMES))
        places = self.rng.choice(GAMES[game].players) - 1
        guests = self.rng.sample(PEOPLE[1:], self.rng.randint(0, min(places, len(PEOPLE) - 1)))
        ai = self.rng.choices(("ai", "greedy"), k=places - len(guests))
        visit = self.rng.choice(self._visits)
        words = ["ann", *(guest.id.removeprefix("p_") for guest in guests), *ai]
        table = visit.open(game, " ".join(words), clock=self.rng.choice(CLOCKS))
        for seat, guest in enumerate(guests, 2):
            visit.sit(table, seat, guest)
        self.tables.append(table)

    def _dispatch(self) -> None:
        """A dispatcher that has just been started, as the wait between two of its larger looks is no time here."""
        owed: list[str] = []
        dispatcher = Dispatcher(self.dispatching.handler, lambda table, _name, _alone: owed.append(table))
        dispatcher.hasten()
        dispatcher.dispatch(range(self.log.ping()["partitions"]))
        for table in dict.fromkeys(owed):
            play_turns(self.working.handler, table)

    def _act(self, table: str, person: Player) -> None:
        """A person plays, or settles the clock of somebody who is away."""
        visit = self.rng.choice(self._visits)
        now = visit.table(table)
        seat = now.seat_of(person.id)
        if seat is None:
            return
        if decision := now.decision_of(seat):
            move = random_move(now.game, now.state, seat, self.rng)
            play(visit.handler, table, Play(seat, move, decision.recorded_id), person.id, visit.request())
        for late in [one for one in visit.table(table).decisions if one.expired and one.seat != seat]:
            if self.rng.random() < 0.5:
                wait(visit.handler, table, late.seat, visit.sent(person), None)
            else:
                hand_over(visit.handler, table, late.seat, visit.sent(person), "uniform")

    def _promises(self) -> Iterator[str]:
        """What is so at every moment: each open decision is due, and wrong clocks put off nothing for long."""
        entries = {entry.member for entry in all_timers(self.log)}
        for table in self._open():
            now = self._table(table)
            yield from (f"{table}: {member} is not due" for member in timers(now).keys() - entries)
            if now.version > self._written_wrong.get(table, 0):
                yield from (f"{table}: {fault}" for one in now.decisions for fault in self._of_deadline(now, one))

    def _of_deadline(self, now: Table, decision: Decision) -> Iterator[str]:
        """Nobody has longer than the clock gives, once anything was written with clocks that are right."""
        clock = now.opened.clock or TimeControl("decision")
        longest_ms = clock.whole_s * 1000 + clock.increment_ms * now.version
        if decision.deadline and millis(decision.deadline) > self.now_s * 1000 + longest_ms:
            yield f"decision {decision.recorded_id} since {decision.since} has until {decision.deadline}"

    def _settle(self) -> Iterator[str]:
        """All clocks are right again and everybody is back: soon nothing is owed, and every record holds."""
        for machine in self.machines:
            machine.wrong_s = 0.0
        self.away.clear()
        for _ in itertools.repeat(None, 5):
            self.now_s += SETTLES_S
            self._dispatch()
        for entry in all_timers(self.log):
            late_s = self.now_s - entry.at_ms / 1000
            if (
                late_s > SETTLES_S
                or late_s < min(0, self.now_s - TimerName.read(entry.member).ends_ms / 1000) - SETTLES_S
            ):
                yield f"{entry.member} is due at {entry.at_ms}"
        for table in self.tables:
            yield from (f"{table}: {fault}" for fault in self._of_record(table))

    def _of_record(self, table: str) -> Iterator[str]:
        """What is wrong with a table's record, and with what it leads to."""
        history = self.working.handler.history(table)
        if fold(None, self.log.read(table)) != history.table:
            yield "folded anew it is another"
        for decision in history.table.decisions:
            if history.table.seats[decision.seat - 1].ai:
                yield f"seat {decision.seat}'s player never played"
            elif not decision.expired and millis(decision.deadline or LATER) < (self.now_s - SETTLES_S) * 1000:
                yield f"seat {decision.seat}'s clock never ran out"
        over = history.table.over
        yield from faults(msgspec.json.decode(canonical(as_read(event, None, over=over))) for event in history.events)


def lived(log: Log, hours: float, seed: int, start_s: float = 1_780_000_000.0) -> Lived:
    """So many hours on an empty log."""
    life = Life(log, seed, start_s)
    with luck(f"hours of seed {seed}"):
        found = list(dict.fromkeys(life.live(hours)))
    histories = [life.working.handler.history(table) for table in life.tables]
    events = [event for history in histories for event in history.events]
    expired = sum(event.envelope.type == "ClockExpired" for event in events)
    return Lived(hours, len(histories), len(events), life.jumps, expired, found)
