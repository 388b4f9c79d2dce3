"""AI turns: played from the seat's own view, once, by request keys of their own; and computed again afterwards."""

import random
import threading
from typing import Any

import msgspec
import pytest

from events.envelopes import Recorded, event_as_read
from events.log import Batch, VersionRange
from games import GAMES
from games.manitou.moves import PlayCard
from games.manitou_family_parties import ChooseParty
from service.command_handler import CommandHandler, Request
from service.levels import LEVELS
from service.tables.playing import Play, Provenance, play_ai
from tests.long import quick_first
from tests.memory_log import MemoryLog
from tests.tables import ANN, Visit
from wintercount.testing.random_games import random_move
from worker.ai_explanations import maker_of
from worker.ai_process import CutOff
from worker.play_turn import play_turn, play_turns
from worker.players import PLAYERS, Chosen


def moves(events: tuple[Recorded, ...]) -> list[Recorded]:
    """The first event of every batch that a seat's move caused."""
    return [event for event in events if "move" in event.sealed]


@pytest.mark.parametrize("level", quick_first(["greedy", "ai"]))
@pytest.mark.parametrize("slug", GAMES)
def test_a_table_of_ai_seats_plays_itself_to_its_end(visit: Visit, slug: str, level: str) -> None:
    """However often a worker is enqueued, the table is played until the game is over, and then nothing more happens."""
    table = visit.open(slug, " ".join([level] * min(GAMES[slug].players)))
    while play_turns(visit.handler, table, 50).played:
        pass
    ended = visit.table(table)

    assert (ended.status, ended.closed, ended.decisions) == ("finished", "game_over", ())
    assert play_turns(visit.handler, table).played == 0
    assert visit.table(table) == ended


def test_a_table_with_a_person_waits_for_him(visit: Visit) -> None:
    """AI seats play what they owe and then wait for the person, as long as it takes."""
    table = visit.open("manitou", "ann ai ai")

    assert play_turns(visit.handler, table).played == 2
    waiting = visit.table(table)
    assert [decision.seat for decision in waiting.decisions] == [1]
    assert play_turns(visit.handler, table).played == 0
    assert visit.table(table) == waiting

    visit.play(table, ANN)
    play_turns(visit.handler, table)
    assert [decision.seat for decision in visit.table(table).decisions] == [1]


def test_a_turn_that_was_played_otherwise_is_not_played_again(visit: Visit) -> None:
    """A worker's move answers one decision: when that is closed, it is not taken for an answer to the next one."""
    table = visit.open("manitou", "ann ai")
    slow = CommandHandler(visit.log)
    history = slow.history(table)
    decision = history.table.decision_of(2)
    assert decision is not None
    move = random_move(history.table.game, history.table.state, 2, random.Random(1))
    made, asked = Provenance("uniform", 2, 0, 0, 1, "5e"), Play(2, move, decision.recorded_id)
    play_ai(visit.handler, table, asked, made, Request("another", ""))

    assert play_turn(slow, history, decision)
    assert len(moves(visit.history(table).events)) == 1


