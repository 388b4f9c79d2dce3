"""The checker of concurrent histories finds each way in which one cannot be explained, and no fault in a good one."""

import random

import pytest

from tests.chaos.linear import Operation, faults_in

WROTE = Operation("Ann", 1.0, 2.0, 7, "aa", first=5)
GOOD = (
    WROTE,
    Operation("Ben", 0.0, 1.5, 4, "bb"),
    Operation("Cat", 1.2, 1.4, 7, "aa"),  # while Ann still waits for her answer
    Operation("Ben", 2.5, 3.5, 9, "cc", first=8),
    Operation("Cat", 2.6, 3.6, 7),
)


def test_what_can_have_happened_is_no_fault() -> None:
    """Reads may see the old or the new version while a write is under way."""
    assert list(faults_in(GOOD)) == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (Operation("Eve", 2.5, 3.0, 4, "bb"), "Eve saw 4 (2.5000 to 3.0000), after: Cat saw 7"),
        (Operation("Eve", 2.5, 3.0, 6), "Eve saw 6 (2.5000 to 3.0000), amid: Ann wrote 5 to 7"),
        (Operation("Eve", 1.0, 3.0, 7, "ee"), "version 7 has 2 hashes"),
        (
            Operation("Eve", 1.0, 3.0, 8, "ee", first=7),
            "Eve wrote 7 to 8 (1.0000 to 3.0000), and another wrote up to 7",
        ),
        (Operation("Eve", 4.0, 5.0, 3, "ee", first=2), "Eve wrote 2 to 3 (4.0000 to 5.0000), after: Ben wrote 8 to 9"),
    ],
    ids=["stale", "torn", "another history", "written twice", "written late"],
)
def test_what_cannot_have_happened_is_told(wrong: Operation, told: str) -> None:
    """With who saw it, and beside whom."""
    assert any(told in fault for fault in faults_in((*GOOD, wrong)))


def test_reads_that_go_back_are_told() -> None:
    """Cat saw the new version, and Dan the old one, although he asked after she had her answer."""
    cat, dan = Operation("Cat", 1.2, 1.4, 7), Operation("Dan", 1.5, 1.6, 4)
    assert any("Dan saw 4" in fault for fault in faults_in((WROTE, cat, dan)))


def test_a_history_made_one_after_the_other_is_good_in_any_order() -> None:
    """However the operations are listed, and however far they are stretched around their moment."""
    rng = random.Random(1)
    for _ in range(50):
        version, history = 1, []
        for moment in range(60):
            wrote = rng.randint(1, 3) if rng.random() < 0.4 else 0
            first, version = (version + 1 if wrote else None), version + wrote
            began, ended = moment - rng.random() * 9, moment + rng.random() * 9
            history.append(Operation("any", began, ended, version, f"h{version}", first))
        rng.shuffle(history)
        assert list(faults_in(history)) == []
