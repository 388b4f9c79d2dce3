"""Disputes: who may do what and until when, what stands still meanwhile, and how a ruling is set right."""

from contextlib import suppress
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory

from events.envelopes import Recorded
from events.lifecycle import DisputeRules, Remedy
from events.times import millis, stamp
from games import GAMES
from projections.disputes import Vote
from projections.due_timers import timers
from service.accounts.callers import Caller
from service.errors import Refused
from service.tables import disputes
from service.tables.authorisation import Viewer
from service.tables.disputes import Contested, Verdict
from service.tables.expired_clocks import expire, hand_over
from service.tables.table_documents import present_remedy, ruling_rows, view_of
from tests.disputed_tables import ARBITER, IDA, Court, luck, refusal, ruling_by, types_of
from tests.fixtures import START
from tests.long import quick_first
from tests.tables import ANN, BEN, CAT, DAN, TELL
from worker.dispatcher import Dispatcher
from worker.play_turn import play_turns

RULE = "BM-R9"
OTHER_READING = {"penalty_strength": "with_tomahawks"}
SEATS = "ann ben cat"


pytestmark = pytest.mark.usefixtures("lucky", "now")


def with_ruling(
    court: Court, seats: str = SEATS, rule: str = RULE, game: str = "big-manitou", **more: Any
) -> tuple[str, Recorded]:
    """A table at which such a ruling has just fallen."""
    return court.table_with(ruling_by(rule), game, seats, **more)


# Opening


def test_a_ruling_is_disputed(court: Court) -> None:
    """The dispute says which seat, ruling, rule and reading, and until when it will be decided."""
    table, ruling = with_ruling(court)
    version = court.table(table).version
    dispute = court.dispute(table, BEN, ruling, RULE, OTHER_READING)

    found = court.the(table, dispute)
    assert (dispute, found.seat, found.version, found.rule) == (f"d{version + 1}", 2, ruling.version, RULE)
    assert (found.remedy, found.outcome, found.resolved) == (Remedy(reading=OTHER_READING), None, None)
    assert (found.at, found.deadline) == (START, stamp(millis(START) + 86_400_000))
    assert court.table(table).paused


@pytest.mark.parametrize("seat", [0, 1, 3, 4, 99, -1])
def test_only_the_seat_itself_disputes(court: Court, seat: int) -> None:
    """Neither another's, nor one that the table does not have."""
    table, ruling = with_ruling(court)
    contested = Contested(seat, ruling.version, RULE, "no", {"reading": OTHER_READING})
    assert refusal(disputes.dispute, court.handler, table, court.sent(BEN), contested) == "not_your_seat"
    assert refusal(disputes.dispute, court.handler, table, court.sent(DAN), contested) == "not_your_seat"


def test_what_is_no_ruling_is_not_disputed(court: Court) -> None:
    """Versions out of range, events that decide nothing, rules not applied, the set-up, what is undone."""
    table, ruling = with_ruling(court)
    assert refusal(court.dispute, table, ANN, _at(ruling, 0), RULE) == "no_such_version"
    assert refusal(court.dispute, table, ANN, _at(ruling, court.table(table).version + 1), RULE) == "no_such_version"
    assert refusal(court.dispute, table, ANN, _at(ruling, 1), RULE) == "no_such_ruling"
    assert refusal(court.dispute, table, ANN, ruling, "BM-5.4") == "no_such_rule"
    court.resolve(table, court.dispute(table, ANN, ruling, RULE, OTHER_READING), "overturned")
    assert refusal(court.dispute, table, ANN, ruling, RULE) == "no_such_ruling"


def _at(ruling: Recorded, version: int) -> Any:
    """The ruling, as if it had another version."""
    return type("Elsewhere", (), {"version": version, "envelope": ruling.envelope})


