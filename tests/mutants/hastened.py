"""`python -m mutmut`, made quick enough for tests that call what is mutated some million times.

A function of which no mutant is tried costs one call more, where mutmut looks into the environment at each; of the
tests that reach a mutant the quick files come first, where its fork server runs them in any order; and clocks that
tests have frozen say nothing of how long those take. Of the function under test itself mutmut's own way is taken.

Without the context variable that it sets at each call, too: it notes by it which function was called by which, which
nobody asks for here (`track_dependencies`), and a run of all tests under CPython 3.11 ends in `ContextVar.set` with a
segmentation fault.
"""

import inspect
import runpy
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, wraps
from typing import Any

import freezegun

Function = Callable[..., Any]
NO_MUTANT = "none of them"  # while tests run as they are


class NoStack:
    """Notes nobody."""

    @staticmethod
    def get() -> tuple[None, int]:
        """No caller."""
        return None, 0

    @staticmethod
    def set(_: Any) -> None:
        """Notes nothing."""

    @staticmethod
    def reset(_: None) -> None:
        """There is nothing to put back."""


class UnderTest:
    """What this process tries: a mutant, by its `name` without the module; `NO_MUTANT`; or else nothing of both."""

    def __init__(self) -> None:
        self.name = ""

    def note(self, mutant: str | None) -> None:
        """From here on this one, or none; mutmut has words without a dot for what else it does."""
        _, dot, name = mutant.rpartition(".") if mutant else ("", ".", NO_MUTANT)
        self.name = name if dot else ""


def quick_calls(
    trampoline: Any, under_test: UnderTest, reached: Callable[[], Container[str]]
) -> Callable[..., Callable[[Function], Function]]:
    """What stands for mutmut's `wrap_in_trampoline`: its functions call on at once, unless a mutant of theirs is tried.

    So they do where mutmut asks which functions a test reaches, and it has `reached` this one before.
    """
    wrap_in_trampoline = trampoline.wrap_in_trampoline

    def wrapping(mutants: dict[str, Function], is_classmethod: bool = False) -> Callable[[Function], Function]:
        def wrap(function: Function) -> Function:
            called = wrap_in_trampoline(mutants, is_classmethod)(function)
            if is_classmethod or not _is_plain(function):
                return called  # type: ignore[no-any-return]

            @wraps(function)
            def calling(*args: Any, **kwargs: Any) -> Any:
                original = mutants["_mutmut_orig"]
                if under_test.name not in mutants if under_test.name else _key(original) in reached():
                    return original(*args, **kwargs)
                return called(*args, **kwargs)

            return calling

        return wrap

    return wrapping


@cache
def _key(function: Function) -> str:
    """How mutmut notes that a function was reached."""
    return f"{function.__module__}.{function.__name__.partition('__mutmut_')[0]}"


def _is_plain(function: Function) -> bool:
    kinds = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    return not any(is_kind(function) for is_kind in kinds)


def quick_tests_first(runner: Any, state: Callable[[], Any]) -> Callable[..., int]:
    """What stands for the `run_tests` of mutmut's `PytestRunner`."""
    run_tests = runner.run_tests

    def run_sorted(self: Any, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        return int(run_tests(self, mutant_name=mutant_name, tests=in_quick_order(tests, state().duration_by_test)))

    return run_sorted


def in_quick_order(tests: Iterable[str], took: Mapping[str, float]) -> list[str]:
    """File by file, the one first that takes the least; tests of a file stay as they ran, as some rely on it."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for test in (asked := set(tests)):
        seconds[_file(test)] += took.get(test, 0.0)
    places = {test: place for place, test in enumerate(took)}
    return sorted(asked, key=lambda test: (seconds[_file(test)], _file(test), places.get(test, len(places)), test))


def _file(test: str) -> str:
    return test.partition("::")[0]


def in_turn(*functions: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """What tells all of them the same."""

    def told(mutant: str | None) -> None:
        for function in functions:
            function(mutant)

    return told


def main() -> None:
    """Runs the command."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has programs in the background ignore it
    sys.path[0] = ""  # the folder that it works in, and not that of this file
    freezegun.configure(extend_ignore_list=["_pytest.timing"])
    from mutmut import core
    from mutmut.mutation import trampoline
    from mutmut.state import state

    core.MutmutCallStack = trampoline.MutmutCallStack = NoStack
    under_test = UnderTest()
    trampoline.wrap_in_trampoline = quick_calls(trampoline, under_test, lambda: state()._stats)
    trampoline.set_mutant_under_test = in_turn(trampoline.set_mutant_under_test, under_test.note)
    from mutmut.runners.harness import PytestRunner  # which may import what was replaced

    PytestRunner.run_tests = quick_tests_first(PytestRunner, state)
    runpy.run_module("mutmut", run_name="__main__", alter_sys=True)  # what it pickles is found there


if __name__ == "__main__":
    main()
