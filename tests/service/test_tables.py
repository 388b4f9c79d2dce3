"""What people ask for at tables, without any web: opening, sitting, leaving, playing; and how few trips it takes."""

import threading
from collections import Counter
from typing import Any

import msgspec
import pytest

from events.lifecycle import SeatOffer
from events.log import Batch, Conflict, LogDamaged, Span
from events.memory import MemoryLog
from events.store import RedisLog
from service.accounts.callers import Player
from service.commands import CommandHandler, Request
from service.errors import Refused
from service.tables.opening import Opening, open_table
from service.tables.playing import Play, check, play
from tests.tables import ANN, BEN, CAT, DAN, Visit

PASS = {"type": "pass_turn"}


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


def test_who_opens_sits_where_a_seat_is_kept_for_him(visit: Visit) -> None:
    """The opener's seat and those of AI are taken at once, the others wait."""
    table = visit.table(visit.open("manitou", "open ann greedy open"))

    assert [(seat.player, seat.ai and seat.ai.level) for seat in table.seats] == [
        (None, None),
        (ANN.id, None),
        (None, "greedy"),
        (None, None),
    ]


def test_a_table_of_ai_seats_begins_at_once(visit: Visit) -> None:
    """When every seat is taken from the start, the game begins in the first batch."""
    opened = visit.opened("manitou", "ai ai", by=DAN)

    assert opened.table.status == "running"
    assert opened.span == Span(1, opened.table.version)


def test_a_repeated_opening_opens_one_table(visit: Visit) -> None:
    """The same request names the same table again and gets the first answer, whatever has happened there since."""
    request, name = Request("r", "body"), bytes(range(10))
    opening = Opening("manitou", (SeatOffer(1, "player", ANN.id), SeatOffer(2, "open")))
    first = open_table(visit.handler, visit.sent(ANN, request), opening, name)
    visit.sit(first.table.id, 2, BEN)
    again = open_table(visit.handler, visit.sent(ANN, request), opening, name)

    assert again.span == first.span._replace(repeated=True)
    assert again.table == first.table


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


def test_a_repeated_opening_with_another_body_is_refused(visit: Visit) -> None:
    """The key of an opening cannot be used for another one."""
    name = bytes(range(10))
    opening = Opening("manitou", (SeatOffer(1, "player", ANN.id), SeatOffer(2, "open")))
    open_table(visit.handler, visit.sent(ANN, Request("r", "body")), opening, name)

    with refused("request-reused"):
        open_table(visit.handler, visit.sent(ANN, Request("r", "another")), opening, name)
    with refused("conflict"):
        open_table(visit.handler, visit.sent(BEN, Request("s", "body")), opening, name)


@pytest.mark.parametrize(
    ("code", "game", "seats", "more"),
    [
        ("no-such-game", "chess", "ann open", {}),
        ("opening-refused", "tomahawk", "ann open open", {}),
        ("opening-refused", "manitou", "ann", {}),
        ("opening-refused", "manitou", "ann ann", {}),
        ("opening-refused", "manitou", "ann ben", {"arbiter": BEN.id}),
        ("opening-refused", "manitou", "ann open", {"visibility": "private"}),
        ("opening-refused", "manitou", "open open", {"contribution": "mine"}),
        ("option-refused", "manitou", "ann open", {"options": {"no_such_rule": True}}),
    ],
)
def test_openings_that_are_refused(visit: Visit, code: str, game: str, seats: str, more: dict[str, Any]) -> None:
    """What no game allows, or what contradicts itself, opens no table."""
    with refused(code):
        visit.open(game, seats, **more)
    assert sum(visit.log.feed_ends().values()) == 0


# Sitting down


def test_the_last_to_sit_begins_the_game(visit: Visit) -> None:
    """Sitting down and the beginning of the game are one batch."""
    table = visit.open("manitou", "ann open")
    sat = visit.sit(table, 2, BEN)
    added = sat.history.events[sat.span.first - 1 :]

    assert added[0].envelope.type == "SeatTaken"
    assert len(added) > 1
    assert {event.envelope.batch for event in added} == {(sat.span.first, sat.span.last)}
    assert sat.table.status == "running"


