"""A resolved dispute becomes a case of the register, which is run like every other."""

from typing import Any

import pytest

from events.envelopes import Recorded
from games import GAMES
from games.payloads import as_json
from rulings.cases import (
    HELD,
    OTHER,
    Case,
    NoCaseError,
    case_files,
    case_from_dispute,
    format_json,
    parse_case,
    with_places,
)
from service.tables.disputes import Contested
from tests import corpus
from tests.disputed_tables import ARBITER, MOST_TABLES, Court, ruling_by
from tests.tables import ANN, BEN
from wintercount.testing.case_faults import faults

GAME, SEATS, RULE = "big-manitou", "ann ben", "BM-R14"
REST = {"runner_up_share": "rest"}
ONE = {"runner_up_share": "one"}


pytestmark = pytest.mark.usefixtures("lucky")


def reread(case: Case) -> Case:
    """The case as it comes out of its file."""
    return parse_case(format_json(case).encode())


def untrue(case: Case, slug: str = GAME) -> list[str]:
    """In what the game decides otherwise than any outcome of the case."""
    return [fault for outcome in case.then for fault in faults(slug, reread(case), outcome)]


def made(outcome: str, asked: dict[str, Any], verdict: dict[str, Any] | None = None) -> tuple[Court, str, Case]:
    """A table at which a ruling by BM-R14 was disputed, played to its end; its id, and the case of that."""
    court = Court()
    table, ruling = court.table_with(court.changed_by(RULE, REST), GAME, SEATS)
    remedy = {"reading": asked} if asked else {"correction": 1}
    dispute = court.ask(table, ANN, Contested(1, ruling.version, RULE, "It says otherwise.", remedy))
    court.resolve(table, dispute, outcome, verdict)
    court.finish(table)
    return court, table, case_from_dispute(court.history(table), dispute)


@pytest.mark.parametrize(
    ("outcome", "asked", "verdict", "readings"),
    [
        ("upheld", REST, None, [(HELD, ONE), (OTHER, REST)]),
        ("overturned", REST, None, [(HELD, REST), (OTHER, ONE)]),
        ("overturned", {}, REST, [(HELD, REST), (OTHER, ONE)]),
        ("upheld", {}, None, [(HELD, {})]),
    ],
)
def test_a_dispute_makes_a_case_of_both_readings(
    outcome: str, asked: dict[str, Any], verdict: dict[str, Any] | None, readings: list[Any]
) -> None:
    """That which was held first; one alone if there was no other. It is decided as the table decided it."""
    court, table, case = made(outcome, asked, verdict)

    assert [(then.says, then.options) for then in case.then] == readings
    assert case.dispute is not None
    assert (case.rule, case.dispute.outcome, case.dispute.by) == (RULE, outcome, "arbiter")
    assert untrue(case) == []
    recorded = court.history(table).events[case.dispute.version - 1]
    as_it_was = case.then[-1] if outcome == "overturned" else case.then[0]
    assert (recorded.envelope.type, as_json(recorded.payload)) in [(e.type, e.payload) for e in as_it_was.events]


def test_the_moment_is_that_before_the_disputed_move() -> None:
    """The state, the house rules and the move as they were, by what is otherwise than when the game began."""
    court, table, case = made("upheld", REST)
    history = court.history(table)
    assert case.dispute is not None
    assert case.when is not None
    first = history.events[case.dispute.version - 1].envelope.batch[0]
    before = history.at(first - 1)
    game = GAMES[GAME]
    began = game.start(2, game.read_options({}, 2), lambda _, population, count: tuple(population[:count])).state
    assert with_places(game, began, case.given.state) == before.state
    assert (case.when.seat, case.when.move) == (
        history.events[first - 1].envelope.by["seat"],
        history.events[first - 1].sealed["move"].value,
    )
    assert case.given.moves == ()


