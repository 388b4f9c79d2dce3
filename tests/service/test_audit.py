"""The audit holds for what was recorded, and finds what was altered, with its version; it tells no secret."""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest

from events.canonical import canonical
from events.chain import GENESIS, link
from events.commitments import commitment
from events.envelopes import Recorded, Seal
from events.lifecycle import DisputeRules
from games import GAMES
from projections.history import TableHistory
from service.accounts.callers import NOBODY, Caller
from service.errors import Refused
from service.tables.audit import audit, readjudicate
from service.tables.authorisation import Viewer
from service.tables.table_documents import is_ruling
from tests import corpus
from tests.disputed_tables import ARBITER, IDA, Court, luck
from tests.tables import ANN

NAME = "manitou-2-greedy"
MOVES = {"big-manitou": 30, "manitou": 26, "tomahawk": 8, "plenty-coups": 30}
OPEN_VIEWER, SHUT_EYES = Viewer(None, over=True), Viewer(None, over=False)

replace = msgspec.structs.replace


@cache
def running(game: str) -> TableHistory:
    """A table in the middle of its game."""
    court = Court()
    table = court.open_disputable(game, "ann ben")
    for _ in range(MOVES[game]):
        court.step(table)
    assert not court.table(table).over
    return court.history(table)


def looked_at(*seats: int, later: int = 0) -> tuple[TableHistory, Recorded]:
    """A table with an open dispute for which Ida looked through these seats, and its ruling; then so many moves."""
    court = Court()
    rules = DisputeRules(play="goes_on")
    with luck("looked at"):
        table, ruling = court.table_with(is_ruling, "manitou", "ann ben", rules=rules)
    dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
    for seat in seats:
        court.look(table, dispute, seat)
    for _ in range(later):
        court.step(table)
    return court.history(table), ruling


def test_a_finished_table_holds() -> None:
    """The figures are those of the record: every event, commitment, draw and decision was looked at."""
    history = corpus.history_of("manitou-2-taken-back")
    report = audit(history, OPEN_VIEWER)
    assert (report["holds"], report["divergence"], report["stop"]) == (True, None, None)
    assert report["chain"] == {"events": len(history.events), "faults": []}
    assert report["commitments"] == sum(len(event.envelope.secrets) for event in history.events)
    assert (report["version"], report["head"]) == (history.table.version, history.table.head.hash.hex())
    moves = sum("move" in event.sealed for event in history.events)
    corrections = sum(event.envelope.type == "PlayTakenBack" for event in history.events)
    assert report["moves"] == moves + corrections


@pytest.mark.parametrize("game", list(GAMES))
def test_a_running_table_holds(game: str) -> None:
    """While the game is on everything is checked all the same."""
    report = audit(running(game), SHUT_EYES)
    assert (report["holds"], report["chain"]["faults"], report["divergence"]) == (True, [], None)
    assert report["draws"] == sum(running(game).table.draws.values()) > 0
    assert report["moves"] == MOVES[game]


# What was altered by one who could hash everything anew; other alterations are those of tests/forgeries


def rewritten(history: TableHistory, version: int, change: Callable[[Any], Any]) -> TableHistory:
    """The history with another move at a version, everything sealed, hashed and chained anew by one who could."""

    def with_another_move(event: Recorded) -> Recorded:
        move = Seal(event.sealed["move"].salt, change(event.sealed["move"].value))
        secrets = event.envelope.secrets | {"move": commitment(move.salt, move.value)}
        return replace(event, envelope=replace(event.envelope, secrets=secrets), sealed=event.sealed | {"move": move})

    return rechained(history, version, with_another_move)


def rechained(history: TableHistory, version: int, change: Callable[[Recorded], Recorded]) -> TableHistory:
    """The history with another event at a version, hashed and chained anew by one who could."""
    events: list[Recorded] = []
    previous = GENESIS
    for event in history.events:
        envelope, sealed = event.envelope, event.sealed
        if event.version == version:
            changed = change(event)
            envelope, sealed = changed.envelope, changed.sealed
        raw = canonical(envelope)
        previous = link(previous, event.version, raw)
        events.append(Recorded(envelope, raw, sealed, previous))
    return TableHistory(tuple(events), history.table)


def test_a_move_rewritten_with_everything_hashed_anew_is_found() -> None:
    """The chain fits, the seals fit; but from that move the recorded events do not follow."""
    history = corpus.history_of(NAME)
    version = next(e.version for e in history.events if e.envelope.type == "CardPlayed" and "move" in e.sealed)
    grounds = {1: 2, 2: 3, 3: 1}
    report = audit(rewritten(history, version, lambda m: m | {"ground": grounds[m["ground"]]}), OPEN_VIEWER)
    assert (report["chain"]["faults"], report["holds"]) == ([], False)
    assert (report["divergence"] or report["stop"])["version"] == version
    unchanged = audit(rewritten(history, version, lambda m: m), OPEN_VIEWER)
    assert unchanged["holds"]