def test_seats_may_be_taken_in_any_order(visit: Visit) -> None:
    """It matters who sits where, not who came first."""
    table = visit.open("manitou", "open open open", by=DAN)
    for seat, player in ((3, CAT), (1, ANN), (2, BEN)):
        visit.sit(table, seat, player)

    assert [seat.player for seat in visit.table(table).seats] == [ANN.id, BEN.id, CAT.id]


def test_an_open_seat_is_given_to_an_ai(visit: Visit) -> None:
    """Who opened the table gives seats that nobody has taken to AI players."""
    table = visit.open("manitou", "ann open ben")
    visit.seat_ai(table, 2, ANN, "greedy")
    visit.seat_ai(table, 3, ANN)

    assert [seat.ai and seat.ai.level for seat in visit.table(table).seats] == [None, "greedy", "uniform"]
    assert visit.table(table).status == "running"


def test_a_bot_that_sits_down_is_told_as_one(visit: Visit) -> None:
    """Whoever plays against it may know."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, msgspec.structs.replace(BEN, bot=True))
    visit.sit(table, 3, CAT)

    assert [seat.bot for seat in visit.table(table).seats] == [False, True, False]


@pytest.mark.parametrize(
    ("code", "seat", "player"),
    [
        ("seat-taken", 1, CAT),
        ("seat-taken", 4, CAT),
        ("seat-kept", 2, CAT),
        ("already-seated", 3, ANN),
        ("not-allowed", 3, DAN),
        ("no-such-seat", 0, CAT),
        ("no-such-seat", 5, CAT),
    ],
)
def test_seats_that_cannot_be_taken(visit: Visit, code: str, seat: int, player: Player) -> None:
    """Taken and kept seats are not free; a player has one seat, and the arbiter none."""
    table = visit.open("manitou", "ann ben open ai", arbiter=DAN.id)
    before = visit.table(table)

    with refused(code):
        visit.sit(table, seat, player)
    assert visit.table(table) == before


def test_a_kept_seat_is_taken_by_whom_it_is_kept_for(visit: Visit) -> None:
    """At a private table every seat is kept; those named sit down."""
    table = visit.open("manitou", "ann ben cat", visibility="private")
    visit.sit(table, 3, CAT)
    with refused("seat-kept"):
        visit.sit(table, 2, DAN)

    assert visit.sit(table, 2, BEN).table.status == "running"


def test_only_the_opener_seats_an_ai(visit: Visit) -> None:
    """Other people's open seats are not one's own to give away; nor is a seat where somebody sits."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN)

    with refused("not-allowed"):
        visit.seat_ai(table, 3, BEN)
    with refused("seat-taken"):
        visit.seat_ai(table, 2, ANN)
    with pytest.raises(Refused, match="no AI level"):
        visit.seat_ai(table, 3, ANN, "divine")


def test_two_who_want_the_same_seat(visit: Visit) -> None:
    """Of two who sit down at once on the same stale state, one gets the seat and the other is told that it is taken."""
    table = visit.open("manitou", "ann open open")
    slow = Visit(visit.log)
    slow.history(table)
    visit.sit(table, 2, BEN)

    with refused("seat-taken"):
        slow.sit(table, 2, CAT)
    assert slow.sit(table, 3, CAT).table.status == "running"


# Leaving