def test_another_reading_is_one_that_the_ruling_leaves_open(court: Court) -> None:
    """Options that stem from other rulings, and values that there are not, are refused and named."""
    table, ruling = with_ruling(court)
    found = [
        refusal(court.dispute, table, ANN, ruling, RULE, options)
        for options in ({"runner_up_share": "rest"}, {"moon": "full"}, {"penalty_strength": "none"})
    ]
    assert found == ["option_refused", "option_refused", "invalid"]
    dispute = court.dispute(table, ANN, ruling, RULE)
    for options, code in (({"runner_up_share": "rest"}, "option_refused"), ({"penalty_strength": "none"}, "invalid")):
        assert refusal(court.resolve, table, dispute, "overturned", options) == code
    assert court.the(table, dispute).outcome is None


def test_a_ruling_is_disputed_in_time(court: Court, now: FrozenDateTimeFactory) -> None:
    """Up to the last millisecond of the window, and not after."""
    table, ruling = with_ruling(court, rules=DisputeRules(window_s=60))
    now.tick(60)
    dispute = court.dispute(table, ANN, ruling, RULE)
    assert court.the(table, dispute).outcome is None
    now.tick(0.001)
    assert refusal(court.dispute, table, BEN, ruling, RULE) == "too_late"


def test_a_seat_disputes_a_ruling_once_at_a_time(court: Court) -> None:
    """Another seat may dispute it as well; and the same seat again when it was decided."""
    table, ruling = with_ruling(court)
    first = court.dispute(table, ANN, ruling, RULE)
    assert refusal(court.dispute, table, ANN, ruling, RULE) == "conflict"
    second = court.dispute(table, BEN, ruling, RULE)
    assert first != second
    court.resolve(table, first, "upheld")
    assert court.dispute(table, ANN, ruling, RULE) not in (first, second)


def test_the_game_has_to_be_on(court: Court) -> None:
    """Before it begins nothing is decided; when it is over every secret is told."""
    table = court.open("manitou", "ann open", arbiter=IDA.id, disputes=DisputeRules())
    contested = Contested(1, 1, "MA-R1", "no", {"correction": 1})
    assert refusal(disputes.dispute, court.handler, table, court.sent(ANN), contested) == "table_not_started"
    table, ruling = with_ruling(court)
    court.finish(table)
    assert refusal(court.dispute, table, ANN, ruling, RULE) == "table_finished"


# Comments


def test_those_seated_and_the_arbiter_comment(court: Court) -> None:
    """Nobody else, and nobody any more when it is decided."""
    table, ruling = with_ruling(court)
    dispute = court.dispute(table, ANN, ruling, RULE)
    disputes.comment(court.handler, table, court.asked(Caller(BEN, ("watch",))), dispute, "I agree.")
    disputes.comment(court.handler, table, court.asked(ARBITER), dispute, "Let me see.")
    comments = court.the(table, dispute).comments
    told = [(one.player, one.seat, TELL(table, "DisputeCommented", one.text), one.at) for one in comments]
    assert told == [("p_ben", 2, "I agree.", START), ("p_ida", None, "Let me see.", START)]

    dan = court.asked(Caller(DAN, ("watch", "play", "arbitrate")))
    assert refusal(disputes.comment, court.handler, table, dan, dispute, "Hm.") == "not_allowed"
    assert refusal(disputes.comment, court.handler, table, dan, "d1", "Hm.") == "no_such_dispute"
    court.resolve(table, dispute, "upheld")
    assert refusal(disputes.comment, court.handler, table, court.asked(ARBITER), dispute, "Hm.") == "dispute_closed"


# Resolving


@pytest.mark.parametrize(
    "caller", [Caller(IDA, ("play", "watch")), Caller(ANN, ("arbitrate",)), Caller(DAN, ("arbitrate", "admin"))]
)
def test_only_the_tables_arbiter_resolves(court: Court, caller: Caller) -> None:
    """With a token for that, and no seat."""
    table, ruling = with_ruling(court)
    dispute = court.dispute(table, ANN, ruling, RULE)
    verdict = Verdict("upheld", "because")
    asked = court.asked(caller)
    assert refusal(disputes.resolve, court.handler, table, asked, dispute, verdict) == "not_allowed"
    assert refusal(disputes.resolve, court.handler, table, court.asked(ARBITER), "d1", verdict) == "no_such_dispute"


