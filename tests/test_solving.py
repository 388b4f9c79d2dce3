"""Endings are solved exactly: held against what is counted by hand in the smallest game there is."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from benchmarks import endings
from benchmarks.solving import Choices, Ending, TooLarge, World, outcomes
from games import GAMES
from service.levels import LEVELS
from tests.fifth import Keep, Options, State, Swap, game

STONES = range(1, 10)


def worlds_of_second(own: int, put: int | None = None) -> list[World]:
    """What seat 2 may take for the truth: any other stone at seat 1, any next one in the bag; all equally likely."""
    others = [stone for stone in STONES if stone not in {own, put}]
    pairs = list(permutations(others, 2))
    aside = () if put is None else (put,)
    states = [State(2, Options(), (first, own), (following, 0), aside, seat=2) for first, following in pairs]
    return [World(1 / len(states), state) for state in states]


def worlds_of_first(own: int) -> list[World]:
    """What seat 1 may take for the truth."""
    deals = list(permutations([stone for stone in STONES if stone != own], 3))
    return [World(1 / len(deals), State(2, Options(), (own, other), tuple(bag))) for other, *bag in deals]


def keeps(_: Any, __: Any) -> Keep:
    return Keep()


def ending(seat: int, others: Any = keeps, most: int = 100_000) -> Ending:
    return Ending(game, seat, others, lambda state: float(game.scores(state).winners == (seat,)), most)


@pytest.mark.parametrize(("own", "kept"), [(3, 2 / 8), (4, 3 / 8), (5, 4 / 8), (6, 5 / 8), (9, 1.0)])
def test_the_last_seat_swaps_what_wins_less_often_than_a_stone_that_nobody_knows(own: int, kept: float) -> None:
    """Of two stones that nobody knows either is the higher as often."""
    worlds = worlds_of_second(own)
    assert ending(2).of(keeps, (), worlds) == pytest.approx(kept)
    assert ending(2).of(lambda *_: Swap(), (), worlds) == pytest.approx(1 / 2)
    assert ending(2).best(worlds) == pytest.approx(max(kept, 1 / 2))


def test_who_sees_all_wins_wherever_either_move_does() -> None:
    """With a 4: against lower stones by keeping it, against higher ones by what is higher still."""
    worlds = worlds_of_second(4)
    seen = sum(ending(2).best([world]) for world in worlds)
    assert seen == pytest.approx(3 / 8 + (4 + 3 + 2 + 1) / 7 / 8)


def test_what_others_do_is_known_and_what_they_hold_is_not() -> None:
    """Against one who swaps below 5, a 5 is kept or swapped alike in worlds that look alike: by the better of both."""

    def swaps_low(view: Any, _: Any) -> Any:
        return Keep() if view.own >= 5 else Swap()

    worlds = worlds_of_first(5)
    one = ending(1, swaps_low)
    kept, swapped = one.of(keeps, (), worlds), one.of(lambda *_: Swap(), (), worlds)
    assert kept == pytest.approx(
        4 / 8 * 3 / 7
    )  # of the lower stones at seat 2 each is swapped, for one of the other seven
    assert one.best(worlds) == pytest.approx(max(kept, swapped))
    assert one.best(worlds) < sum(one.best([world]) for world in worlds)


def test_a_policy_is_told_the_feed_before_and_since() -> None:
    heard: list[Any] = []

    def hears(_: Any, feed: Any) -> Keep:
        heard.append(feed)
        return Keep()

    ending(1).of(hears, ("before",), worlds_of_first(5)[:1])
    assert heard == [("before",)]


def test_chance_gives_everything_as_often_as_it_may() -> None:
    """A draw whose number depends on the one before it."""

    def play(chance: Choices) -> Any:
        (first,) = chance("draw", (1, 2, 3), 1)
        return first, chance("draw", "ab", 1) if first == 2 else ()

    found: list[Any] = sorted((came, likely) for likely, came in outcomes(play))
    third, sixth = pytest.approx(1 / 3), pytest.approx(1 / 6)
    assert found == [((1, ()), third), ((2, ("a",)), sixth), ((2, ("b",)), sixth), ((3, ()), third)]


def test_what_takes_too_much_work_is_refused() -> None:
    with pytest.raises(TooLarge):
        ending(1, most=10).best(worlds_of_first(5))
    with pytest.raises(TooLarge):
        Choices(())("shuffle", range(9), 9)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "plays"), [("manitou", 1000), ("big-manitou", 200)])
def test_no_level_does_better_than_the_best_response(slug: str, plays: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor that better than one who sees all cards."""
    monkeypatch.setattr(endings, "PLAYS", plays)
    row = endings.row_of(GAMES[slug], 1)
    assert row["length"] > 1
    assert row["sees"] >= row["best"] >= max(row["levels"].values()) > min(row["levels"].values())


def test_the_page_tells_each_level_and_one_who_sees_all() -> None:
    """Of the games that have an ending which is small enough."""
    levels = {endings.named(level, "manitou"): -1.0 for level in LEVELS} | {endings.named("expert", "manitou"): 2.0}
    solved = {"game": "manitou", "deal": 0, "length": 4, "worlds": 30, "best": 2.0, "sees": 2.5, "levels": levels}
    page = list(endings.told([solved, {"game": "tomahawk", "deal": 0, "length": None}]))[2:]
    assert "| manitou | 1 | 4, 30 | greedy | 3.00 (3.00 to 3.00) | 0 of 1 |" in page
    assert "| manitou | 1 | 4, 30 | expert | 0.00 (0.00 to 0.00) | 1 of 1 |" in page
    assert page[-1] == "| manitou | 1 | 4, 30 | one who sees all cards | ahead by 0.50 (0.50 to 0.50) | |"


def test_endings_of_players_of_other_versions_or_budgets_are_solved_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A game without a small enough ending has none whoever plays."""
    levels = {endings.named(level, "manitou"): -1.0 for level in LEVELS}
    rows = [
        {"game": "manitou", "deal": 0, "length": 4, "levels": levels},
        {"game": "manitou", "deal": 1, "length": 4, "levels": {name.rpartition(" ")[0]: -1.0 for name in levels}},
        {"game": "manitou", "deal": 2, "length": None},
    ]
    monkeypatch.setattr(endings, "RECORD", tmp_path / "endings.jsonl")
    endings.RECORD.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [row["deal"] for row in endings.record()] == [0, 2]
