"""What people ask for at tables, without any web: opening, sitting and playing."""

from typing import Any

import msgspec
import pytest

from events.log import LogDamaged
from events.store import RedisLog
from service.command_handler import Request
from service.tables.playing import Play
from tests.tables import ANN, BEN, CAT, Visit


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


def test_a_bot_that_sits_down_is_told_as_one(visit: Visit) -> None:
    """Its opponents may know."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, msgspec.structs.replace(BEN, bot=True))
    visit.sit(table, 3, CAT)

    assert [seat.bot for seat in visit.table(table).seats] == [False, True, False]


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


def test_a_batch_that_would_lose_a_card_is_not_written(visit: Visit) -> None:
    """Before it is recorded, a batch is folded: if a piece of the game would be gone, nothing is written."""
    table = visit.open("manitou", "ann ai")
    before = visit.table(table)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(before), "census", property(lambda self: self.version))
        with pytest.raises(LogDamaged, match="lose or double a piece"):
            visit.play(table, ANN)
    assert visit.table(table) == before