def test_an_upheld_ruling_stands(court: Court) -> None:
    """Nothing but the verdict is written, once; play goes on."""
    table, ruling = with_ruling(court)
    state = court.table(table).state
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    outcome = court.resolve(table, dispute, "upheld", OTHER_READING)

    assert types_of(outcome) == ["DisputeResolved"]
    found = court.the(table, dispute)
    assert (found.outcome, found.by, TELL(table, "DisputeResolved", found.text)) == (
        *("upheld", "arbiter"),
        "So I read it.",
    )
    assert found.resolved == outcome.table.version
    assert (outcome.table.state, outcome.table.paused) == (state, False)
    assert outcome.history.events[-1].envelope.payload["remedy"] is None
    assert refusal(court.resolve, table, dispute, "overturned") == "dispute_closed"


def test_an_overturned_ruling_is_set_right(court: Court) -> None:
    """Play is back before the move, the house rule amended, the move taken again; what was undone stays readable."""
    table, ruling = with_ruling(court, options={"tile_set": "balanced"})
    before = court.history(table)
    first, last = ruling.envelope.batch
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    outcome = court.resolve(table, dispute, "overturned")

    after = outcome.table
    back, resolved, *again = outcome.history.events[outcome.span.first - 1 :]
    assert back.envelope.payload | {"draws": None} == {
        "to": first - 1,
        "first": first,
        "last": last + 1,
        "reason": "dispute",
        "seat": 1,
        "dispute": dispute,
        "options": OTHER_READING,
        "again": [before.events[first - 1].envelope.by["seat"]],
        "draws": None,
    }
    assert (back.envelope.readers, list(back.envelope.secrets)) == ({"state": []}, ["state", "again"])
    assert resolved.envelope.payload["remedy"] == {"reading": OTHER_READING}
    assert [event.envelope.type for event in again] == [e.envelope.type for e in before.events[first - 1 : last]]
    assert after.options["penalty_strength"] == after.state.options.penalty_strength == "with_tomahawks"
    assert outcome.history.events[: before.table.version] == before.events
    assert after.draws == before.table.draws
    assert {d.opened for d in after.decisions} == {after.version}


@pytest.mark.fault
@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "Corrected after a dispute: So I read it."),
        ("fr", "Corrigé à l’issue d’une contestation\u202f: So I read it."),
    ],
)
def test_a_corrected_ruling_says_so(court: Court, language: str, says: str) -> None:
    """It is explained by the reason given, as no rule leads to it; the table is as the preview showed it."""
    table, ruling = with_ruling(court, rule="MA-5.3", game="manitou")
    asked = Contested(1, ruling.version, "MA-5.3", "No.", {"correction": 1})
    (shown,) = disputes.preview(court.handler, court.history(table), ruling.version, None, asked.remedy)
    history = court.resolve(table, court.ask(table, ANN, asked), "overturned").history

    corrected = next(event for event in reversed(history.events) if ruling_by("MA-5.3")(event))
    (row,) = ruling_rows([corrected], history, Viewer(None, over=False), court.handler.presenter(language))
    assert row["words"].splitlines()[1:] == [says]
    then = present_remedy(history.table, shown, language)
    assert then["decided"] == view_of(history.at(ruling.version), Viewer(None, over=False))
    assert then["words"] == row["words"].splitlines()[0]
    assert then["view"] == view_of(history.at(corrected.version), Viewer(None, over=False))


