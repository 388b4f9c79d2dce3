"""What is said, looked at and voted for while a dispute is open belongs to that dispute alone."""

from freezegun import freeze_time

from events.lifecycle import (
    ArbiterLooked,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    PersonalText,
    TakebackAnswered,
    TakebackAsked,
)
from events.times import millis, stamp
from projections.disputes import (
    Comment,
    Disputes,
    Look,
    Takeback,
    Vote,
    answered,
    asked,
    commented,
    looked,
    opened,
    reckoned,
    replace,
    resolved,
    voted,
)
from service.tables.rulings import is_ruling
from tests.court import IDA, Court
from tests.tables import ANN

AT, LATER = "2026-11-21T09:00:00.000Z", "2026-11-21T09:00:01.000Z"


def said(text: str) -> PersonalText:
    """What a person wrote."""
    return PersonalText("p_ann", text)


def two_disputes() -> Disputes:
    """Disputes of two seats about one ruling, opened one after the other."""
    first = DisputeOpened("d58", 1, 57, "BM-5.4", said("A tie is nobody's."), {"ties": "nobody"}, AT)
    second = DisputeOpened("d59", 2, 57, "BM-5.4", said("Nor is it mine."), {}, AT)
    return opened(opened((), first, AT, "1a2b3c4d"), second, LATER, "5e6f7a8b")


def test_a_dispute_has_the_name_that_it_was_opened_under() -> None:
    """Its older name, without how the hash begins, is read as well."""
    first, second = two_disputes()
    assert (first.name, second.name) == ("d58-1a2b3c4d", "d59-5e6f7a8b")
    assert first.is_named("d58")
    assert first.is_named("d58-1a2b3c4d")
    assert not first.is_named("d58-5e6f7a8b")
    assert (first.at, second.at, first.options) == (AT, LATER, {"ties": "nobody"})


def test_comments_stand_in_their_order() -> None:
    """With who made them, from which seat, and when."""
    disputes = commented(two_disputes(), DisputeCommented("d59", "p_ben", 2, said("It says 'may'.")), AT)
    disputes = commented(disputes, DisputeCommented("d59", "p_arbiter", None, said("So it does.")), LATER)
    told = (Comment("p_ben", 2, said("It says 'may'."), AT), Comment("p_arbiter", None, said("So it does."), LATER))
    assert [one.comments for one in disputes] == [(), told]


def test_a_dispute_of_a_fast_clock_has_its_time_from_now() -> None:
    """One that was opened by a clock that runs right, or is resolved, keeps the deadline that it has."""
    now, answer_ms = millis(AT), 1000
    first, second = two_disputes()
    ahead = stamp(now + answer_ms + 1)
    right, fast = replace(first, deadline=LATER), replace(second, deadline=ahead)
    assert reckoned((right, fast), now, answer_ms) == (right, replace(fast, deadline=LATER))

    over = resolved((right, fast), DisputeResolved("d59", "upheld", "arbiter", "p_arbiter", "It may.", {}), 60)
    assert reckoned(over, now, answer_ms) == over


def test_an_arbiters_looks_are_told() -> None:
    """Through which seat, up to which version, and when."""
    disputes = looked(two_disputes(), ArbiterLooked("d58", 2, "p_arbiter", 57), AT)
    disputes = looked(disputes, ArbiterLooked("d58", 1, "p_arbiter", 57), LATER)
    assert [one.looks for one in disputes] == [(Look(2, "p_arbiter", 57, AT), Look(1, "p_arbiter", 57, LATER)), ()]


@freeze_time(AT)
def test_a_table_tells_the_looks_of_its_arbiter() -> None:
    """The looks stand with the dispute, and the table is otherwise as it was."""
    court = Court()
    table, ruling = court.table_with(is_ruling, "big-manitou", "ann ben")
    dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
    before = court.table(table)
    after = court.look(table, dispute, 2).table
    assert [one.looks for one in after.disputes] == [(Look(2, IDA.id, ruling.version, AT),)]
    assert (after.state, after.decisions, after.status) == (before.state, before.decisions, before.status)


def test_a_seats_later_vote_replaces_its_earlier_one() -> None:
    """Votes stand in the order of the seats."""
    disputes = two_disputes()
    for seat, overturn in ((3, True), (1, True), (3, False)):
        disputes = voted(disputes, DisputeVoted("d58", seat, overturn))
    assert [one.votes for one in disputes] == [(Vote(1, True), Vote(3, False)), ()]


def test_a_verdict_ends_its_dispute() -> None:
    """The other one stays open."""
    verdict = DisputeResolved("d58", "overturned", "arbiter", "p_arbiter", "He is right.", {"ties": "nobody"})
    disputes = resolved(two_disputes(), verdict, 61)
    told = [(one.outcome, one.by, one.text, one.resolved) for one in disputes]
    assert told == [("overturned", "arbiter", "He is right.", 61), (None, None, None, None)]


def test_a_takeback_waits_until_all_have_agreed() -> None:
    """One who does not agree ends it."""
    waits = asked(TakebackAsked("b58", 1, 55, (2, 3)), "1a2b3c4d")
    assert (waits.name, waits.to, waits.missing) == ("b58-1a2b3c4d", 55, (2, 3))
    agreed = answered(waits, TakebackAnswered("b58", 2, True))
    assert agreed == Takeback("b58", 1, 55, (3,), "1a2b3c4d")
    assert answered(agreed, TakebackAnswered("b58", 3, False)) is None
    assert answered(None, TakebackAnswered("b58", 2, True)) is None
