"""`make mutants` is quick: what is not under test calls on at once, and the quick tests come first."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.mutants.hastened import UnderTest, quick_calls, quick_tests_first

Function = Callable[..., Any]


class Trampoline:
    """What stands for mutmut's: it tells that it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def wrap_in_trampoline(self, mutants: dict[str, Function], _is_classmethod: bool) -> Callable[[Function], Function]:
        def wrap(function: Function) -> Function:
            def called(*args: Any) -> Any:
                self.asked.append(function.__name__)
                return mutants["x_half__mutmut_1"](*args)

            return called

        return wrap


def half(number: int) -> float:
    return number / 2


def x_half__mutmut_orig(number: int) -> float:
    return number / 2


def half_of_each(numbers: list[int]) -> Any:
    yield from map(half, numbers)


MUTANTS: dict[str, Function] = {"_mutmut_orig": x_half__mutmut_orig, "x_half__mutmut_1": lambda number: number * 2}


@pytest.mark.parametrize(
    ("tried", "reached", "asked"),
    [
        ("games.x_half__mutmut_1", set(), True),
        ("games.x_third__mutmut_1", set(), False),
        ("", set(), False),
        (None, set(), False),
        ("fail", set(), True),
        ("stats", set(), True),
        ("stats", {f"{__name__}.x_half"}, False),
    ],
)
def test_mutmut_is_asked_about_what_it_tries(tried: str | None, reached: set[str], asked: bool) -> None:
    """A mutant of this function, that a test fails, or which functions it reaches that it had not reached before."""
    trampoline, under_test = Trampoline(), UnderTest()
    called = quick_calls(trampoline, under_test, lambda: reached)(MUTANTS)(half)
    under_test.note(tried)
    assert called(6) == (12 if asked else 3)
    assert trampoline.asked == (["half"] if asked else [])
    assert called.__wrapped__ is half  # type: ignore[attr-defined]


def test_what_is_more_than_a_function_goes_mutmuts_way() -> None:
    """Generators, coroutines and methods of a class."""
    trampoline, under_test = Trampoline(), UnderTest()
    under_test.note("games.x_third__mutmut_1")
    wrapping = quick_calls(trampoline, under_test, set)
    mutants = {"x_half__mutmut_1": list}
    assert wrapping(mutants)(half_of_each)([6]) == [6]
    assert wrapping(mutants, True)(half)([6]) == [6]
    assert trampoline.asked == ["half_of_each", "half"]


def test_the_quick_files_come_first_and_their_tests_as_they_ran() -> None:
    """A file counts by those of its tests that are asked; one that is new has taken no time yet."""
    took = {"a.py::two": 0.4, "a.py::one": 0.1, "b.py::three": 0.2, "b.py::slow": 40.0, "c.py::four": 1.0}
    ran: list[str] = []

    class Runner:
        def run_tests(self, *, mutant_name: str | None, tests: list[str] | set[str]) -> int:
            assert mutant_name == "games.x_half__mutmut_1"
            ran.extend(tests)
            return 1

    Runner.run_tests = quick_tests_first(Runner, lambda: SimpleNamespace(duration_by_test=took))  # type: ignore[method-assign]
    assert Runner().run_tests(mutant_name="games.x_half__mutmut_1", tests={*took, "a.py::new"} - {"b.py::slow"}) == 1
    assert ran == ["b.py::three", "a.py::two", "a.py::one", "a.py::new", "c.py::four"]
