"""An operator who asks a process to end is heard, whatever the process does just then."""

import signal
from collections.abc import Iterator

import pytest

from wintercount.processes.interrupting import NUMBERS, Interrupt, Interrupted, listen

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def handled_as_before() -> Iterator[None]:
    """Signals are handled after a test as they were before."""
    handlers = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS)
def test_it_raises_wherever_the_main_thread_is(number: signal.Signals) -> None:
    listen(Interrupt())
    with pytest.raises(Interrupted):
        signal.raise_signal(number)


def test_it_raises_once() -> None:
    """A second signal must not cut short what the first began."""
    listen(Interrupt())
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGTERM)