@pytest.mark.parametrize("outcome", ["upheld", "overturned"])
def test_nobody_is_named(outcome: str) -> None:
    """Neither people nor their words nor the table stand in a case."""
    court, table, case = made(outcome, REST)
    text = format_json(case)
    for word in (ANN.id, BEN.id, str(ARBITER.id), str(ANN.name), str(BEN.name), table, "It says otherwise", "I read"):
        assert word not in text
    assert str(court.table(table).opened.seed) not in text


def test_the_house_rules_of_the_table_stand_in_its_case() -> None:
    """Those that are not the defaults, amended ones included: here a dispute that comes after an overturned one."""
    court = Court()
    table, ruling = court.table_with(court.changed_by(RULE, REST), GAME, SEATS, options={"tomahawk_tie": "all"})
    court.resolve(table, court.dispute(table, ANN, ruling, RULE, REST), "overturned")
    again = next(e for e in court.history(table).events[ruling.version :] if ruling_by(RULE)(e))
    dispute = court.dispute(table, BEN, again, RULE, ONE)
    court.resolve(table, dispute, "upheld")
    court.finish(table)

    case = case_from_dispute(court.history(table), dispute)

    assert case.given.options == {"tomahawk_tie": "all"} | REST
    assert [then.options for then in case.then] == [REST, ONE]
    assert untrue(case) == []


def test_luck_comes_out_as_it_did() -> None:
    """The move with which the next hunt begins: what was drawn for its grounds is drawn again."""
    court = Court()
    table, ruling = before_new_grounds(court)
    stocked = next(e for e in last_batch(court, table) if e.envelope.type == "GroundsStocked")
    dispute = court.dispute(table, ANN, ruling, "BM-5.7")
    court.resolve(table, dispute, "upheld")
    court.finish(table)

    case = case_from_dispute(court.history(table), dispute)

    assert list(case.given.luck) == ["stock_grounds"]
    assert case.given.luck["stock_grounds"] == [[t for row in stocked.payload["grounds"] for t in row["tiles"]]]
    assert untrue(case) == []


def before_new_grounds(court: Court) -> tuple[str, Recorded]:
    """A table at which a move has just led to an evaluation and, the hunt being over, to new grounds; the ruling."""
    for _ in range(MOST_TABLES):
        table = court.open_disputable(GAME, SEATS)
        while court.step(table):
            batch = last_batch(court, table)
            types = [event.envelope.type for event in batch]
            if "GroundsStocked" in types and "GroundEvaluated" in types:
                return table, batch[types.index("GroundEvaluated")]
    raise AssertionError("it never came")


def last_batch(court: Court, table: str) -> tuple[Recorded, ...]:
    """The events that were recorded together last."""
    events = court.history(table).events
    return events[events[-1].envelope.batch[0] - 1 :]


def test_no_case_comes_of_what_is_not_decided() -> None:
    """No such dispute, a game that is not over, one that became moot, a correction that no rule leads to."""
    court = Court()
    table, ruling = court.table_with(court.changed_by(RULE, REST), GAME, SEATS)
    first = court.dispute(table, ANN, ruling, RULE, REST)
    second = court.dispute(table, BEN, ruling, RULE, REST)
    court.resolve(table, first, "overturned")
    with pytest.raises(NoCaseError, match="not over"):
        case_from_dispute(court.history(table), first)
    court.finish(table)
    with pytest.raises(NoCaseError, match="moot"):
        case_from_dispute(court.history(table), second)
    with pytest.raises(NoCaseError, match="no dispute"):
        case_from_dispute(court.history(table), "d1")
    with pytest.raises(NoCaseError, match="no reading"):
        made("overturned", {})


DISPUTED = ["big-manitou-5-disputed", "tomahawk-2-disputed"]  # one of each rule


@pytest.mark.parametrize("name", DISPUTED)
def test_the_disputes_of_the_corpus_stand_in_the_register(name: str) -> None:
    """As the files that they make."""
    history = corpus.history_of(name)
    (dispute,) = history.table.disputes
    case = case_from_dispute(history, dispute.dispute)
    name = f"{case.rule}-disputed.json"
    path = next(path for path in case_files(history.table.opened.game) if path.name == name)
    assert path.read_text(encoding="utf-8") == format_json(case) + "\n"
