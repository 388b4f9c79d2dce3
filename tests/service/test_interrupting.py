"""An operator who asks a process to end is heard, whatever the process does just then."""

import signal
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.config import Settings
from service.loading import Waits
from service.runtime import cli
from service.runtime.interrupting import NUMBERS, Interrupt, Interrupted, listen
from service.runtime.supervisor import Supervisor
from tests.servers import free_port

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def handled_as_before() -> Iterator[None]:
    """Signals are handled after a test as they were before."""
    handlers = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def interrupt_while_finalized(number: signal.Signals = signal.SIGTERM) -> None:
    """A signal comes while Python runs a finalizer, as those of closed connections: it swallows what is raised."""

    class Connection:
        """Something that is finalized."""

    weakref.finalize(Connection(), signal.raise_signal, number)


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


def test_what_a_finalizer_swallowed_is_remembered() -> None:
    interrupt = Interrupt()
    interrupt.check()
    listen(interrupt)
    interrupt_while_finalized()

    with pytest.raises(Interrupted):
        interrupt.check()


def test_a_swallowed_signal_ends_the_wait_for_the_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store may load for an hour."""
    interrupt = Interrupt()
    listen(interrupt)

    def waits() -> Waits:
        interrupt_while_finalized()
        return Waits("store-loading", "the store loads its data")

    supervisor = Supervisor(Settings(data=str(tmp_path), port=free_port()), interrupt.check)
    monkeypatch.setattr(supervisor, "_add", lambda *_: None)
    monkeypatch.setattr(supervisor, "_waits_for", waits)
    with pytest.raises(Interrupted):
        supervisor.start()
    supervisor.end()


@pytest.mark.parametrize("options", [["--no-demo"], []])
def test_a_swallowed_signal_ends_a_run_that_serves(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a demonstration or without one."""

    def start(_: Supervisor) -> None:
        interrupt_while_finalized()

    monkeypatch.setenv("WINTERCOUNT_DATA", str(tmp_path))
    monkeypatch.setattr(Supervisor, "start", start)
    monkeypatch.setattr("service.runtime.demo.demonstrate", endless)
    result = CliRunner().invoke(cli.main, ["run", *options])

    assert result.exit_code == 0
    assert result.output.endswith("ending\n")


def endless(*_: str) -> Iterator[str]:
    while True:
        yield "a line of the demonstration"