def test_workers_at_the_same_time_play_every_turn_once(visit: Visit) -> None:
    """Several workers at the same table play it to its end between them, each decision once."""
    table = visit.open("manitou", "ai ai ai")
    houses = [CommandHandler(visit.log) for _ in range(4)]
    threads = [threading.Thread(target=play_turns, args=(handler, table, 500)) for handler in houses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = visit.history(table)
    requests = [event.envelope.request for event in moves(history.events)]

    assert history.table.closed == "game_over"
    assert len(requests) == len(set(requests))


class LosesAnswers(MemoryLog):
    """A log whose first answer to every append is lost, as if the worker were killed right behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.lost: set[str | None] = set()

    def append(self, table: str, batch: Batch) -> VersionRange:
        span = super().append(table, batch)
        if batch.request and batch.request.startswith("ai|") and batch.request not in self.lost:
            self.lost.add(batch.request)
            raise ConnectionError
        return span


def test_a_worker_that_dies_behind_the_append_loses_nothing() -> None:
    """Killed between the append and its answer, the turn is played; the next worker goes on behind it."""
    visit = Visit(LosesAnswers())
    table = visit.open("manitou", "ai ai")
    deaths = 0
    while not visit.table(table).closed:
        with pytest.raises(ConnectionError):
            play_turns(CommandHandler(visit.log), table)
        deaths += 1
    requests = [event.envelope.request for event in moves(visit.history(table).events)]

    assert deaths == len(requests) == len(set(requests))


def test_the_envelope_says_who_made_a_move(visit: Visit) -> None:
    """Who holds the seat is public; what it took to choose, and from which seed, is nobody's until the game is over."""
    history = visit.play_to_the_end(visit.open("manitou", "ann greedy"))
    by_ai = [event for event in moves(history.events) if event.envelope.by["seat"] == 2]

    assert by_ai
    for event in by_ai:
        ai = {"player": "greedy", "version": 2, "level": "greedy"}
        assert event.envelope.by == {"kind": "seat", "seat": 2, "player": None, "ai": ai}
        used = {"player": "greedy", "version": 2, "iterations": 0, "budget": 0, "seen": event.version - 1}
        assert event.sealed["ai_used"].value == used
        for name in ("ai_seed", "ai_used"):
            assert name in event.envelope.secrets
            assert all(name not in event_as_read(event, seat, over=False) for seat in (None, 1, 2))
            assert event_as_read(event, None, over=True)[name] == event.sealed[name].value


def test_who_stood_in_is_not_told(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player may have been given up for what its cards were: public is who holds the seat, as ever."""
    table = visit.open("manitou", "ann ai")
    monkeypatch.setitem(PLAYERS, ("uniform", 2), lambda *_: Chosen(None, 0))
    play_turns(visit.handler, table)
    (event,) = [event for event in visit.history(table).events if "ai_used" in event.sealed]

    assert event.envelope.by["ai"] == {"player": "uniform", "version": 2, "level": "uniform"}
    assert maker_of(event)["player"] == "greedy"
    for told in ("greedy", "nonsense", "instead_of"):
        assert told not in str(event_as_read(event, 1, over=False))


def by_ai(visit: Visit, table: str) -> dict[str, Any]:
    """Who made the first move of an AI at a table, as its event says to who may read it."""
    return next(maker_of(event) for event in visit.history(table).events if "ai_seed" in event.sealed)


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"type": "choose_party", "cards": []}, "nonsense"),
        (ChooseParty(()), "nonsense"),
        (PlayCard("hunter-1", 1), "nonsense"),
        (ChooseParty(42), "nonsense"),  # type: ignore[arg-type]
        ({1, 2}, "nonsense"),
        (None, "nonsense"),
        (KeyError("hunter-1"), "failed"),
    ],
    ids=str,
)
def test_a_player_that_cannot_be_relied_on_is_given_up(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, chosen: Any, why: str
) -> None:
    """Another plays for it and the event says so; the log of the operator tells no card."""
    table = visit.open("manitou", "ann ai")

    def cheat(*_: Any) -> Any:
        if isinstance(chosen, Exception):
            raise chosen
        return Chosen(chosen, 0)

    monkeypatch.setitem(PLAYERS, ("uniform", 2), cheat)
    play_turns(visit.handler, table)
    made = by_ai(visit, table)

    assert (made["player"], made["level"]) == ("greedy", "uniform")
    assert list(made["instead_of"]) == [{"player": "uniform", "version": 2, "why": why}]
    assert [decision.seat for decision in visit.table(table).decisions] == [1]
    assert "given up" in caplog.text
    assert "hunter-1" not in caplog.text


def test_when_nobody_can_play_the_turn_stays_due(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who stand in are not trusted either; then it is raised, and tried again later."""
    table = visit.open("manitou", "ann ai")
    for player in PLAYERS:
        monkeypatch.setitem(PLAYERS, player, lambda *_: Chosen(None, 0))

    with pytest.raises(CutOff, match="nonsense"):
        play_turns(visit.handler, table)
    assert [decision.seat for decision in visit.table(table).decisions] == [1, 2]


def test_a_version_that_is_gone_is_replaced_by_that_of_today(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that was opened with an older player is played on by the one that its level names now."""
    monkeypatch.setitem(LEVELS, "uniform", msgspec.structs.replace(LEVELS["uniform"], version=1))
    table = visit.open("manitou", "ann ai")
    monkeypatch.undo()
    play_turns(visit.handler, table)

    seated = visit.table(table).seats[1].ai
    assert seated is not None
    assert seated.version == 1
    made = by_ai(visit, table)
    assert (made["player"], made["version"], "instead_of" in made) == ("uniform", 2, False)
