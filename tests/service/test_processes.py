"""The dispatcher's process: what it does in threads, and how it ends."""

import threading

import pytest

from service.config import Settings
from service.runtime.processes import dispatch_until
from tests.servers import SECRET
from worker.dispatch import Dispatcher


@pytest.mark.usefixtures("valkey_log")
def test_a_thread_that_fails_ends_the_process(
    valkey_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever keeps processes running starts another; of one that goes on without a part of it nobody would hear."""
    stop = threading.Event()
    patience = threading.Timer(10, stop.set)
    patience.start()

    def fail(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(Dispatcher, "run", fail)
    with pytest.raises(SystemExit) as ended:
        dispatch_until(stop, Settings(secret=SECRET, archive_after_days=-1), valkey_url)
    patience.cancel()
    assert ended.value.code == 1
    assert "the thread dispatcher failed" in caplog.text


@pytest.mark.usefixtures("valkey_log")
def test_a_process_that_is_told_to_end_ends_well(valkey_url: str) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    dispatch_until(stop, Settings(secret=SECRET, archive_after_days=-1), valkey_url)