def test_a_move_that_is_no_longer_legal_is_reopened(court: Court) -> None:
    """BM-R6: under the other reading a weaker hero may not attack a pair, so its seat decides otherwise."""
    table, ruling = with_ruling(court, "ann ben", "BM-R6")
    seat = court.history(table).events[ruling.envelope.batch[0] - 1].envelope.by["seat"]
    dispute = court.dispute(table, ANN, ruling, "BM-R6", {"pair_attack_weaker": "illegal"})
    outcome = court.resolve(table, dispute, "overturned")

    assert types_of(outcome) == ["PlayTakenBack", "DisputeResolved"]
    assert outcome.history.events[-2].envelope.payload["again"] == []
    assert [decision.seat for decision in outcome.table.decisions] == [seat]
    court.finish(table)
    assert court.holds(table)


def test_the_arbiter_may_find_another_reading(court: Court) -> None:
    """Instead of the one asked for."""
    table, ruling = with_ruling(court, "ann ben", "BM-R6")
    dispute = court.ask(table, ANN, Contested(1, ruling.version, "BM-R6", "No.", {"correction": 1}))
    outcome = court.resolve(table, dispute, "overturned", {"pair_attack_weaker": "illegal"})
    assert outcome.table.options["pair_attack_weaker"] == "illegal"
    assert types_of(outcome) == ["PlayTakenBack", "DisputeResolved"]


def test_later_moves_are_undone_with_the_ruling(court: Court) -> None:
    """Where play goes on meanwhile, all that came behind is taken back; only the disputed move is taken again."""
    table, ruling = with_ruling(court, rules=DisputeRules(play="goes_on"))
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    for _ in range(3):
        court.step(table)
    outcome = court.resolve(table, dispute, "overturned")

    payload = outcome.history.events[outcome.span.first - 1].envelope.payload
    assert (payload["to"], payload["last"]) == (ruling.envelope.batch[0] - 1, outcome.span.first - 1)
    assert len(payload["again"]) == 1
    court.finish(table)
    assert court.holds(table)


# While a dispute is open


def test_play_pauses(court: Court) -> None:
    """Nobody plays nor takes back until the dispute is decided; then everybody has the decision he had."""
    table, ruling = with_ruling(court)
    decisions = court.table(table).decisions
    dispute = court.dispute(table, ANN, ruling, RULE)
    with pytest.raises(Refused) as paused:
        court.play(table, court.mover(table))
    assert (paused.value.code, paused.value.members) == ("table_paused", {"version": court.table(table).version})
    assert refusal(court.take_back, table, ANN) == "table_paused"
    court.resolve(table, dispute, "upheld")
    assert [d.recorded_id for d in court.table(table).decisions] == [d.recorded_id for d in decisions]
    court.play(table, court.mover(table))


def test_play_goes_on_where_the_table_is_opened_so(court: Court) -> None:
    """The dispute waits; a takeback would undo what it is about, and has to wait for it."""
    table, ruling = with_ruling(court, rules=DisputeRules(play="goes_on"))
    court.dispute(table, ANN, ruling, RULE)
    assert not court.table(table).paused
    court.play(table, court.mover(table))
    assert refusal(court.take_back, table, ANN) == "table_paused"


def test_ai_seats_pause(court: Court) -> None:
    """Their turns are not due, a worker that was rung for plays nothing; resolved, they are due anew."""
    table, ruling = with_ruling(court, "ann ai ai")
    while court.table(table).decisions[0].seat == 1:
        court.step(table)
    (due,) = timers(court.table(table))
    dispute = court.dispute(table, ANN, ruling, RULE)
    assert [member.split("|")[1] for member in timers(court.table(table))] == ["dispute"]
    assert play_turns(court.handler, table).played == 0
    court.resolve(table, dispute, "upheld")
    (again,) = timers(court.table(table))
    assert (again.split("|")[:4], again == due) == (due.split("|")[:4], False)
    assert play_turns(court.handler, table, 1).played == 1


def last_move_disputed(court: Court, seats: str) -> tuple[str, str]:
    """A table whose game would end with the next move, with a dispute open."""
    table, dispute = court.open_disputable("manitou", seats, rules=DisputeRules(play="goes_on")), None
    while True:
        ruling = next((e for e in reversed(court.history(table).events) if _disputable(court, table, e)), None)
        if ruling and dispute is None:
            dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
        version = court.table(table).version
        with suppress(Refused):
            court.step(table)
        if court.table(table).version == version:
            assert dispute
            return table, dispute


