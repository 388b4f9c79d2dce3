"""What is said, looked at and voted for while a dispute is open belongs to that dispute alone."""

from events.lifecycle import (
    ArbiterLooked,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    TakebackAnswered,
    TakebackAsked,
)
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
    resolved,
    voted,
)

AT, LATER = "2026-11-21T09:00:00.000Z", "2026-11-21T09:00:01.000Z"


def two_disputes() -> Disputes:
    """Disputes of two seats about one ruling, opened one after the other."""
    first = DisputeOpened("d58", 1, 57, "BM-5.4", "A tie is nobody's.", {"ties": "nobody"}, AT)
    second = DisputeOpened("d59", 2, 57, "BM-5.4", "Nor is it mine.", {}, AT)
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
    disputes = commented(two_disputes(), DisputeCommented("d59", "p_ben", 2, "It says 'may'."), AT)
    disputes = commented(disputes, DisputeCommented("d59", "p_arbiter", None, "So it does."), LATER)
    told = (Comment("p_ben", 2, "It says 'may'.", AT), Comment("p_arbiter", None, "So it does.", LATER))
    assert [one.comments for one in disputes] == [(), told]


def test_an_arbiters_looks_are_told() -> None:
    """Through which seat, up to which version, and when."""
    disputes = looked(two_disputes(), ArbiterLooked("d58", 2, "p_arbiter", 57), AT)
    disputes = looked(disputes, ArbiterLooked("d58", 1, "p_arbiter", 57), LATER)
    assert [one.looks for one in disputes] == [(Look(2, "p_arbiter", 57, AT), Look(1, "p_arbiter", 57, LATER)), ()]


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
