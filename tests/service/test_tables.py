"""What people ask for at tables, without any web: opening, sitting, leaving, playing; and how few trips it takes."""

from typing import Any

import msgspec
import pytest

from events.log import LogDamaged
from events.store import RedisLog
from service.commands import Request
from service.tables.playing import Play, play
from tests.tables import ANN, BEN, CAT, Visit

# Opening


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
        with pytest.raises(LogDamaged, match=r"as the answer to a request, wrongly"):
            process.play_move(table, ANN, asked, request)


# Sitting down


def test_a_bot_that_sits_down_is_told_as_one(visit: Visit) -> None:
    """Its opponents may know."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, msgspec.structs.replace(BEN, bot=True))
    visit.sit(table, 3, CAT)

    assert [seat.bot for seat in visit.table(table).seats] == [False, True, False]


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


# Playing


# Others at the same time


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