def _disputable(court: Court, table: str, event: Recorded) -> bool:
    metadata = court.history(table).events[event.envelope.batch[0] - 1]
    return "rules" in event.envelope.payload and "move" in metadata.sealed


@pytest.mark.parametrize("seats", ["ann ben", "ann ai"])
def test_the_game_does_not_end_before_its_disputes(court: Court, seats: str) -> None:
    """The last move is refused, to people and to AI seats, until the dispute is decided."""
    table, dispute = last_move_disputed(court, seats)
    assert not court.table(table).over
    if court.table(table).seats[court.table(table).decisions[0].seat - 1].player:
        assert refusal(court.step, table) == "dispute_open"
    court.resolve(table, dispute, "upheld")
    court.finish(table)
    assert court.table(table).over


# Lapsing


def test_a_dispute_lapses(court: Court, now: FrozenDateTimeFactory) -> None:
    """When its time is over the dispatcher has it recorded: the ruling stands, and play goes on."""
    table, ruling = with_ruling(court, rules=DisputeRules(answer_s=600))
    dispute = court.dispute(table, ANN, ruling, RULE)
    dispatcher = Dispatcher(court.handler, lambda *_: None)
    now.tick(599.999)
    dispatcher.dispatch(range(court.log.partitions))
    assert court.the(table, dispute).outcome is None
    assert disputes.lapse(court.handler, table, dispute) is None
    now.tick(0.001)
    dispatcher.dispatch(range(court.log.partitions))

    found = court.the(table, dispute)
    assert (found.outcome, found.by, court.table(table).paused) == ("lapsed", "clock", False)
    assert court.history(table).events[-1].envelope.by == {"kind": "clock"}
    now.tick(1)
    assert disputes.lapse(court.handler, table, dispute) is None
    assert disputes.lapse(court.handler, table, "d1") is None
    assert not any(court.log.timers(p) for p in range(court.log.partitions))


# Votes


def test_more_than_half_overturn(court: Court) -> None:
    """Of three two do; who changes his mind is counted once."""
    table, ruling = with_ruling(court, rules=DisputeRules(by="vote"))
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    assert types_of(court.vote(table, ANN, dispute, True)) == ["DisputeVoted"]
    assert types_of(court.vote(table, BEN, dispute, False)) == ["DisputeVoted"]
    outcome = court.vote(table, BEN, dispute, True)
    assert types_of(outcome)[:3] == ["DisputeVoted", "PlayTakenBack", "DisputeResolved"]
    found = court.the(table, dispute)
    assert (found.outcome, found.by) == ("overturned", "vote")
    assert [(one.seat, one.overturn) for one in found.votes] == [(1, True), (2, True)]
    assert refusal(court.vote, table, CAT, dispute, True) == "dispute_closed"
    court.finish(table)
    assert court.holds(table)


@pytest.mark.parametrize(
    ("seats", "votes", "outcome"),
    [
        ("ann ben", [False], "upheld"),
        ("ann ben", [True], None),
        ("ann ben", [True, True], "overturned"),
        ("ann ben cat", [False], None),
        ("ann ben cat", [False, False], "upheld"),
        ("ann ben cat dan", [True, True], None),
        ("ann ben cat dan", [False, False], "upheld"),
        ("ann ben cat dan", [False, True, True, True], "overturned"),
        ("ann ai ai", [True], "overturned"),
        ("ann ai ai", [False], "upheld"),
    ],
)
def test_majorities(court: Court, seats: str, votes: list[bool], outcome: str | None) -> None:
    """Of the persons seated; it is upheld as soon as no majority can overturn it. AI seats have no vote."""
    table, ruling = with_ruling(court, seats, rules=DisputeRules(by="vote"))
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    for player, overturn in zip((ANN, BEN, CAT, DAN), votes, strict=False):
        court.vote(table, player, dispute, overturn)
    assert court.the(table, dispute).outcome == outcome