def test_a_seat_is_given_up_before_the_game(visit: Visit) -> None:
    """Who gets up makes room for another, while somebody stays."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN)
    visit.leave(table, 2, BEN)
    visit.sit(table, 2, CAT)

    assert [seat.player for seat in visit.table(table).seats] == [ANN.id, CAT.id, None]


def test_the_last_to_leave_closes_the_table(visit: Visit) -> None:
    """A table that everybody has left is closed, whatever AI seats it has; nobody sits down there any more."""
    table = visit.open("manitou", "ann open ai")
    visit.leave(table, 1, ANN)

    assert types(visit, table)[-2:] == ["SeatLeft", "TableClosed"]
    assert visit.table(table).closed == "abandoned"
    with refused("table-finished"):
        visit.sit(table, 1, BEN)


@pytest.mark.parametrize(("seat", "player"), [(2, ANN), (1, CAT), (3, ANN), (9, ANN)])
def test_only_ones_own_seat_is_left(visit: Visit, seat: int, player: Player) -> None:
    """Nobody gets up for another."""
    table = visit.open("manitou", "ann open ai")

    with refused("not-your-seat"):
        visit.leave(table, seat, player)


def test_nobody_leaves_a_running_game(visit: Visit) -> None:
    """Once the game has begun, a seat is given up by letting its clock run out."""
    table = visit.open("manitou", "ann ai")

    with refused("table-started"):
        visit.leave(table, 1, ANN)


def test_a_request_to_leave_may_be_repeated(visit: Visit) -> None:
    """The repeat gets the first answer, though there is nothing left to leave."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN)
    sent = visit.request()
    first = visit.leave(table, 1, ANN, sent)
    again = visit.leave(table, 1, ANN, sent)

    assert again.span == first.span._replace(repeated=True)
    assert again.table == first.table


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


@pytest.mark.parametrize(
    ("code", "player", "seat", "decision"),
    [
        ("not-your-seat", BEN, 1, None),
        ("not-your-seat", ANN, 2, None),
        ("decision-closed", ANN, 1, "1-1"),
        ("decision-closed", ANN, 1, "nonsense"),
    ],
)
def test_moves_of_the_wrong_seat_or_decision(
    visit: Visit, code: str, player: Player, seat: int, decision: str | None
) -> None:
    """A move is for one's own seat, and for the decision that is open."""
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    before, move = visit.table(table), visit.move(table, ANN)

    with refused(code):
        visit.play_move(table, player, Play(seat, move, decision))
    assert visit.table(table) == before


def test_a_move_that_a_rule_forbids(visit: Visit) -> None:
    """The refusal names the rule and the version, and nothing has changed; asking beforehand says the same."""
    table = visit.open("manitou", "ann ai")
    before = visit.table(table)
    nothing = {"type": "choose_party", "cards": []}

    with refused("move-refused") as refusal:
        visit.play_move(table, ANN, Play(1, nothing))
    assert refusal.value.members == {"rule": "MA-4.2a", "version": before.version}
    assert visit.table(table) == before
    asked = check(before, 1, nothing)
    assert asked is not None
    assert asked.rule == "MA-4.2a"
    assert check(before, 1, visit.move(table, ANN)) is None


def test_a_move_before_the_game(visit: Visit) -> None:
    """Nobody plays before every seat is taken."""
    table = visit.open("manitou", "ann open")

    with refused("table-not-started"):
        visit.play_move(table, ANN, Play(1, PASS))


def test_a_move_for_a_version_that_has_passed(visit: Visit) -> None:
    """Who names a version plays only if the table has not moved on."""
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    move, version = visit.move(table, ANN), visit.table(table).version
    visit.play(table, BEN)

    with refused("version-mismatch"):
        play(visit.handler, table, Play(1, move, version=version), ANN.id, visit.request())
    now = visit.table(table).version
    assert play(visit.handler, table, Play(1, move, version=now), ANN.id, visit.request()).span.first == now + 1


def test_there_is_no_such_table(visit: Visit) -> None:
    """A table that was never opened is refused, not made."""
    with refused("no-such-table"):
        visit.play_move("t_none", ANN, Play(1, PASS))
    with refused("no-such-table"):
        visit.sit("t_none", 1, ANN)


def test_a_repeated_move_gets_its_first_answer(visit: Visit) -> None:
    """Repeated at once, later, or at another process, an accepted move is answered as it was, and played once."""
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    decision, move, request = visit.decision(table, ANN), visit.move(table, ANN), visit.request()
    first = visit.play_move(table, ANN, Play(1, move, decision.recorded_id), request)

    def again(somewhere: Visit) -> None:
        repeated = somewhere.play_move(table, ANN, Play(1, move, decision.recorded_id), request)
        assert repeated.span == first.span._replace(repeated=True)
        assert repeated.table == first.table

    again(visit)
    again(Visit(visit.log))
    visit.play_to_the_end(table)
    again(visit)
    again(Visit(visit.log))