def test_another_seed_told_in_the_end_is_found() -> None:
    """What is revealed has to be what the first event committed to."""
    history = corpus.history_of(NAME)
    version = next(event.version for event in history.events if event.envelope.type == "SeedRevealed")
    lie = rechained(history, version, lambda e: replace(e, envelope=replace(e.envelope, payload={"seed": "00" * 32})))
    report = audit(lie, OPEN_VIEWER)
    assert (report["chain"]["faults"], report["holds"]) == ([], False)
    assert (report["divergence"]["version"], report["divergence"]["type"]) == (version, "SeedRevealed")


def test_a_rewritten_running_table_tells_where_and_not_what() -> None:
    """The facts of a divergence may be secret, so while the game is on only the version, type and rules are told."""
    history = running("manitou")
    version = next(e.version for e in history.events if e.envelope.type == "PartyChosen" and "move" in e.sealed)

    def other(move: dict[str, Any]) -> dict[str, Any]:
        state = history.at(version - 1).state
        listed = GAMES["manitou"].legal_moves(state, history.events[version - 1].envelope.by["seat"])
        parties = (msgspec.to_builtins(party) for party in listed[0].expansions())
        return next(party for party in parties if set(party["cards"]) != set(move["cards"]))

    report = audit(rewritten(history, version, other), SHUT_EYES)
    found = report["divergence"]
    assert (report["holds"], found["version"], found["type"]) == (False, version, "PartyChosen")
    assert (found["recorded"], found["decided"], report["stop"]) == (None, None, None)


@pytest.mark.parametrize("game", list(GAMES))
def test_the_audit_of_a_running_table_holds_no_secret(game: str) -> None:
    """No sealed text or salt stands in the report."""
    history = running(game)
    told = canonical(audit(history, SHUT_EYES)).decode()
    salts = {seal.salt for event in history.events for seal in event.sealed.values()}
    assert not any(salt in told for salt in salts)
    assert str(history.table.opened.seed) not in told


# Decision again under other house rules


@pytest.mark.parametrize(
    "caller", [NOBODY, Caller(ANN, ("play", "watch", "arbitrate")), Caller(IDA, ("play", "watch"))]
)
def test_a_running_table_is_decided_otherwise_for_its_arbiter_alone(caller: Caller) -> None:
    """Not for those seated, nor with a token that is not meant for it: what follows tells of hidden cards."""
    history, _ = looked_at(1, 2)
    with pytest.raises(Refused, match="without a seat"):
        readjudicate(history, caller, {"alone": "never"})
    assert readjudicate(history, ARBITER, {"alone": "never"}).options["alone"] == "never"


@pytest.mark.parametrize("seats", [(), (1,), (2,)])
def test_the_arbiter_decides_a_running_table_otherwise_with_all_eyes(seats: tuple[int, ...]) -> None:
    """It takes every hand: so each seat has to have been told of a look."""
    history, _ = looked_at(*seats)
    with pytest.raises(Refused, match="first look through each seat"):
        readjudicate(history, ARBITER, {})


def test_a_running_table_is_decided_otherwise_up_to_the_disputed_ruling() -> None:
    """What came later is not decided again, and what comes out otherwise is told by its place alone."""
    history, ruling = looked_at(1, 2, later=6)
    last = ruling.envelope.batch[1]
    assert history.table.version > last
    report = readjudicate(history, ARBITER, {})
    assert report.same
    assert report.events == sum(event.envelope.type in GAMES["manitou"].kinds for event in history.events[:last])
    other = readjudicate(history, ARBITER, {"large_herd_low": 8})
    assert other.divergence is not None
    assert (other.divergence.recorded, other.divergence.decided) == (None, None)


def test_a_finished_table_is_decided_otherwise_for_everybody() -> None:
    """Unknown house rules are named; a table that has not begun is refused."""
    history = corpus.history_of(NAME)
    assert readjudicate(history, NOBODY, {"large_herd_low": 8}).divergence is not None
    with pytest.raises(Refused) as refused:
        readjudicate(history, NOBODY, {"moon": "full"})
    assert (refused.value.code, refused.value.members["option"]) == ("option_refused", "moon")
    court = Court()
    with pytest.raises(Refused, match="table_not_started"):
        readjudicate(court.history(court.open("manitou", "ann open")), ARBITER, {})