@pytest.mark.parametrize("seat", [0, 2, 4, 99])
def test_nobody_votes_for_another_seat(court: Court, seat: int) -> None:
    """Nor for one that the table does not have."""
    table, ruling = with_ruling(court, rules=DisputeRules(by="vote"))
    dispute = court.dispute(table, ANN, ruling, RULE, OTHER_READING)
    ballot = Vote(seat, True)
    assert refusal(disputes.vote, court.handler, table, court.sent(ANN), dispute, ballot) == "not_your_seat"
    assert refusal(disputes.vote, court.handler, table, court.sent(DAN), dispute, ballot) == "not_your_seat"


def test_either_the_arbiter_or_the_seats_decide(court: Court) -> None:
    """As the table was opened; not both."""
    table, ruling = with_ruling(court)
    assert refusal(court.vote, table, ANN, court.dispute(table, ANN, ruling, RULE), True) == "not_allowed"
    table, ruling = with_ruling(court, rules=DisputeRules(by="vote"))
    assert refusal(court.resolve, table, court.dispute(table, ANN, ruling, RULE), "upheld") == "not_allowed"


def test_the_vote_of_a_seat_that_an_ai_has_taken_over_counts_no_more(court: Court) -> None:
    """Where play goes on, a person whose time is over may be replaced while the others still vote."""
    table, ruling = with_ruling(court, decision_s=60, rules=DisputeRules(by="vote", play="goes_on"))
    gone = court.mover(table)
    one, other = (player for player in (ANN, BEN, CAT) if player is not gone)
    dispute = court.dispute(table, one, ruling, RULE, OTHER_READING)
    court.vote(table, gone, dispute, True)
    _hand_over(court, table, one)
    court.vote(table, one, dispute, True)
    assert court.the(table, dispute).outcome is None
    court.vote(table, other, dispute, True)
    assert court.the(table, dispute).outcome == "overturned"


def _hand_over(court: Court, table: str, by: Any) -> None:
    decision = court.table(table).decisions[0]
    court.handler.now_ms = lambda: millis(str(decision.deadline))  # type: ignore[method-assign]
    expire(court.handler, table, decision.seat, decision.recorded_id)
    hand_over(court.handler, table, court.sent(by), decision.seat, "uniform")


# Several disputes


def test_disputes_of_what_is_undone_become_moot(court: Court) -> None:
    """Others stay open, and pause the table still."""
    table = court.open_disputable("big-manitou", SEATS, rules=DisputeRules(play="goes_on"))
    early = court.play_until(table, ruling_by("BM-5.4"))
    court.step(table)
    late = court.play_until(table, lambda e: ruling_by(RULE)(e) and e.version > early.version)
    kept = court.dispute(table, ANN, early, "BM-5.4")
    same = court.dispute(table, BEN, late, RULE)
    decided = court.dispute(table, ANN, late, RULE, OTHER_READING)
    outcome = court.resolve(table, decided, "overturned")

    assert types_of(outcome)[:3] == ["PlayTakenBack", "DisputeResolved", "DisputeResolved"]
    found = {one: court.the(table, one) for one in (kept, same, decided)}
    assert [(one.outcome, one.by) for one in found.values()] == [
        (None, None),
        ("moot", "correction"),
        ("overturned", "arbiter"),
    ]
    outcome = court.resolve(table, kept, "overturned")
    assert outcome.table.options["penalty_strength"] == "with_tomahawks"
    court.finish(table)
    assert court.holds(table)