def test_a_refused_request_is_decided_again(visit: Visit) -> None:
    """A refusal is not kept: the same request is accepted when it has become right."""
    table = visit.open("manitou", "ann open")
    request = visit.request()
    with refused("table-not-started"):
        visit.play_move(table, ANN, Play(1, PASS), request)
    visit.sit(table, 2, BEN)

    assert not visit.play_move(table, ANN, Play(1, visit.move(table, ANN)), request).span.repeated


def test_a_key_that_is_used_twice(visit: Visit) -> None:
    """The key of an accepted request with another body is refused, whether the other move would be legal or not."""
    table = visit.open("manitou", "ann open open")
    visit.sit(table, 2, BEN)
    visit.sit(table, 3, CAT)
    visit.play(table, ANN, request=Request("r", "one"))

    with refused("request-reused"):
        visit.play(table, BEN, request=Request("r", "another"))
    with refused("request-reused"):
        visit.play_move(table, ANN, Play(1, PASS), Request("r", "another"))


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


def test_a_decision_that_others_take_is_not_asked_for_again(visit: Visit) -> None:
    """The same seat's choice sent twice under different keys is accepted once; the second learns that it came late."""
    table = visit.open("manitou", "ann open")
    visit.sit(table, 2, BEN)
    slow = Visit(visit.log)
    decision, move = slow.decision(table, ANN), slow.move(table, ANN)
    visit.play(table, ANN)

    with refused("decision-closed"):
        slow.play_move(table, ANN, Play(1, move, decision.recorded_id), Request("other", "body"))


def test_a_table_that_changes_faster_than_it_is_decided(visit: Visit) -> None:
    """Whoever meets a conflict every time gives up in the end, with nothing written."""
    table = visit.open("manitou", "ann open open")
    before = visit.table(table)

    def always(_table: str, _batch: Batch) -> Span:
        raise Conflict(())

    visit.log.append = always  # type: ignore[method-assign, assignment] # a log that is always ahead
    with refused("conflict"):
        visit.sit(table, 2, BEN)
    assert visit.table(table) == before


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
    """Counts what a client sends: a command, or several at once."""

    def __init__(self, log: RedisLog) -> None:
        self.commands: list[str] = []
        self._send = log.client.execute_command
        log.client.execute_command = self._count
        self._pipeline = log.client.pipeline
        log.client.pipeline = self._open

    def _count(self, *arguments: Any, **options: Any) -> Any:
        self.commands.append(str(arguments[0]))
        return self._send(*arguments, **options)

    def _open(self, **options: Any) -> Any:
        pipe = self._pipeline(**options)
        execute = pipe.execute

        def counted() -> Any:
            self.commands.append(" ".join(str(arguments[0]) for arguments, _ in pipe.command_stack))
            return execute()

        pipe.execute = counted
        return pipe

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


def test_opening_a_table_is_one_script_call(counted: tuple[Visit, Trips]) -> None:
    """A table is opened, its seats are taken and its game is begun in one trip."""
    visit, trips = counted
    visit.open("manitou", "ann ai")

    assert trips.taken() == ["EVALSHA"]


def test_the_first_look_at_a_table_is_one_trip(counted: tuple[Visit, Trips], valkey_log: RedisLog) -> None:
    """A process that does not know a table reads it in one trip, and then plays in another."""
    visit, trips = counted
    table = visit.open("manitou", "ann ai")
    asked = Play(1, visit.move(table, ANN), visit.decision(table, ANN).recorded_id)
    elsewhere = CommandHandler(valkey_log)
    trips.taken()

    play(elsewhere, table, asked, ANN.id, visit.request())

    assert trips.taken() == ["HMGET XRANGE", "EVALSHA"]


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


def test_a_past_moment_costs_nothing(counted: tuple[Visit, Trips]) -> None:
    """The table at an earlier version is folded from events that are known."""
    visit, trips = counted
    table = visit.open("manitou", "ann ai")
    known = visit.history(table)
    trips.taken()

    assert known.at(3).version == 3
    assert trips.taken() == []
