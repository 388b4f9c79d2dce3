"""Spans of what a process does, for the tracer that it may have; without one they cost a call each.

A span is told figures and names of the service's own. Nothing that people are called, write, hold or play is in it, nor
the id of a table: whoever collects traces may not look at tables.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

Figure = str | int | float | bool
Note = Callable[..., Any]  # called with further figures of a span, by name


class Tracer(Protocol):
    """Who keeps spans; every block is given a `Note`."""

    def request(self, name: str, traceparent: str | None, /) -> AbstractContextManager[Note]: ...
    def span(self, name: str, /, **figures: Figure) -> AbstractContextManager[Note]: ...
    def due(self, entries: Iterable[str], /) -> None: ...
    def of_due(self, name: str, entry: str, /, **figures: Figure) -> AbstractContextManager[Note]: ...


class NoTracer:
    """Keeps nothing."""

    def __init__(self) -> None:
        self._block: AbstractContextManager[Note] = nullcontext(_forget)

    def request(self, _name: str, _traceparent: str | None, /) -> AbstractContextManager[Note]:
        """A block that nobody hears of."""
        return self._block

    def span(self, _name: str, /, **_figures: Figure) -> AbstractContextManager[Note]:
        """The same."""
        return self._block

    def due(self, _entries: Iterable[str], /) -> None:
        """Does not look at them."""

    def of_due(self, _name: str, _entry: str, /, **_figures: Figure) -> AbstractContextManager[Note]:
        """A block that nobody hears of."""
        return self._block


def _forget(**_figures: Figure) -> None:
    pass


class _Used:
    tracer: Tracer = NoTracer()


def use(tracer: Tracer) -> None:
    """Lets this process tell a tracer what it does from now on."""
    _Used.tracer = tracer


def in_use() -> bool:
    """Whether this process has a tracer."""
    return not isinstance(_Used.tracer, NoTracer)


def request(name: str, traceparent: str | None = None) -> AbstractContextManager[Note]:
    """The span of a request, in the trace of `traceparent` if one is given."""
    return _Used.tracer.request(name, traceparent)


def span(name: str, **figures: Figure) -> AbstractContextManager[Note]:
    """A span within the one of the block around it."""
    return _Used.tracer.span(name, **figures)


def due(entries: Iterable[str]) -> None:
    """Begins the traces of entries that the block around it has made due; each is linked to it."""
    _Used.tracer.due(entries)


def of_due(name: str, entry: str, **figures: Figure) -> AbstractContextManager[Note]:
    """A span in the trace of a due entry, whichever process works on it."""
    return _Used.tracer.of_due(name, entry, **figures)
