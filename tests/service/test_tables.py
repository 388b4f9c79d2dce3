"""What people ask for at tables, without any web: opening, sitting, leaving, playing; and how few trips it takes."""

import threading
from collections import Counter
from typing import Any

import msgspec
import pytest

from events.log import Batch, Conflict, LogDamaged, Span
from events.store import RedisLog
from service.accounts.callers import Player
from service.commands import CommandHandler, Request
from service.errors import Refused
from service.tables.playing import Play, play
from tests.memory_log import MemoryLog
from tests.tables import ANN, BEN, CAT, DAN, Visit


def refused(code: str) -> Any:
    """A refusal with this code."""
    return pytest.raises(Refused, match=f"^{code}:")


def types(visit: Visit, table: str) -> list[str]:
    """The types of a table's events."""
    return [event.envelope.type for event in visit.history(table).events]


# Opening


def test_a_table_opens_with_a_commitment_to_its_luck(visit: Visit) -> None:
    """The first event commits to the seed, which nobody may read; no two tables have the same."""
    one, two = (visit.history(visit.open("manitou", "ann open")).events[0] for _ in range(2))

    assert one.envelope.readers == {"seed": []}
    assert len(bytes.fromhex(one.payload["seed"])) == 32
    assert one.payload["seed"] != two.payload["seed"]


def test_house_rules_are_recorded_in_full(visit: Visit) -> None:
    """Options not given stand in the first event with their defaults, so that later defaults change nothing."""
    table = visit.table(visit.open("manitou", "ann open"))

    assert set(table.opened.options) == {option.name for option in table.game.options}
    assert table.opened.rules_version == table.game.rules_version


@pytest.mark.parametrize("span", ["1:1", "2:1", "2:3", "0:0", "90:91"])
def test_an_answer_that_is_not_the_requests_own_is_damage(valkey_log: RedisLog, span: str) -> None:
    """Where the store lost its events, or a digit: a repeat is not told that others' moves, or none, are its own."""
    visit, request = Visit(valkey_log), Request("mine", "body")
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    decision = visit.decision(table, ANN)
    asked = Play(decision.seat, visit.move(table, ANN), decision.recorded_id)
    visit.play_move(table, ANN, asked, request)
    valkey_log.client.hset(valkey_log.table_key(table, "requests"), "mine", f"body:{span}")

    for process in (visit, Visit(valkey_log)):
        with pytest.raises(LogDamaged, match=r"as the answer to a request, and they are not"):
            process.play_move(table, ANN, asked, request)


# Sitting down


def test_a_bot_that_sits_down_is_told_as_one(visit: Visit) -> None:
    """Whoever plays against it may know."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, msgspec.structs.replace(BEN, bot=True))
    visit.sit(table, 3, CAT)

    assert [seat.bot for seat in visit.table(table).seats] == [False, True, False]


def test_two_who_want_the_same_seat(visit: Visit) -> None:
    """Of two who sit down at once on the same stale state, one gets the seat and the other is told that it is taken."""
    table = visit.open("manitou", "ann open open")
    slow = Visit(visit.log)
    slow.history(table)
    visit.sit(table, 2, BEN)

    with refused("seat-taken"):
        slow.sit(table, 2, CAT)
    assert slow.sit(table, 3, CAT).table.status == "running"


# Luck


def shuffles(visit: Visit, seed: str, monkeypatch: pytest.MonkeyPatch, *contributions: str | None) -> Any:
    """What Ann and Ben get dealt from a seed and their contributions, after both have chosen the same party."""
    monkeypatch.setattr("service.tables.opening.secrets.token_hex", lambda _: seed)
    table = visit.open("tomahawk", "ann open", contribution=contributions[0])
    visit.sit(table, 2, BEN, contributions[1])
    events = visit.history(table).events
    return [event.payload for event in events if event.envelope.type not in ("TableOpened", "SeatTaken")]


def test_contributions_change_the_luck(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same seed other contributions deal otherwise, and the same ones the same; so do both seats."""
    seed = "5e" * 32
    dealt = [
        shuffles(visit, seed, monkeypatch, *contributions)
        for contributions in (("a", "b"), ("a", "b"), ("a", None), (None, "b"), ("b", "a"), (None, None))
    ]

    assert dealt[0] == dealt[1]
    assert all(dealt[one] != dealt[two] for one in range(1, 6) for two in range(1, one))
    assert shuffles(visit, "5f" * 32, monkeypatch, "a", "b") != dealt[0]


def test_the_seed_is_told_after_the_game(visit: Visit) -> None:
    """At the end the seed is revealed, and it is the one that the first event committed to."""
    events = visit.play_to_the_end(visit.open("tomahawk", "ann ai", contribution="mine")).events

    assert [event.envelope.type for event in events[-3:]] == ["GameEnded", "SeedRevealed", "TableClosed"]
    assert events[-2].payload["seed"] == events[0].payload["seed"]
    assert len({event.envelope.batch for event in events[-3:]}) == 1