def test_a_ruling_of_the_correction_is_disputed_in_turn(court: Court) -> None:
    """What was decided again under one reading may be overturned back to the other."""
    table, ruling = with_ruling(court)
    court.resolve(table, court.dispute(table, ANN, ruling, RULE, OTHER_READING), "overturned")
    again = court.play_until(table, lambda e: ruling_by(RULE)(e) and e.version > ruling.version)
    dispute = court.dispute(table, BEN, again, RULE, {"penalty_strength": "printed"})
    outcome = court.resolve(table, dispute, "overturned")
    assert outcome.table.options["penalty_strength"] == "printed"
    assert outcome.history.events[outcome.span.first - 1].envelope.payload["to"] == ruling.envelope.batch[0] - 1
    court.finish(table)
    assert court.holds(table)


@pytest.mark.fault
@pytest.mark.parametrize(("game", "kind"), [("tomahawk", "TerritoryJudged"), ("manitou", "GroundCleared")])
def test_corrections_of_one_move_hold_together(court: Court, game: str, kind: str) -> None:
    """A verdict was lost when an earlier ruling of the same move was corrected after it."""

    def rulings() -> list[Recorded]:
        events = court.history(table).events
        return [event for event in events[events[-1].envelope.batch[0] - 1 :] if event.envelope.type == kind]

    def correct(ruling: Recorded) -> None:
        asked = Contested(1, ruling.version, ruling.envelope.payload["rules"][0], "No.", {"correction": 1})
        court.resolve(table, court.ask(table, ANN, asked), "overturned")

    table = court.open_disputable(game, "ann ben")
    while len(by_rules := rulings()) < 2:
        assert court.step(table)
    correct(by_rules[-1])
    late = rulings()[-1].payload
    correct(rulings()[0])

    assert rulings()[0].payload != by_rules[0].payload
    assert rulings()[-1].payload == late != by_rules[-1].payload
    court.finish(table)
    assert court.holds(table)


# Every game


OVERTURNED: dict[str, tuple[str, dict[str, Any], str]] = {
    "big-manitou": ("BM-R14", {"runner_up_share": "rest"}, "ann ai ai ai ai"),
    "manitou": ("MA-R10", {"attacked_of_pair": "first_played"}, "ann ai ai ai"),
    "tomahawk": ("TO-R22", {"picto_scope": "each_player"}, "ann ai"),
    "plenty-coups": ("PC-R13", {"empty_herd_coup": False}, "ann ben ai"),
}


@pytest.mark.parametrize("game", quick_first(GAMES))
def test_ai_seats_play_on_after_a_correction(game: str) -> None:
    """From their view and feed, in which nothing undone is left; the table holds in the end."""
    court = Court()
    rule, options, seats = OVERTURNED[game]
    with luck(3):  # with which the ruling comes soon
        table, ruling = court.table_with(court.changed_by(rule, options), game, seats)
    court.resolve(table, court.dispute(table, ANN, ruling, rule, options), "overturned")
    version = court.table(table).version
    court.finish(table)

    history = court.history(table)
    assert history.table.closed == "game_over"
    assert {e.envelope.by.get("seat") for e in history.events[version:-2]} > {1}
    assert court.holds(table)
    undone = range(ruling.envelope.batch[0], ruling.version + 1)
    assert not any(new_event is None for new_event in history.feed(1))
    assert len(history.feed(1)) <= len(history.events) - len(undone)


CORRECTED = {"big-manitou": "GroundEvaluated", "manitou": "TrialOfStrengthResolved", "tomahawk": "TerritoryJudged"}


@pytest.mark.parametrize("game", quick_first(GAMES))
def test_ai_seats_play_on_after_an_outcome_that_no_rule_leads_to(game: str) -> None:
    """They imagine the game from what they saw, with the corrected ruling in it."""
    court = Court()
    with luck(3):
        sought = CORRECTED.get(game, "PrestigeGained")
        table, ruling = court.table_with(lambda e: e.envelope.type == sought, game, "ann greedy")
    asked = Contested(1, ruling.version, ruling.envelope.payload["rules"][0], "No.", {"correction": 1})
    court.resolve(table, court.ask(table, ANN, asked), "overturned")
    court.finish(table)
    assert court.holds(table)