# Playing


def test_a_move_is_recorded_with_who_made_it(visit: Visit) -> None:
    """The batch names seat and player; the move is a secret of the seat until the game is over."""
    table = visit.open("manitou", "ann ai")
    move = visit.move(table, ANN)
    played = visit.play(table, ANN)
    event = played.history.events[played.span.first - 1]

    assert event.envelope.by == {"kind": "seat", "seat": 1, "player": ANN.id}
    assert event.sealed["move"].value == msgspec.to_builtins(move)
    assert [event.may_read("move", seat) for seat in (None, 1, 2)] == [False, True, False]


# Others at the same time


class Gate(MemoryLog):
    """A log at whose door so many appends wait for each other, and then all come at once."""

    def __init__(self) -> None:
        super().__init__()
        self.barrier: threading.Barrier | None = None
        self.conflicts = 0
        self._through: set[int] = set()

    def append(self, table: str, batch: Batch) -> Span:
        if self.barrier and threading.get_ident() not in self._through:
            self._through.add(threading.get_ident())
            self.barrier.wait(30)
        try:
            return super().append(table, batch)
        except Conflict:
            self.conflicts += 1
            raise


@pytest.mark.parametrize("houses", ["one process", "several processes"])
def test_simultaneous_secret_choices_never_collide(houses: str) -> None:
    """All seats choose at once, decided on the same stale state: each choice is accepted, none is asked for again."""
    log = Gate()
    visit = Visit(log)
    table = visit.open("manitou", "ann open open open")
    for seat, player in ((2, BEN), (3, CAT), (4, DAN)):
        visit.sit(table, seat, player)
    people = (ANN, BEN, CAT, DAN)
    moves = [(player, visit.decision(table, player), visit.move(table, player)) for player in people]
    log.barrier = threading.Barrier(len(people))
    spans: list[Span] = []

    def choose(player: Player, decision: Any, move: Any) -> None:
        handler = visit.handler if houses == "one process" else CommandHandler(log)
        asked = Play(decision.seat, move, decision.recorded_id)
        spans.append(play(handler, table, asked, player.id, Request(player.id, "body")).span)

    threads = [threading.Thread(target=choose, args=arguments) for arguments in moves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({span.first for span in spans}) == len(people)
    assert log.conflicts >= len(people) - 1
    chosen = [event for event in visit.history(table).events if "move" in event.sealed]
    assert Counter(event.envelope.by["seat"] for event in chosen) == {1: 1, 2: 1, 3: 1, 4: 1}


def test_a_batch_that_would_lose_a_card_is_not_written(visit: Visit) -> None:
    """Before it is recorded, a batch is folded: if a piece of the game would be gone, nothing is written."""
    table = visit.open("manitou", "ann ai")
    before = visit.table(table)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(before), "census", property(lambda self: self.version))
        with pytest.raises(LogDamaged, match="lose or double a piece"):
            visit.play(table, ANN)
    assert visit.table(table) == before


# Round trips


class Trips:
    """Counts what is sent to the store at once, by its first command."""

    def __init__(self, log: RedisLog) -> None:
        self.commands: list[str] = []
        connection = log.client.connection_pool.get_connection()
        self._send = connection.send_packed_command
        connection.send_packed_command = self._count

    def _count(self, packed: Any, *rest: Any, **more: Any) -> Any:
        self.commands.append(b"".join(packed).split(b"\r\n")[2].decode())
        return self._send(packed, *rest, **more)

    def taken(self) -> list[str]:
        """The commands since the last time."""
        commands, self.commands[:] = list(self.commands), []
        return commands


@pytest.fixture
def counted(valkey_log: RedisLog) -> tuple[Visit, Trips]:
    """A house on a real store, and its trips; the scripts are known there."""
    visit = Visit(valkey_log)
    visit.open("manitou", "ann ai")
    return visit, Trips(valkey_log)


def test_a_move_is_one_script_call(counted: tuple[Visit, Trips]) -> None:
    """A move at a table that is known takes one trip: the append."""
    visit, trips = counted
    table = visit.open("manitou", "ann ai")
    asked = Play(1, visit.move(table, ANN), visit.decision(table, ANN).recorded_id)
    trips.taken()

    play(visit.handler, table, asked, ANN.id, visit.request())

    assert trips.taken() == ["EVALSHA"]


def test_a_conflict_costs_one_further_call(counted: tuple[Visit, Trips], valkey_log: RedisLog) -> None:
    """The conflict brings the events missed with it: the move is decided again and appended, nothing else is asked."""
    visit, trips = counted
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    stale = Visit(valkey_log)
    asked = Play(1, stale.move(table, ANN), stale.decision(table, ANN).recorded_id)
    visit.play(table, BEN)
    trips.taken()

    play(stale.handler, table, asked, ANN.id, Request("r", "body"))

    assert trips.taken() == ["EVALSHA", "EVALSHA"]
